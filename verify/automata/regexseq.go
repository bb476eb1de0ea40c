package automata

import "github.com/sandboxc/sbc/verify/regex"

// anchored is an expression by its anchors: anchored[atBegin|atEnd] is what
// matches from the start up to the end of a string, without anchors in it; nil
// is nothing.
type anchored [4]regex.Node

const (
	atBegin = 1
	atEnd   = 2
)

// regexSeqs returns the sequences of an expression that is searched for.
func regexSeqs(root regex.Node) []seq {
	var out []seq
	for flags, n := range split(root) {
		if n == nil {
			continue
		}
		for _, elems := range expand(n, maxExpand) {
			if flags&atBegin == 0 {
				elems = append([]elem{{node: star(anyByte())}}, elems...)
			}
			all := flags&atEnd == 0
			for len(elems) > 0 && isAnything(elems[len(elems)-1].node) {
				elems, all = elems[:len(elems)-1], true
			}
			out = append(out, seq{elems: elems, all: all})
		}
	}
	return out
}

// isAnything reports whether n matches every string.
func isAnything(n regex.Node) bool {
	r, ok := n.(regex.Repeat)
	return ok && r.Min == 0 && r.Max == regex.Unbounded && r.Node == regex.Node(anyByte())
}

// split takes the anchors out of an expression. What stands before a start and
// after an end can only be empty.
func split(n regex.Node) anchored {
	switch n := n.(type) {
	case regex.Empty, regex.Set:
		return anchored{0: n}
	case regex.Never:
		return anchored{}
	case regex.Begin:
		return anchored{atBegin: regex.Empty{}}
	case regex.End:
		return anchored{atEnd: regex.Empty{}}
	case regex.Alt:
		if plain(n) {
			return anchored{0: n}
		}
		var out anchored
		for _, x := range n {
			out = either(out, split(x))
		}
		return out
	case regex.Concat:
		return splitConcat(n)
	case regex.Repeat:
		if plain(n.Node) {
			return anchored{0: n}
		}
		return repeat(split(n.Node), n.Min, n.Max)
	}
	return anchored{}
}

func splitConcat(n regex.Concat) anchored {
	out := anchored{0: regex.Empty{}}
	for i := 0; i < len(n); {
		from := i
		for i < len(n) && plain(n[i]) {
			i++
		}
		switch run := n[from:i]; len(run) {
		case 0:
			out = then(out, split(n[i]))
			i++
		case 1:
			out = then(out, split(run[0]))
		default:
			out = then(out, anchored{0: run})
		}
	}
	return out
}

// plain reports whether an expression has no anchors.
func plain(n regex.Node) bool {
	all := func(parts []regex.Node) bool {
		for _, x := range parts {
			if !plain(x) {
				return false
			}
		}
		return true
	}
	switch n := n.(type) {
	case regex.Concat:
		return all(n)
	case regex.Alt:
		return all(n)
	case regex.Repeat:
		return plain(n.Node)
	case regex.Begin, regex.End:
		return false
	case regex.Empty, regex.Never, regex.Set:
	}
	return true
}

func (a *anchored) add(flags int, n regex.Node) {
	if a[flags] == nil {
		a[flags] = n
	} else if !same(a[flags], n) {
		a[flags] = regex.Alt{a[flags], n}
	}
}

// same recognises what is often added twice.
func same(a, b regex.Node) bool {
	_, x := a.(regex.Empty)
	_, y := b.(regex.Empty)
	return x && y
}

func either(a, b anchored) anchored {
	for flags, n := range b {
		if n != nil {
			a.add(flags, n)
		}
	}
	return a
}

func then(a, b anchored) anchored {
	var out anchored
	for i, x := range a {
		for j, y := range b {
			if x == nil || y == nil || j&atBegin != 0 && !nullable(x) || i&atEnd != 0 && !nullable(y) {
				continue
			}
			x, y := x, y
			if j&atBegin != 0 {
				x = regex.Empty{}
			}
			if i&atEnd != 0 {
				y = regex.Empty{}
			}
			out.add(i|j, concat(x, y))
		}
	}
	return out
}

// repeat writes the copies out. Of those that may be missing, one that has to
// stand at the start is the first that is not empty, and one at the end the last.
func repeat(a anchored, least, most int) anchored {
	out := anchored{0: regex.Empty{}}
	for range least {
		out = then(out, a)
	}
	none := anchored{0: regex.Empty{}}
	if most != regex.Unbounded {
		for range most - least {
			out = then(out, either(none, a))
		}
		return out
	}
	loop := none
	if a[0] != nil {
		loop[0] = star(a[0])
	}
	begin := either(none, anchored{atBegin: a[atBegin], atBegin | atEnd: a[atBegin|atEnd]})
	end := either(none, anchored{atEnd: a[atEnd]})
	return then(out, then(begin, then(loop, end)))
}

func nullable(n regex.Node) bool {
	switch n := n.(type) {
	case regex.Empty:
		return true
	case regex.Concat:
		for _, x := range n {
			if !nullable(x) {
				return false
			}
		}
		return true
	case regex.Alt:
		for _, x := range n {
			if nullable(x) {
				return true
			}
		}
	case regex.Repeat:
		return n.Min == 0 || nullable(n.Node)
	case regex.Never, regex.Set, regex.Begin, regex.End:
	}
	return false
}

// concat joins two expressions into a flat one.
func concat(a, b regex.Node) regex.Node {
	var out regex.Concat
	for _, n := range []regex.Node{a, b} {
		switch n := n.(type) {
		case regex.Concat:
			out = append(out, n...)
		case regex.Empty:
		case regex.Never, regex.Set, regex.Alt, regex.Repeat, regex.Begin, regex.End:
			out = append(out, n)
		}
	}
	switch len(out) {
	case 0:
		return regex.Empty{}
	case 1:
		return out[0]
	}
	return out
}

// maxExpand is how many sequences the alternatives of one expression may become.
// Beyond that an alternative stays an element of its own.
const maxExpand = 64

// expand returns sequences of elements that together are n, which has no
// anchors. Alternatives are multiplied out, so that they share states with the
// paths and patterns that they stand for.
func expand(n regex.Node, limit int) [][]elem {
	switch n := n.(type) {
	case regex.Empty:
		return [][]elem{nil}
	case regex.Never:
		return nil
	case regex.Concat:
		return expandConcat(n, limit)
	case regex.Alt:
		var out [][]elem
		for _, x := range n {
			if out = append(out, expand(x, limit)...); len(out) > limit {
				return [][]elem{{{node: n}}}
			}
		}
		return out
	case regex.Repeat:
		switch {
		case n.Max == 0:
			return [][]elem{nil}
		case n.Min == 1 && n.Max == 1:
			return expand(n.Node, limit)
		case n.Min == 0 && n.Max == 1 && limit > 1:
			if some := expand(n.Node, limit-1); len(some) < limit {
				return append([][]elem{nil}, some...)
			}
		}
	case regex.Set, regex.Begin, regex.End:
	}
	return [][]elem{{{node: n}}}
}

func expandConcat(n regex.Concat, limit int) [][]elem {
	out := [][]elem{make([]elem, 0, len(n))}
	for _, x := range n {
		if s, ok := x.(regex.Set); ok { // most of them
			for i := range out {
				out[i] = append(out[i], elem{node: s})
			}
			continue
		}
		tails := expand(x, max(limit/max(len(out), 1), 1))
		next := make([][]elem, 0, len(out)*len(tails))
		for _, head := range out {
			for _, tail := range tails {
				next = append(next, append(head[:len(head):len(head)], tail...))
			}
		}
		out = next
	}
	return out
}
