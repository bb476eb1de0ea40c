package automata

import (
	"encoding/binary"
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
	pool    *pool
	acc     []int32 // of each state, as in nfaState
	all     []int32
	reach   []int32
	arcs    [][]arc // to is a state
	closure [][]int32
	inner   map[uint64]int32 // the first inner state of a fragment before a node
	sinks   map[int32]int32  // states in which leaves are certain, by the list of these
	merge   []int32          // states that may equal another one
	slash   int32            // the set of the slash alone, so that no class mixes it with others
	any     int32            // the set of all bytes
}

// finish returns the automaton, or false if there was no room for it.
func (b *builder) finish(leaves int) (*nfa, bool) {
	f := &finisher{builder: b, pool: newPool(), inner: map[uint64]int32{}, sinks: map[int32]int32{}}
	f.slash = f.set(regex.Bytes('/'))
	f.any = f.set(anyByte())
	root := f.joinEnds()
	if b.room < 0 {
		return nil, false
	}
	start := f.joinEqual(f.closure[root])
	n := &nfa{classes: newClasses(b.sets), start: start, lists: f.pool.lists, leaves: leaves}
	f.compile(n)
	return n, true
}

// joinEnds makes the states of the trie, ends first, and joins nodes from which
// the same is left. It returns the number of the root among the joined nodes.
func (f *finisher) joinEnds() int32 {
	joined := make([]int32, len(f.nodes))
	ids := make(map[string]int32, len(f.nodes))
	var key []byte
	for i := len(f.nodes) - 1; i >= 0; i-- { // what follows a node was made after it
		n := &f.nodes[i]
		for j := range n.kids {
			n.kids[j].node = joined[n.kids[j].node]
		}
		slices.SortFunc(n.kids, func(a, b kid) int {
			if a.frag != b.frag {
				return int(a.frag - b.frag)
			}
			return int(a.node - b.node)
		})
		acc, all := f.pool.id(n.acc), f.pool.id(n.all)
		key = binary.LittleEndian.AppendUint32(key[:0], uint32(acc))
		key = binary.LittleEndian.AppendUint32(key, uint32(all))
		for _, k := range n.kids {
			key = binary.LittleEndian.AppendUint32(key, uint32(k.frag))
			key = binary.LittleEndian.AppendUint32(key, uint32(k.node))
		}
		id, ok := ids[string(key)]
		if !ok {
			id = int32(len(f.closure))
			ids[string(key)] = id
			f.join(acc, all, n.kids)
		}
		joined[i] = id
	}
	return joined[0]
}

// join makes the state of a node whose kids have theirs.
func (f *finisher) join(acc, all int32, kids []kid) {
	state := int32(len(f.arcs))
	closure := []int32{state}
	reach := slices.Concat(f.pool.lists[acc], f.pool.lists[all])
	mergeable := false
	f.state(acc, all)
	switch { // what is certain stays so, whatever else goes on from here
	case all != 0 && acc == 0 && len(kids) == 0:
		f.arcs[state] = append(f.arcs[state], arc{f.any, state})
	case all != 0:
		f.arcs[state] = append(f.arcs[state], arc{f.any, f.certain(all)})
	}
	for _, k := range kids {
		fr := &f.frags[k.frag]
		if fr.nullable {
			closure = append(closure, f.closure[k.node]...)
		}
		reach = append(reach, f.pool.lists[f.reach[f.closure[k.node][0]]]...)
		for _, a := range fr.start {
			f.enter(state, k, a)
		}
		mergeable = mergeable || fr.nullable
	}
	slices.Sort(closure)
	f.closure = append(f.closure, moveFirst(slices.Compact(closure), state))
	if acc == 0 && all == 0 && len(kids) == 1 {
		f.reach[state] = f.reach[f.closure[kids[0].node][0]]
	} else {
		f.reach[state] = f.pool.id(reach)
	}
	if mergeable {
		f.merge = append(f.merge, state)
	}
}

// certain returns the state in which leaves have every string.
func (f *finisher) certain(all int32) int32 {
	state, ok := f.sinks[all]
	if !ok {
		state = f.state(0, all)
		f.sinks[all] = state
		f.reach[state] = all
		f.arcs[state] = []arc{{f.any, state}}
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
	f.grow(1)
	f.acc = append(f.acc, acc)
	f.all = append(f.all, all)
	f.reach = append(f.reach, 0)
	f.arcs = append(f.arcs, nil)
	return int32(len(f.arcs) - 1)
}

// enter adds the arcs of a state that go over an arc of a fragment.
func (f *finisher) enter(from int32, k kid, a arc) {
	fr := &f.frags[k.frag]
	if len(fr.arcs[a.to]) > 0 {
		base, ok := f.inner[uint64(k.frag)<<32|uint64(k.node)]
		if !ok {
			base = f.innerStates(k)
		}
		f.arcs[from] = append(f.arcs[from], arc{a.set, base + a.to})
	}
	if fr.last[a.to] {
		for _, to := range f.closure[k.node] {
			f.arcs[from] = append(f.arcs[from], arc{a.set, to})
		}
	}
}

// innerStates makes the states within a fragment before a node.
func (f *finisher) innerStates(k kid) int32 {
	fr := &f.frags[k.frag]
	base := int32(len(f.arcs))
	f.inner[uint64(k.frag)<<32|uint64(k.node)] = base
	reach := f.reach[f.closure[k.node][0]]
	for range fr.arcs {
		s := f.state(0, 0)
		f.reach[s] = reach
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
	for range 2 {
		renamed := map[int32]int32{}
		ids := map[string]int32{}
		var key []byte
		for _, s := range f.merge {
			slices.SortFunc(f.arcs[s], func(a, b arc) int {
				if a.set != b.set {
					return int(a.set - b.set)
				}
				return int(a.to - b.to)
			})
			f.arcs[s] = slices.Compact(f.arcs[s])
			key = binary.LittleEndian.AppendUint32(key[:0], uint32(f.acc[s]))
			key = binary.LittleEndian.AppendUint32(key, uint32(f.all[s]))
			for _, a := range f.arcs[s] {
				key = binary.LittleEndian.AppendUint32(key, uint32(a.set))
				key = binary.LittleEndian.AppendUint32(key, uint32(a.to))
			}
			if first, ok := ids[string(key)]; ok {
				renamed[s] = first
			} else {
				ids[string(key)] = s
			}
		}
		if len(renamed) == 0 {
			break
		}
		f.merge = slices.DeleteFunc(f.merge, func(s int32) bool { _, gone := renamed[s]; return gone })
		for s := range f.arcs {
			for i, a := range f.arcs[s] {
				if to, ok := renamed[a.to]; ok {
					f.arcs[s][i].to = to
				}
			}
		}
		start = slices.Clone(start)
		for i, s := range start {
			if to, ok := renamed[s]; ok {
				start[i] = to
			}
		}
	}
	slices.Sort(start)
	return slices.Compact(start)
}

// compile lays the arcs out by classes.
func (f *finisher) compile(n *nfa) {
	masks := make([]classMask, len(f.sets))
	for i, s := range f.sets {
		masks[i] = n.mask(s)
	}
	n.masks = masks
	n.states = make([]nfaState, len(f.arcs)+1)
	for s, arcs := range f.arcs {
		n.states[s] = nfaState{acc: f.acc[s], all: f.all[s], reach: f.reach[s], narrow: int32(len(n.narrow)), wide: int32(len(n.wide))}
		for _, a := range arcs {
			m := masks[a.set]
			if m.count() > maxNarrow {
				n.wide = append(n.wide, wideArc{a.set, a.to})
				continue
			}
			for c := m.next(0); c >= 0; c = m.next(c + 1) {
				n.narrow = append(n.narrow, narrowArc{uint8(c), a.to})
			}
		}
	}
	n.states[len(f.arcs)] = nfaState{narrow: int32(len(n.narrow)), wide: int32(len(n.wide))}
}
