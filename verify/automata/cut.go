package automata

import (
	"slices"

	"github.com/sandboxc/sbc/verify/regex"
)

// cut returns sequences that together are what a sequence has in common with
// those of a trie, or false if that takes more than reading both side by side.
func (c *Cache) cut(seq int32, trie *builder) (out []int32, ok bool) {
	k := cutter{cache: c, trie: trie, seq: c.seqs.at(seq)}
	k.from(0, []spot{{}})
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

// within says how much of a segment has been read.
type within uint8

const (
	before within = iota
	afterSlash
	inName
)

// move is a byte of a set that is read, and where that leads.
type move struct {
	by regex.Set
	to spot
}

// from goes on from a node of the trie. The spots are where the sequence can be
// after what has been read, but for those that are reached without reading.
func (k *cutter) from(node int32, spots []spot) {
	end, all := k.ending(node)
	one := len(spots) == 1
	rest := k.seq[spots[0].at:]
	if all { // the trie has whatever goes on from here
		if one && spots[0].in == before {
			k.keep(rest)
		} else {
			k.failed = true
		}
		return
	}
	slash := int32(0) // where a slash leads to, if that is settled here
	if end && one && spots[0].in != afterSlash && k.startsSegment(rest) {
		// Of what follows the trie has nothing and all that starts with a slash. For
		// that, a name that has been read is as good as the beginning of the symbol.
		slash = k.beneath(node)
	}
	spots = k.reached(spots)
	switch last := len(k.seq) - 1; {
	case k.failed:
		return
	case slash != 0:
		k.keep(rest)
	case !slices.Contains(spots, spot{at: int32(last)}):
	case k.seq[last] == 1:
		k.failed = true // the sequence has whatever goes on from here
		return
	case end:
		k.keep(k.seq[last:])
	}
	for n := k.trie.nodes[node].kids; n != 0; n = k.trie.nodes[n].next {
		if n != slash {
			k.step(n, spots)
		}
	}
}

// keep adds what has been read, and then the rest.
func (k *cutter) keep(rest []int32) {
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

// reached adds the spots that are reached without reading.
func (k *cutter) reached(spots []spot) []spot {
	out := slices.Clone(spots)
	for i := 0; i < len(out); i++ {
		s := out[i]
		if int(s.at) == len(k.seq)-1 {
			continue
		}
		switch symbol := k.seq[s.at]; {
		case symbol != k.cache.segments:
			k.failed = k.failed || !k.isSet(symbol)
		case s.in != afterSlash:
			out = addSpot(out, spot{at: s.at + 1})
		}
	}
	return out
}

func addSpot(spots []spot, s spot) []spot {
	if slices.Contains(spots, s) {
		return spots
	}
	return append(spots, s)
}

// step reads the byte that leads to a node of the trie, and goes on from there. If
// the sequence can read only some of the bytes, or not in the same way, only one
// move may be left.
func (k *cutter) step(node int32, spots []spot) {
	symbol := k.trie.nodes[node].symbol
	if !k.isSet(symbol) {
		k.failed = true
		return
	}
	trie := k.set(symbol)
	by, moves := trie, 0
	var next []spot
	for _, s := range spots {
		for _, m := range k.moves(s) {
			if both := intersect(trie, m.by); both != (regex.Set{}) {
				by, moves = both, moves+1
				k.failed = k.failed || moves > 1 && both != trie
				next = addSpot(next, m.to)
			}
		}
	}
	if k.failed = k.failed || moves > 1 && by != trie; k.failed || moves == 0 {
		return
	}
	k.word = append(k.word, k.cache.oneSet(by))
	k.from(node, next)
	k.word = k.word[:len(k.word)-1]
}

// moves returns what can be read at a spot.
func (k *cutter) moves(s spot) []move {
	slash := regex.Bytes('/')
	switch symbol := k.seq[s.at]; {
	case int(s.at) == len(k.seq)-1:
		return nil
	case symbol != k.cache.segments:
		return []move{{k.set(symbol), spot{at: s.at + 1}}}
	case s.in == before:
		return []move{{slash, spot{s.at, afterSlash}}}
	case s.in == afterSlash:
		return []move{{slash.Not(), spot{s.at, inName}}}
	}
	return []move{{slash, spot{s.at, afterSlash}}, {slash.Not(), spot{s.at, inName}}}
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
