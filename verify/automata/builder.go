package automata

import (
	"encoding/binary"
	"slices"

	"github.com/sandboxc/sbc/verify/regex"
)

// builder collects sequences in a trie whose edges are elements. Equal
// beginnings become one path of it; finish also joins equal ends.
type builder struct {
	room int // how many more states may be made

	sets  []regex.Set
	setID map[regex.Set]int32

	frags     []frag
	fragID    map[string]int32
	setFrag   map[int32]int32  // of the elements that are one set
	byteFrags [2][256]int32    // of literal bytes, as they are and folded; 0 is none yet
	nodes     []trieNode       // the first is the root
	edges     map[uint64]int32 // from a node, with a fragment, to a node
}

// trieNode is a place in the trie: after the elements that lead to it.
type trieNode struct {
	acc  []int32 // leaves that have the string that ends here
	all  []int32 // leaves that have every string that goes on from here
	kids []kid
}

type kid struct{ frag, node int32 }

func newBuilder(room int) *builder {
	b := &builder{
		room: room, setID: map[regex.Set]int32{}, fragID: map[string]int32{}, setFrag: map[int32]int32{}, edges: map[uint64]int32{},
		frags: make([]frag, 1), // so that no fragment is 0
		nodes: make([]trieNode, 1),
	}
	return b
}

// grow takes room for n states, and reports false if there is none.
func (b *builder) grow(n int) bool {
	b.room -= n
	return b.room >= 0
}

// set returns the number of a set of bytes.
func (b *builder) set(s regex.Set) int32 {
	id, ok := b.setID[s]
	if !ok {
		id = int32(len(b.sets))
		b.sets = append(b.sets, s)
		b.setID[s] = id
	}
	return id
}

// add adds a sequence for the leaves.
func (b *builder) add(s seq, leaves []int32) {
	at := int32(0)
	for i := range s.elems {
		switch e := &s.elems[i]; {
		case e.text != "":
			for j := range len(e.text) {
				at = b.step(at, b.byteFrag(0, e.text[j]))
			}
		case e.fold != "":
			for j := range len(e.fold) {
				at = b.step(at, b.byteFrag(1, e.fold[j]))
			}
		case e.odd != nil:
			at = b.step(at, b.keyFrag("o"+e.odd.key, func() frag { return e.odd.frag(b) }))
		default:
			if set, ok := e.node.(regex.Set); ok {
				at = b.step(at, b.oneSet(set))
			} else {
				at = b.step(at, b.keyFrag(string(appendKey([]byte("n"), e.node)), func() frag { return b.nodeFrag(e.node) }))
			}
		}
	}
	if s.all {
		b.nodes[at].all = append(b.nodes[at].all, leaves...)
	} else {
		b.nodes[at].acc = append(b.nodes[at].acc, leaves...)
	}
}

// step returns the node that is reached over an element.
func (b *builder) step(from, frag int32) int32 {
	key := uint64(from)<<32 | uint64(frag)
	to, ok := b.edges[key]
	if !ok {
		b.grow(1)
		to = int32(len(b.nodes))
		b.nodes = append(b.nodes, trieNode{})
		b.edges[key] = to
		b.nodes[from].kids = append(b.nodes[from].kids, kid{frag, to})
	}
	return to
}

func (b *builder) byteFrag(fold int, c byte) int32 {
	id := &b.byteFrags[fold][c]
	if *id == 0 {
		set := regex.Bytes(c)
		if fold == 1 {
			set = foldedByte(c)
		}
		*id = b.oneSet(set)
	}
	return *id
}

// oneSet returns the fragment that reads one byte of the set.
func (b *builder) oneSet(s regex.Set) int32 {
	set := b.set(s)
	id, ok := b.setFrag[set]
	if !ok {
		id = int32(len(b.frags))
		b.frags = append(b.frags, frag{start: []arc{{set, 0}}, arcs: [][]arc{nil}, last: []bool{true}})
		b.setFrag[set] = id
	}
	return id
}

func (b *builder) keyFrag(key string, build func() frag) int32 {
	id, ok := b.fragID[key]
	if !ok {
		f := build()
		id = int32(len(b.frags))
		b.frags = append(b.frags, f)
		b.fragID[key] = id
	}
	return id
}

// appendKey writes an expression so that no two are written alike.
func appendKey(k []byte, n regex.Node) []byte {
	list := func(open byte, parts []regex.Node) []byte {
		k = append(k, open)
		for _, x := range parts {
			k = appendKey(k, x)
		}
		return append(k, ')')
	}
	switch n := n.(type) {
	case regex.Empty:
		return append(k, 'e')
	case regex.Never:
		return append(k, 'x')
	case regex.Set:
		k = append(k, 's')
		for _, w := range n {
			k = binary.LittleEndian.AppendUint64(k, w)
		}
		return k
	case regex.Concat:
		return list('(', n)
	case regex.Alt:
		return list('|', n)
	case regex.Repeat:
		k = append(k, 'r')
		k = binary.LittleEndian.AppendUint32(k, uint32(n.Min))
		k = binary.LittleEndian.AppendUint32(k, uint32(n.Max))
		return appendKey(k, n.Node)
	case regex.Begin:
		return append(k, '^')
	case regex.End:
		return append(k, '$')
	}
	return k
}

// pool keeps sorted lists of numbers once each. The list 0 is the empty one.
type pool struct {
	lists [][]int32
	ids   map[string]int32
	key   []byte
}

func newPool() *pool {
	return &pool{lists: [][]int32{nil}, ids: map[string]int32{"": 0}}
}

// id returns the number of the list, which it sorts and may keep.
func (p *pool) id(list []int32) int32 {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	list = slices.Compact(list)
	p.key = p.key[:0]
	for _, x := range list {
		p.key = binary.LittleEndian.AppendUint32(p.key, uint32(x))
	}
	id, ok := p.ids[string(p.key)]
	if !ok {
		id = int32(len(p.lists))
		p.lists = append(p.lists, list)
		p.ids[string(p.key)] = id
	}
	return id
}
