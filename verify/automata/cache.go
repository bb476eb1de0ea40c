package automata

import (
	"encoding/binary"
	"slices"
	"sync"

	"github.com/sandboxc/sbc/verify/regex"
)

// Cache keeps what several walks have in common: the sequences of sets, and the
// automata of their elements. It also tells which sets are equal because they
// are made of the same sequences. It is safe for concurrent use; what it keeps
// grows with the different sets that it is asked about.
type Cache struct {
	mu sync.Mutex

	sets  []regex.Set
	setID map[regex.Set]int32

	symbols     []symbol // the first is none
	setSymbol   []int32  // of the elements that are one set, by its number; 0 is none yet
	keySymbol   map[string]int32
	segments    int32         // the symbol of anySegments
	byteSymbols [2][256]int32 // of literal bytes, as they are and folded; 0 is none yet

	seqs  table              // the symbols of a sequence, and then 1 if anything may follow, or 0
	langs map[string]int32   // by key, the number of the set's sequences
	lists table              // ascending numbers of sequences
	forms table              // see Form
	tries map[int32]*builder // of unions of sequences, by their numbers in forms

	key  []byte
	row  []int32
	word []int32
}

// symbol is an element that is read as a whole. Its automaton is made when it is
// first needed.
type symbol struct {
	node regex.Node  // what it is, until it is made
	odd  *oddSegment // or this
	made bool
	frag frag
	cost int // how many states it took to make frag, which may have fewer
}

// NewCache returns an empty cache.
func NewCache() *Cache {
	c := &Cache{setID: map[regex.Set]int32{}, symbols: make([]symbol, 1), keySymbol: map[string]int32{}, langs: map[string]int32{}, tries: map[int32]*builder{}}
	c.lists.id(nil)    // noLang
	c.set(regex.Any()) // anySet
	c.segments = c.nodeSymbol(anySegments())
	return c
}

const (
	noLang = 0 // the number of the set without sequences
	anySet = 0 // the number of the set of all bytes
)

// set returns the number of a set of bytes.
func (c *Cache) set(s regex.Set) int32 {
	id, ok := c.setID[s]
	if !ok {
		id = int32(len(c.sets))
		c.sets = append(c.sets, s)
		c.setSymbol = append(c.setSymbol, 0)
		c.setID[s] = id
	}
	return id
}

// lang returns the number of a set. Equal numbers are equal sets, and noLang is
// the empty one.
func (c *Cache) lang(l Lang) int32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.langOf(l)
}

func (c *Cache) langOf(l Lang) int32 {
	if l.seqs == nil {
		return noLang
	}
	id, ok := c.langs[l.key]
	if !ok {
		var list []int32
		for _, s := range l.seqs() {
			list = append(list, c.seq(s))
		}
		slices.Sort(list)
		id = c.lists.id(slices.Compact(list))
		c.langs[l.key] = id
	}
	return id
}

// seq returns the number of a sequence.
func (c *Cache) seq(s seq) int32 {
	c.row = c.row[:0]
	for i := range s.elems {
		switch e := &s.elems[i]; {
		case e.text != "":
			for j := range len(e.text) {
				c.row = append(c.row, c.byteSymbol(0, e.text[j]))
			}
		case e.fold != "":
			for j := range len(e.fold) {
				c.row = append(c.row, c.byteSymbol(1, e.fold[j]))
			}
		case e.odd != nil:
			c.key = append(append(c.key[:0], 'o'), e.odd.key...)
			c.row = append(c.row, c.symbol(symbol{odd: e.odd}))
		default:
			c.row = append(c.row, c.nodeSymbol(e.node))
		}
	}
	last := int32(0)
	if s.all {
		last = 1
	}
	c.row = append(c.row, last)
	return c.seqs.id(c.row)
}

func (c *Cache) byteSymbol(fold int, b byte) int32 {
	id := &c.byteSymbols[fold][b]
	if *id == 0 {
		set := regex.Bytes(b)
		if fold == 1 {
			set = foldedByte(b)
		}
		*id = c.oneSet(set)
	}
	return *id
}

func (c *Cache) nodeSymbol(n regex.Node) int32 {
	if set, ok := n.(regex.Set); ok {
		return c.oneSet(set)
	}
	c.key = appendKey(append(c.key[:0], 'n'), n)
	return c.symbol(symbol{node: n})
}

// oneSet returns the symbol that reads one byte of the set.
func (c *Cache) oneSet(s regex.Set) int32 {
	set := c.set(s)
	if c.setSymbol[set] == 0 {
		c.setSymbol[set] = int32(len(c.symbols))
		c.symbols = append(c.symbols, symbol{made: true, frag: frag{start: []arc{{set, 0}}, arcs: [][]arc{nil}, last: []bool{true}}})
	}
	return c.setSymbol[set]
}

// symbol returns the number of the symbol that is named by key.
func (c *Cache) symbol(s symbol) int32 {
	id, ok := c.keySymbol[string(c.key)]
	if !ok {
		id = int32(len(c.symbols))
		c.symbols = append(c.symbols, s)
		c.keySymbol[string(c.key)] = id
	}
	return id
}

// sequences returns the rows of the sequences of each of the sets.
func (c *Cache) sequences(langs []int32) [][][]int32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	out := make([][][]int32, len(langs))
	for i, l := range langs {
		ids := c.lists.at(l)
		out[i] = make([][]int32, len(ids))
		for k, s := range ids {
			out[i][k] = c.seqs.at(s)
		}
	}
	return out
}

// load makes the automata of the symbols that are used, and returns all symbols
// and sets. As far as these are used they do not change any more. It reports
// false if that takes more than room states.
func (c *Cache) load(used []bool, room *int) (symbols []symbol, sets []regex.Set, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, u := range used {
		if !u {
			continue
		}
		s := &c.symbols[id]
		if !s.made {
			m := fragMaker{cache: c, room: *room}
			f := m.frag(s)
			if m.room < 0 { // the automaton may lack states
				return nil, nil, false
			}
			s.frag, s.cost, s.made = f, *room-m.room, true
		}
		if *room -= s.cost; *room < 0 {
			return nil, nil, false
		}
	}
	return c.symbols, c.sets, true
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
