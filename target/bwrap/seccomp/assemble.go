package seccomp

import "slices"

// assembler writes a program from its last instruction to its first. BPF jumps
// go forward only, so the place of every target is known by the time that the
// jump to it is written, and a target that is too far away for the eight bits
// of an offset gets a stepping stone within reach.
type assembler struct {
	rev    []Instruction    // the program, last instruction first
	rets   map[Action]label // the nearest return of each action
	stones map[label]label  // the nearest stepping stone to a place
}

// label is a place in the program: how many instructions there are from it to
// the end.
type label int

// reach is the longest jump of a conditional jump.
const reach = 255

// ret returns the place of a return with the action, an existing one if a jump
// that is written now can reach it.
func (a *assembler) ret(act Action) label {
	// A jump may need a stepping stone for its other target first; leave room.
	if l, ok := a.rets[act]; ok && a.distance(l) <= reach-2 {
		return l
	}
	l := a.emit(Instruction{Code: opRet, K: uint32(act)})
	if a.rets == nil {
		a.rets = map[Action]label{}
	}
	a.rets[act] = l
	return l
}

// branch writes a conditional jump and returns its place.
func (a *assembler) branch(op uint16, k uint32, yes, no label) label {
	yes = a.near(yes, 1)
	no = a.near(no, 0)
	return a.emit(Instruction{Code: op, K: k, JT: uint8(a.distance(yes)), JF: uint8(a.distance(no))})
}

// load writes a load of the word at an offset of seccomp_data, after which the
// program goes on at next.
func (a *assembler) load(offset uint32, next label) label {
	a.fallInto(next)
	return a.emit(Instruction{Code: opLoad, K: offset})
}

// and writes a masking of the loaded word, after which the program goes on at
// next.
func (a *assembler) and(mask uint32, next label) label {
	a.fallInto(next)
	return a.emit(Instruction{Code: opAnd, K: mask})
}

// near returns a place within reach from which the program gets to l, when at
// most extra instructions are written in between.
func (a *assembler) near(l label, extra int) label {
	if a.distance(l)+extra <= reach {
		return l
	}
	if s, ok := a.stones[l]; ok && a.distance(s)+extra <= reach {
		return s
	}
	s := a.jump(l)
	if a.stones == nil {
		a.stones = map[label]label{}
	}
	a.stones[l] = s
	return s
}

// fallInto makes the instruction that is written next go on at l.
func (a *assembler) fallInto(l label) {
	if a.distance(l) != 0 {
		a.jump(l)
	}
}

// jump writes an unconditional jump, which has 32 bits for its offset.
func (a *assembler) jump(l label) label {
	return a.emit(Instruction{Code: opJump, K: uint32(a.distance(l))})
}

// distance returns how many instructions a jump that is written now skips to
// get to l.
func (a *assembler) distance(l label) int { return len(a.rev) - int(l) }

func (a *assembler) emit(in Instruction) label {
	a.rev = append(a.rev, in)
	return label(len(a.rev))
}

// program returns what has been written, first instruction first.
func (a *assembler) program() Program {
	p := slices.Clone(a.rev)
	slices.Reverse(p)
	return p
}
