package automata

import "slices"

// builder collects sequences in a trie whose edges are symbols. Equal beginnings
// become one path of it; finish also joins equal ends.
type builder struct {
	room  int // how many more states may be made
	used  []bool
	nodes []trieNode // the first is the root; what follows a node comes after it
	ends  []trieEnd
}

// trieNode is a place in the trie: after the elements that lead to it. Links are
// 0 if there is nothing.
type trieNode struct {
	symbol int32 // that leads here from the node before
	next   int32 // another node after the same one
	kids   int32 // the node after this one that came last
	ends   int32 // what ends here
}

// trieEnd is leaves that have the string that ends at a node or, if all is set,
// every string that goes on from there.
type trieEnd struct {
	leaves []int32
	all    bool
	next   int32
}

func newBuilder(room int) *builder {
	return &builder{room: room, nodes: make([]trieNode, 1, 64), ends: make([]trieEnd, 1, 8)}
}

// add adds a sequence for the leaves: symbols, and then 1 if anything may follow.
func (b *builder) add(seq, leaves []int32) {
	at := int32(0)
	last := len(seq) - 1
	for _, symbol := range seq[:last] {
		at = b.step(at, symbol)
	}
	b.ends = append(b.ends, trieEnd{leaves, seq[last] == 1, b.nodes[at].ends})
	b.nodes[at].ends = int32(len(b.ends) - 1)
}

// step returns the node that is reached over a symbol.
func (b *builder) step(from, symbol int32) int32 {
	for k := b.nodes[from].kids; k != 0; k = b.nodes[k].next {
		if b.nodes[k].symbol == symbol {
			return k
		}
	}
	b.room--
	b.use(symbol)
	to := int32(len(b.nodes))
	b.nodes = append(b.nodes, trieNode{symbol: symbol, next: b.nodes[from].kids})
	b.nodes[from].kids = to
	return to
}

// use takes note of a symbol.
func (b *builder) use(symbol int32) {
	if n := int(symbol) + 1 - len(b.used); n > 0 {
		b.used = append(b.used, make([]bool, n)...)
	}
	b.used[symbol] = true
}

// pool keeps sorted lists of numbers once each. The list 0 is the empty one.
type pool struct{ table }

func newPool() *pool {
	p := &pool{}
	p.table.id(nil)
	return p
}

// id returns the number of the list, which it sorts.
func (p *pool) id(list []int32) int32 {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return p.table.id(slices.Compact(list))
}

// lists returns all lists, which do not change any more.
func (p *pool) lists() [][]int32 {
	out := make([][]int32, p.count())
	for i := range out {
		out[i] = p.at(int32(i))
	}
	return out
}
