package automata

import "slices"

// names is what the automaton of all leaves does within one segment of a path,
// up to the next slash. It knows nothing of lists, so that all places of a walk
// share it. Its states are made while the walk goes on.
//
// Each state of the automaton in which a segment can start is followed alone,
// as a part; a state of names is the parts that still tell names apart. Many
// parts do not, those of "**" above all: they go on in the same way whatever
// the name is, and so do not multiply the states.
type names struct {
	parts  *parts
	states table // sorted lists of parts
	info   []nameState
	menus  map[int32][]choice // of states that a segment starts in
	sets   table              // sets of states of the automaton between segments
	full   map[int32][]choice // the menus of those
	seen   []uint32
	visit  uint32
	max    int
	// choices is how many are in menus and full.
	choices int

	// Buffers of kinds and expand.
	outSeen  []uint32
	queue    []reached
	word     []byte
	levels   [2]level
	steps    []nameStep
	of, outs []int32
}

// nameState is a state of names. It is expanded when it is first looked at.
type nameState struct {
	expanded bool
	out      int32 // for a name that ends here
	steps    []nameStep
}

// nameStep goes to a state by any byte of some classes.
type nameStep struct {
	by classMask
	to int32
}

// choice is a kind of name that a place tells apart from others.
type choice struct {
	out  int32
	word string // the first of the shortest names of the kind
}

func newNames(n *nfa, limit int) *names {
	return &names{parts: newParts(n), menus: map[int32][]choice{}, full: map[int32][]choice{}, max: limit}
}

// count returns how many states there are.
func (n *names) count() int { return n.parts.sets.count() + n.states.count() }

// start returns the number of a set of states of the automaton.
func (n *names) start(states []int32) int32 { return n.sets.id(states) }

// place is where a segment starts: the set of states of the automaton that are
// live there, taken apart.
type place struct {
	state  int32 // of names: the parts that tell names apart
	empty  int32 // what the empty name leads to
	always int32 // what every other name leads to, besides what state says
}

// place takes a set apart.
func (n *names) place(set int32) place {
	var telling, empty, same []int32
	for _, s := range n.sets.at(set) {
		part := n.parts.set([]int32{s})
		empty = append(empty, n.parts.out(part))
		if out, ok := n.parts.same(part); ok {
			same = append(same, out)
		} else {
			telling = append(telling, part)
		}
	}
	slices.Sort(telling)
	return place{n.state(telling), n.parts.union(empty), n.parts.union(same)}
}

// menu returns the kinds of names that a set of states of the automaton tells
// apart, or false if there is no room. The empty name is one of them.
func (n *names) menu(set int32) (m []choice, ok bool) {
	if m, ok = n.full[set]; ok {
		return m, true
	}
	p := n.place(set)
	kinds, ok := n.kinds(p.state)
	if !ok {
		return nil, false
	}
	m = append(make([]choice, 0, len(kinds)+1), choice{out: p.empty})
	n.visit++
	n.first(p.empty)
	for _, c := range kinds {
		c.out = n.parts.union([]int32{p.always, c.out})
		if n.first(c.out) {
			m = append(m, c)
		}
	}
	n.remember(n.full, set, m)
	return m, true
}

// maxChoices is how many choices are remembered before all are forgotten.
const maxChoices = 1 << 18

func (n *names) remember(in map[int32][]choice, of int32, m []choice) {
	if n.choices += len(m); n.choices > maxChoices {
		clear(n.full)
		clear(n.menus)
		n.choices = len(m)
	}
	in[of] = m
}

// state returns the number of a sorted list of parts.
func (n *names) state(of []int32) int32 {
	id := n.states.id(of)
	if int(id) == len(n.info) {
		n.info = append(n.info, nameState{})
		n.seen = append(n.seen, 0)
	}
	return id
}

// kinds returns the kinds of names, not empty, that a state tells apart.
func (n *names) kinds(from int32) (m []choice, ok bool) {
	if m, ok = n.menus[from]; ok {
		return m, true
	}
	n.visit++
	queue := append(n.queue[:0], reached{state: from, from: -1})
	for i := 0; i < len(queue); i++ {
		s := queue[i].state
		n.expand(s)
		if n.count() > n.max || len(n.states.cells)+len(n.parts.sets.cells) > 64*n.max+1<<16 {
			return nil, false
		}
		if out := n.info[s].out; i > 0 && n.first(out) {
			word := n.word[:0]
			for k := int32(i); queue[k].from >= 0; k = queue[k].from {
				word = append(word, queue[k].by)
			}
			slices.Reverse(word)
			m = append(m, choice{out, string(word)})
			n.word = word
		}
		for _, step := range n.info[s].steps {
			if n.seen[step.to] != n.visit {
				n.seen[step.to] = n.visit
				queue = append(queue, reached{step.to, int32(i), n.parts.bytes[step.by.next(0)]})
			}
		}
	}
	n.queue = queue
	n.remember(n.menus, from, m)
	return m, true
}

// reached is a state in the order in which kinds comes to them.
type reached struct {
	state int32
	from  int32 // index of the one before
	by    byte
}

// first reports whether nothing has led to out since the last visit began.
func (n *names) first(out int32) bool {
	for int(out) >= len(n.outSeen) {
		n.outSeen = append(n.outSeen, 0)
	}
	old := n.outSeen[out]
	n.outSeen[out] = n.visit
	return old != n.visit
}

// branch is a set of bytes, and what the parts of a state go to by them: a piece of
// the targets of its level.
type branch struct {
	by       classMask
	from, to int
}

// level is the branches of the first parts of a state. Its buffers are used again.
type level struct {
	branches []branch
	targets  []int32
}

// add adds a branch with the targets of another one and, if it is not dead, one
// more.
func (l *level) add(by classMask, targets []int32, part int32, dead bool) {
	from := len(l.targets)
	l.targets = append(l.targets, targets...)
	if !dead {
		l.targets = append(l.targets, part)
	}
	l.branches = append(l.branches, branch{by, from, len(l.targets)})
}

func (l *level) reset() { l.branches, l.targets = l.branches[:0], l.targets[:0] }

// expand takes every step from a state: of those of its parts, whatever bytes
// they all treat alike.
func (n *names) expand(state int32) {
	if n.info[state].expanded {
		return
	}
	n.of = append(n.of[:0], n.states.at(state)...)
	now, next := &n.levels[0], &n.levels[1]
	now.reset()
	now.branches = append(now.branches, branch{by: n.parts.fan.name})
	n.outs = n.outs[:0]
	for _, part := range n.of {
		n.outs = append(n.outs, n.parts.out(part))
		next.reset()
		for _, w := range now.branches {
			for _, s := range n.parts.info[part].steps {
				if by := w.by.and(s.by); by != (classMask{}) {
					next.add(by, now.targets[w.from:w.to], s.to, n.parts.dead(s.to))
				}
			}
		}
		now, next = next, now
	}
	steps := n.steps[:0]
	for _, w := range now.branches {
		targets := now.targets[w.from:w.to]
		slices.Sort(targets)
		steps = addStep(steps, w.by, n.state(slices.Compact(targets)))
	}
	slices.SortFunc(steps, func(a, b nameStep) int { return a.by.next(0) - b.by.next(0) })
	n.info[state] = nameState{expanded: true, out: n.parts.union(n.outs), steps: slices.Clone(steps)}
	n.steps = steps
}

// addStep adds a step to those that lead elsewhere, or its classes to one that
// leads to the same state.
func addStep(steps []nameStep, by classMask, to int32) []nameStep {
	for i := range steps {
		if steps[i].to == to {
			steps[i].by = steps[i].by.or(by)
			return steps
		}
	}
	return append(steps, nameStep{by, to})
}
