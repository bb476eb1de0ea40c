package automata

import (
	"slices"
	"unicode/utf8"

	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/verify/regex"
)

// oddSegment is a segment of a pattern in which it matters whether a byte is
// part of valid UTF-8: that depends on the bytes before and after it. Where it
// does not matter, matching byte by byte is the same as by code points, since no
// encoding starts within another one.
type oddSegment struct {
	atoms []glob.Atom
	fold  glob.Fold
	key   string
}

// isOdd reports whether a segment has something that matches one byte that is
// not UTF-8, where what stands beside it does not settle that.
func isOdd(s glob.Segment) bool {
	wild, raw := false, false
	for _, a := range s.Atoms {
		switch a := a.(type) {
		case glob.AnyChar:
			return true
		case glob.Class:
			if a.Negated {
				return true
			}
			wild = true
		case glob.AnyRun:
			wild = true
		case glob.Char:
			raw = raw || !utf8.ValidString(a.Text)
		}
	}
	return wild && raw
}

// kind says what a byte is part of.
type kind uint8

const (
	eitherKind kind = iota
	validByte       // of an encoded code point
	strayByte       // that is part of none
)

// oddState is a state of the automaton of a segment that knows kinds.
type oddState struct {
	arcs []oddArc
	skip int // the state that is reached without reading, -1 if none
}

type oddArc struct {
	set  regex.Set
	kind kind
	to   int
}

// states returns the automaton of the segment. It starts in the first state; the
// segment has matched in the state last.
func (o *oddSegment) states() (states []oddState, last int) {
	states = []oddState{{skip: -1}}
	add := func() int {
		states = append(states, oddState{skip: -1})
		return len(states) - 1
	}
	path := func(from int, sets []regex.Set, k kind, to int) {
		for i, s := range sets {
			next := to
			if i < len(sets)-1 {
				next = add()
			}
			states[from].arcs = append(states[from].arcs, oddArc{s, k, next})
			from = next
		}
	}
	stray := []regex.Set{regex.Range(utf8.RuneSelf, 255)}
	at := 0
	for _, a := range o.atoms {
		next := add()
		switch a := a.(type) {
		case glob.AnyRun:
			states[at].arcs = append(states[at].arcs, oddArc{notSlash(), eitherKind, at})
			states[at].skip = next
		case glob.AnyChar:
			for _, p := range runePaths(complement(nil)) {
				path(at, p, validByte, next)
			}
			path(at, stray, strayByte, next)
		case glob.Class:
			for _, p := range runePaths(classRanges(a, o.fold)) {
				path(at, p, validByte, next)
			}
			if a.Negated {
				path(at, stray, strayByte, next)
			}
		case glob.Char:
			if !utf8.ValidString(a.Text) {
				path(at, []regex.Set{regex.Bytes(a.Text[0])}, strayByte, next)
				break
			}
			for _, f := range charForms(a, o.fold) {
				sets := make([]regex.Set, len(f))
				for i := range len(f) {
					if sets[i] = regex.Bytes(f[i]); o.fold == glob.Darwin {
						sets[i] = foldedByte(f[i])
					}
				}
				path(at, sets, validByte, next)
			}
		}
		at = next
	}
	return states, at
}

// frag returns the segment's automaton together with a classifier of bytes: at
// the first byte of what may be a code point it guesses whether it is one, and
// goes on only with what proves the guess right.
func (o *oddSegment) frag(number func(regex.Set) int32) frag {
	states, last := o.states()
	type pair struct{ state, utf int }
	closure := func(s int) []int {
		out := []int{s}
		for ; states[s].skip >= 0; s = states[s].skip {
			out = append(out, states[s].skip)
		}
		return out
	}
	var f frag
	ids := map[pair]int32{}
	var todo []pair
	arcs := func(p pair) []arc {
		var out []arc
		for _, s := range closure(p.state) {
			for _, a := range states[s].arcs {
				for _, c := range classifier(p.utf) {
					set := intersect(a.set, c.set)
					if set == (regex.Set{}) || a.kind != eitherKind && a.kind != c.kind {
						continue
					}
					to := pair{a.to, c.next}
					id, ok := ids[to]
					if !ok {
						id = int32(len(ids))
						ids[to] = id
						todo = append(todo, to)
					}
					out = append(out, arc{number(set), id})
				}
			}
		}
		return out
	}
	f.start = arcs(pair{0, utfWhole})
	for i := 0; i < len(todo); i++ {
		p := todo[i]
		f.last = append(f.last, p.utf <= utfDone && slices.Contains(closure(p.state), last))
		f.arcs = append(f.arcs, arcs(p))
	}
	return f.trim()
}

// The states of the classifier: between code points; after a byte that was
// guessed not to start one, so that the next bytes must not complete it; within
// one.
const (
	utfWhole = iota
	utfNot1  // no continuation byte may follow
	utfNot2  // no two
	utfNot3  // no three
	utfNotE0
	utfNotED
	utfNotF0
	utfNotF4
	utfDone = utfNotF4 // a segment may end in this state and those before it
	utf1    = iota - 1 // one continuation byte must follow
	utf2
	utf3
	utfE0
	utfED
	utfF0
	utfF4
)

type utfArc struct {
	set  regex.Set
	kind kind
	next int
}

// classifier returns how the classifier goes on from a state. The ranges are
// those of table 3-7 of the Unicode standard.
func classifier(state int) []utfArc {
	r := regex.Range
	cont := r(0x80, 0xbf)
	head := []utfArc{
		{r(0, 0x7f), validByte, utfWhole},
		{r(0xc0, 0xc1).Union(r(0xf5, 0xff)), strayByte, utfWhole},
		{r(0xc2, 0xdf), validByte, utf1},
		{r(0xc2, 0xdf), strayByte, utfNot1},
		{r(0xe0, 0xe0), validByte, utfE0},
		{r(0xe0, 0xe0), strayByte, utfNotE0},
		{r(0xe1, 0xec).Union(r(0xee, 0xef)), validByte, utf2},
		{r(0xe1, 0xec).Union(r(0xee, 0xef)), strayByte, utfNot2},
		{r(0xed, 0xed), validByte, utfED},
		{r(0xed, 0xed), strayByte, utfNotED},
		{r(0xf0, 0xf0), validByte, utfF0},
		{r(0xf0, 0xf0), strayByte, utfNotF0},
		{r(0xf1, 0xf3), validByte, utf3},
		{r(0xf1, 0xf3), strayByte, utfNot3},
		{r(0xf4, 0xf4), validByte, utfF4},
		{r(0xf4, 0xf4), strayByte, utfNotF4},
	}
	switch state {
	case utfWhole:
		return append(head, utfArc{cont, strayByte, utfWhole})
	case utfNot1:
		return head
	case utfNot2:
		return append(head, utfArc{cont, strayByte, utfNot1})
	case utfNot3:
		return append(head, utfArc{cont, strayByte, utfNot2})
	case utfNotE0:
		return append(head, utfArc{r(0xa0, 0xbf), strayByte, utfNot1}, utfArc{r(0x80, 0x9f), strayByte, utfWhole})
	case utfNotED:
		return append(head, utfArc{r(0x80, 0x9f), strayByte, utfNot1}, utfArc{r(0xa0, 0xbf), strayByte, utfWhole})
	case utfNotF0:
		return append(head, utfArc{r(0x90, 0xbf), strayByte, utfNot2}, utfArc{r(0x80, 0x8f), strayByte, utfWhole})
	case utfNotF4:
		return append(head, utfArc{r(0x80, 0x8f), strayByte, utfNot2}, utfArc{r(0x90, 0xbf), strayByte, utfWhole})
	case utf1:
		return []utfArc{{cont, validByte, utfWhole}}
	case utf2:
		return []utfArc{{cont, validByte, utf1}}
	case utf3:
		return []utfArc{{cont, validByte, utf2}}
	case utfE0:
		return []utfArc{{r(0xa0, 0xbf), validByte, utf1}}
	case utfED:
		return []utfArc{{r(0x80, 0x9f), validByte, utf1}}
	case utfF0:
		return []utfArc{{r(0x90, 0xbf), validByte, utf2}}
	case utfF4:
		return []utfArc{{r(0x80, 0x8f), validByte, utf2}}
	}
	panic("automata: internal error: an unknown state of the UTF-8 classifier; please report")
}

func intersect(s, t regex.Set) regex.Set {
	for i := range s {
		s[i] &= t[i]
	}
	return s
}
