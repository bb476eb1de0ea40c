package automata

import (
	"cmp"
	"slices"

	"github.com/sandboxc/sbc/verify/regex"
)

// nfa is the automaton of all leaves together. A leaf is a union of sets that
// some list asks about as a whole.
type nfa struct {
	classes
	start  []int32
	states []nfaState
	narrow []narrowArc // of all states, one state after the other
	wide   []wideArc
	lists  [][]int32   // lists of leaves, by number; the first is empty
	masks  []classMask // the sets of wide arcs
	leaves int
}

// nfaState is a state. Its arcs are those from narrow and wide up to those of
// the state after it.
type nfaState struct {
	acc    int32 // the leaves that have the string that ends here
	all    int32 // the leaves that have every string from here on
	reach  int32 // the leaves that may have some string from here on
	narrow int32
	wide   int32
}

// narrowArc is one class of an arc whose set has few of them.
type narrowArc struct {
	class uint8
	to    int32
}

// wideArc is an arc whose set has many classes.
type wideArc struct{ mask, to int32 }

// maxNarrow is how many classes a set may have to be looked at class by class.
const maxNarrow = 4

// finisher turns the trie into the automaton.
type finisher struct {
	*builder
	symbols []symbol
	sets    []regex.Set
	pool    *pool
	states  []nfaState       // narrow is the first of the state's arcs, until they are laid out
	arcs    []stateArc       // the first is none
	closure table            // of each joined node, its state first: those that are reached without reading
	inner   map[uint64]int32 // the first inner state of a symbol before a node
	sinks   map[int32]int32  // states in which leaves are certain, by the list of these
	merge   []int32          // states that may equal another one
	any     int32            // the set of all bytes
	buf     []int32
}

// stateArc is an arc of a state, and where the next one of the state is.
type stateArc struct {
	arc
	next int32
}

// finish returns the automaton, or false if there was no room for it.
func (b *builder) finish(c *Cache, leaves int) (*nfa, bool) {
	symbols, sets, ok := c.load(b.used, &b.room)
	if !ok {
		return nil, false
	}
	f := &finisher{
		builder: b, symbols: symbols, sets: sets, any: anySet, pool: newPool(), inner: map[uint64]int32{}, sinks: map[int32]int32{},
		states: make([]nfaState, 0, 1024), arcs: make([]stateArc, 1, 2048),
	}
	root := f.joinEnds()
	if b.room < 0 {
		return nil, false
	}
	start := f.joinEqual(slices.Clone(f.closure.at(root)))
	n := &nfa{start: start, lists: f.pool.lists(), leaves: leaves}
	f.layOut(n)
	return n, true
}

// kid is a symbol and the joined node that it leads to.
type kid struct{ symbol, node int32 }

// joinEnds makes the states of the trie, ends first, and joins nodes from which
// the same is left. It returns the number of the root among the joined nodes.
func (f *finisher) joinEnds() int32 {
	joined := make([]int32, len(f.nodes))
	var ids table
	var acc, all, key []int32
	var kids []kid
	for i := len(f.nodes) - 1; i >= 0; i-- { // what follows a node was made after it
		acc, all, kids = acc[:0], all[:0], kids[:0]
		for e := f.nodes[i].ends; e != 0; e = f.ends[e].next {
			if f.ends[e].all {
				all = append(all, f.ends[e].leaves...)
			} else {
				acc = append(acc, f.ends[e].leaves...)
			}
		}
		for k := f.nodes[i].kids; k != 0; k = f.nodes[k].next {
			kids = append(kids, kid{f.nodes[k].symbol, joined[k]})
		}
		slices.SortFunc(kids, func(a, b kid) int { return int(a.symbol - b.symbol) }) // each symbol once
		key = append(key[:0], f.pool.id(acc), f.pool.id(all))
		for _, k := range kids {
			key = append(key, k.symbol, k.node)
		}
		id := ids.id(key)
		if int(id) == f.closure.count() {
			f.join(key[0], key[1], kids)
		}
		joined[i] = id
	}
	return joined[0]
}

// join makes the state of a node whose kids have theirs.
func (f *finisher) join(acc, all int32, kids []kid) {
	state := f.state(acc, all)
	closure := []int32{state}
	f.buf = append(append(f.buf[:0], f.pool.at(acc)...), f.pool.at(all)...)
	mergeable := false
	switch { // what is certain stays so, whatever else goes on from here
	case all != 0 && acc == 0 && len(kids) == 0:
		f.arc(state, f.any, state)
	case all != 0:
		f.arc(state, f.any, f.certain(all))
	}
	for _, k := range kids {
		fr := &f.symbols[k.symbol].frag
		if fr.nullable {
			closure = append(closure, f.closure.at(k.node)...)
		}
		f.buf = append(f.buf, f.pool.at(f.reachOf(k.node))...)
		for _, a := range fr.start {
			f.enter(state, k, a)
		}
		mergeable = mergeable || fr.nullable
	}
	if len(closure) > 1 {
		slices.Sort(closure)
		closure = moveFirst(slices.Compact(closure), state)
	}
	f.closure.id(closure) // which is new, for no other one begins with this state
	if acc == 0 && all == 0 && len(kids) == 1 {
		f.states[state].reach = f.reachOf(kids[0].node)
	} else {
		f.states[state].reach = f.pool.id(f.buf)
	}
	if mergeable {
		f.merge = append(f.merge, state)
	}
}

// reachOf returns the leaves that may have some string from a joined node on.
func (f *finisher) reachOf(node int32) int32 { return f.states[f.closure.at(node)[0]].reach }

// certain returns the state in which leaves have every string.
func (f *finisher) certain(all int32) int32 {
	state, ok := f.sinks[all]
	if !ok {
		state = f.state(0, all)
		f.sinks[all] = state
		f.states[state].reach = all
		f.arc(state, f.any, state)
	}
	return state
}

// moveFirst puts x, which the list holds, at its beginning.
func moveFirst(list []int32, x int32) []int32 {
	i := slices.Index(list, x)
	list[0], list[i] = list[i], list[0]
	return list
}

func (f *finisher) state(acc, all int32) int32 {
	f.room--
	f.states = append(f.states, nfaState{acc: acc, all: all})
	return int32(len(f.states) - 1)
}

// arc adds an arc to a state.
func (f *finisher) arc(from, set, to int32) {
	s := &f.states[from]
	f.arcs = append(f.arcs, stateArc{arc{set, to}, s.narrow})
	s.narrow = int32(len(f.arcs) - 1)
}

// enter adds the arcs of a state that go over an arc of a symbol.
func (f *finisher) enter(from int32, k kid, a arc) {
	fr := &f.symbols[k.symbol].frag
	if len(fr.arcs[a.to]) > 0 {
		base, ok := f.inner[uint64(k.symbol)<<32|uint64(k.node)]
		if !ok {
			base = f.innerStates(k)
		}
		f.arc(from, a.set, base+a.to)
	}
	if fr.last[a.to] {
		for _, to := range f.closure.at(k.node) {
			f.arc(from, a.set, to)
		}
	}
}

// innerStates makes the states within a symbol before a node.
func (f *finisher) innerStates(k kid) int32 {
	fr := &f.symbols[k.symbol].frag
	base := int32(len(f.states))
	f.inner[uint64(k.symbol)<<32|uint64(k.node)] = base
	reach := f.reachOf(k.node)
	for range fr.arcs {
		s := f.state(0, 0)
		f.states[s].reach = reach
		f.merge = append(f.merge, s)
	}
	for i, arcs := range fr.arcs {
		for _, a := range arcs {
			f.enter(base+int32(i), k, a)
		}
	}
	return base
}

// joinEqual joins states that go on in the same way, such as the beginning of
// "*" and what stands after each of its bytes. It returns the start, renamed.
func (f *finisher) joinEqual(start []int32) []int32 {
	to := make([]int32, len(f.states)) // of each state, the one that it is joined with
	for s := range to {
		to[s] = int32(s)
	}
	var arcs []arc
	var key []int32
	for range 2 {
		var ids table
		first := make([]int32, 0, len(f.merge)) // of each key
		kept := f.merge[:0]
		for _, s := range f.merge {
			arcs = arcs[:0]
			for a := f.states[s].narrow; a != 0; a = f.arcs[a].next {
				arcs = append(arcs, f.arcs[a].arc)
			}
			slices.SortFunc(arcs, arc.compare)
			key = append(key[:0], f.states[s].acc, f.states[s].all)
			for _, a := range slices.Compact(arcs) {
				key = append(key, a.set, a.to)
			}
			if id := ids.id(key); int(id) < len(first) {
				to[s] = first[id]
			} else {
				first = append(first, s)
				kept = append(kept, s)
			}
		}
		if len(kept) == len(f.merge) {
			break
		}
		f.merge = kept
		for i := range f.arcs {
			f.arcs[i].to = to[f.arcs[i].to]
		}
	}
	for i, s := range start {
		start[i] = to[to[s]] // what one round joined the other may have joined again
	}
	slices.Sort(start)
	return slices.Compact(start)
}

func (a arc) compare(b arc) int {
	return cmp.Or(int(a.set-b.set), int(a.to-b.to))
}

// layOut lays the arcs out by classes.
func (f *finisher) layOut(n *nfa) {
	var used []regex.Set
	n.masks = make([]classMask, len(f.sets))
	seen := make([]bool, len(f.sets))
	for _, a := range f.arcs[1:] {
		if !seen[a.set] {
			seen[a.set] = true
			used = append(used, f.sets[a.set])
		}
	}
	n.classes = newClasses(append(used, regex.Bytes('/'))) // so that no class mixes the slash with others
	for i, s := range f.sets {
		if seen[i] {
			n.masks[i] = n.mask(s)
		}
	}
	n.narrow = make([]narrowArc, 0, len(f.arcs))
	n.states = append(f.states, nfaState{})
	var arcs []arc
	for s := range f.states {
		st := &n.states[s]
		arcs = arcs[:0]
		for a := st.narrow; a != 0; a = f.arcs[a].next {
			arcs = append(arcs, f.arcs[a].arc)
		}
		slices.SortFunc(arcs, arc.compare)
		st.narrow, st.wide = int32(len(n.narrow)), int32(len(n.wide))
		for _, a := range slices.Compact(arcs) {
			m := &n.masks[a.set]
			if m.count() > maxNarrow {
				n.wide = append(n.wide, wideArc{a.set, a.to})
				continue
			}
			for c := m.next(0); c >= 0; c = m.next(c + 1) {
				n.narrow = append(n.narrow, narrowArc{uint8(c), a.to})
			}
		}
	}
	n.states[len(f.states)].narrow, n.states[len(f.states)].wide = int32(len(n.narrow)), int32(len(n.wide))
}
