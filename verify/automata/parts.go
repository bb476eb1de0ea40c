package automata

import "slices"

// parts is the automaton of all leaves within a segment, made deterministic from
// one state of it at a time. A part is a set of its states.
type parts struct {
	*nfa
	sets   table
	info   []nameState
	lists  table // of leaves, and of states of the automaton
	outs   table // what a name can lead to: the leaves that have it, and the states after the slash
	slash  int   // the class of the slash
	fan    fan
	mark   []uint32
	gen    uint32
	buf    []int32
	united [2][]int32 // buffers of union
}

func newParts(n *nfa) *parts {
	return &parts{nfa: n, slash: int(n.classOf['/']), fan: newFan(n), mark: make([]uint32, len(n.states))}
}

// set returns the number of a set of states, which is sorted.
func (p *parts) set(states []int32) int32 {
	id := p.sets.id(states)
	if int(id) == len(p.info) {
		p.info = append(p.info, nameState{})
	}
	return id
}

// dead reports whether the part is empty.
func (p *parts) dead(part int32) bool { return len(p.sets.at(part)) == 0 }

// out returns what a name that ends in a part leads to.
func (p *parts) out(part int32) int32 {
	p.expand(part)
	return p.info[part].out
}

// split returns the leaves that have the string that ends with a name, and the
// states after the slash.
func (p *parts) split(out int32) (leaves, states []int32) {
	o := p.outs.at(out)
	return p.lists.at(o[0]), p.lists.at(o[1])
}

// after returns the number of the states after the slash.
func (p *parts) after(out int32) int32 { return p.outs.at(out)[1] }

// same returns what every name that is not empty leads to from a part, if that
// is always the same.
func (p *parts) same(part int32) (out int32, ok bool) {
	p.expand(part)
	steps := p.info[part].steps
	if len(steps) != 1 {
		return 0, false
	}
	to := steps[0].to
	p.expand(to)
	if steps = p.info[to].steps; len(steps) != 1 || steps[0].to != to {
		return 0, false
	}
	return p.info[to].out, true
}

// union returns what all of several names lead to together.
func (p *parts) union(outs []int32) int32 {
	if len(outs) == 1 {
		return outs[0]
	}
	leaves, states := p.united[0][:0], p.united[1][:0]
	for _, o := range outs {
		l, s := p.split(o)
		leaves, states = append(leaves, l...), append(states, s...)
	}
	p.united = [2][]int32{leaves, states}
	return p.outOf(leaves, states)
}

func (p *parts) outOf(leaves, states []int32) int32 {
	slices.Sort(leaves)
	slices.Sort(states)
	pair := [2]int32{p.lists.id(slices.Compact(leaves)), 0}
	pair[1] = p.lists.id(slices.Compact(states))
	return p.outs.id(pair[:])
}
