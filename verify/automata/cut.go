package automata

import (
	"slices"

	"github.com/sandboxc/sbc/verify/regex"
)

// maxCut is how many sequences one may be cut to. Names that may lie anywhere are
// cut to one for each path of the trie.
const maxCut = 256

// cut returns sequences that together are what a sequence has in common with
// those of a trie, or false if that takes more than reading both side by side, or
// more than maxCut.
func (c *Cache) cut(seq int32, trie *builder) (out []int32, ok bool) {
	k := cutter{cache: c, trie: trie, seq: c.seqs.at(seq), word: c.word[:0]}
	k.from(0, spots{n: 1})
	c.word = k.word
	return k.out, !k.failed
}

// cutter reads a sequence and a trie side by side, one byte after the other.
type cutter struct {
	cache  *Cache
	trie   *builder
	seq    []int32
	word   []int32 // the symbols that have been read
	out    []int32
	failed bool
}

// spot is a place in a sequence: before one of its symbols, or within it if that
// is the one of any segments.
type spot struct {
	at int32
	in within
}

// spots are a few different spots.
type spots struct {
	list [6]spot
	n    int
}

func (s *spots) all() []spot { return s.list[:s.n] }

// add adds a spot, or reports false if there is no room.
func (s *spots) add(x spot) bool {
	if slices.Contains(s.all(), x) {
		return true
	}
	if s.n == len(s.list) {
		return false
	}
	s.list[s.n] = x
	s.n++
	return true
}

// within says how much of a segment has been read.
type within uint8

const (
	before within = iota
	afterSlash
	inName
)

// from goes on from a node of the trie. The spots are where the sequence can be
// after what has been read, but for those that are reached without reading.
func (k *cutter) from(node int32, at spots) {
	end, all := k.ending(node)
	one, first := at.n == 1, at.list[0]
	rest := k.seq[first.at:]
	if all { // the trie has whatever goes on from here
		if one && first.in == before {
			k.keep(rest)
		} else {
			k.failed = true
		}
		return
	}
	slash := int32(0) // where a slash leads to, if that is settled here
	if end && one && first.in != afterSlash && k.startsSegment(rest) {
		// Of what follows the trie has nothing and all that starts with a slash. For
		// that, a name that has been read is as good as the beginning of the symbol.
		slash = k.beneath(node)
	}
	k.reach(&at)
	switch last := len(k.seq) - 1; {
	case k.failed:
		return
	case slash != 0:
		k.keep(rest)
	case !slices.Contains(at.all(), spot{at: int32(last)}):
	case k.seq[last] == 1:
		k.failed = true // the sequence has whatever goes on from here
		return
	case end:
		k.keep(k.seq[last:])
	}
	for n := k.trie.nodes[node].kids; n != 0 && !k.failed; n = k.trie.nodes[n].next {
		if n != slash {
			k.step(n, &at)
		}
	}
}

// keep adds what has been read, and then the rest.
func (k *cutter) keep(rest []int32) {
	if len(k.out) == maxCut {
		k.failed = true
		return
	}
	k.out = append(k.out, k.cache.seqs.id(slices.Concat(k.word, rest)))
}

// ending reports whether a string of the trie ends at a node, and whether every
// string that goes on from there is in it.
func (k *cutter) ending(node int32) (end, all bool) {
	for e := k.trie.nodes[node].ends; e != 0; e = k.trie.ends[e].next {
		end, all = end || !k.trie.ends[e].all, all || k.trie.ends[e].all
	}
	return end, all
}

// beneath returns the node after a slash if the trie has everything that goes on
// from there; 0 if not.
func (k *cutter) beneath(node int32) int32 {
	for n := k.trie.nodes[node].kids; n != 0; n = k.trie.nodes[n].next {
		if _, all := k.ending(n); all && k.trie.nodes[n].symbol == k.cache.byteSymbol(0, '/') {
			return n
		}
	}
	return 0
}

// startsSegment reports whether all strings of the end of a sequence are empty or
// start with a slash.
func (k *cutter) startsSegment(rest []int32) bool {
	last := len(rest) - 1
	for _, symbol := range rest[:last] {
		if symbol != k.cache.segments {
			return symbol == k.cache.byteSymbol(0, '/')
		}
	}
	return rest[last] == 0
}

// reach adds the spots that are reached without reading.
func (k *cutter) reach(at *spots) {
	for i := 0; i < at.n; i++ {
		s := at.list[i]
		if int(s.at) == len(k.seq)-1 {
			continue
		}
		switch symbol := k.seq[s.at]; {
		case symbol != k.cache.segments:
			k.failed = k.failed || !k.isSet(symbol)
		case s.in != afterSlash:
			k.failed = !at.add(spot{at: s.at + 1}) || k.failed
		}
	}
}

// step reads the byte that leads to a node of the trie, and goes on from there. If
// the sequence can read only some of the bytes, or not in the same way, only one
// move may be left.
func (k *cutter) step(node int32, at *spots) {
	symbol := k.trie.nodes[node].symbol
	if !k.isSet(symbol) {
		k.failed = true
		return
	}
	trie := k.set(symbol)
	by, count, partly := trie, 0, false
	var next spots
	move := func(reads regex.Set, to spot) {
		if both := intersect(trie, reads); both != (regex.Set{}) {
			by, count, partly = both, count+1, partly || both != trie
			k.failed = !next.add(to) || k.failed
		}
	}
	for _, s := range at.all() {
		switch symbol := k.seq[s.at]; {
		case int(s.at) == len(k.seq)-1:
		case symbol != k.cache.segments:
			move(k.set(symbol), spot{at: s.at + 1})
		default:
			if s.in != afterSlash {
				move(regex.Bytes('/'), spot{s.at, afterSlash})
			}
			if s.in != before {
				move(notSlash(), spot{s.at, inName})
			}
		}
	}
	if k.failed = k.failed || count > 1 && partly; k.failed || count == 0 {
		return
	}
	k.word = append(k.word, k.cache.oneSet(by))
	k.from(node, next)
	k.word = k.word[:len(k.word)-1]
}

// isSet reports whether a symbol reads one byte of a set.
func (k *cutter) isSet(symbol int32) bool {
	s := &k.cache.symbols[symbol]
	return s.node == nil && s.odd == nil
}

// set returns the set of such a symbol.
func (k *cutter) set(symbol int32) regex.Set {
	return k.cache.sets[k.cache.symbols[symbol].frag.start[0].set]
}
