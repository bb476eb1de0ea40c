package automata

import (
	"slices"

	"github.com/sandboxc/sbc/verify/regex"
)

// frag is the automaton of one element. It leaves its start over the arcs of
// start, never to return; it has matched in a state that is last or, if it is
// nullable, at the start.
type frag struct {
	nullable bool
	start    []arc
	arcs     [][]arc
	last     []bool
}

// arc reads a byte of a set, by its number, and goes to a state.
type arc struct{ set, to int32 }

// trim drops states from which no last state can be reached.
func (f frag) trim() frag {
	into := make([][]int32, len(f.arcs))
	for s, arcs := range f.arcs {
		for _, a := range arcs {
			into[a.to] = append(into[a.to], int32(s))
		}
	}
	live := make([]bool, len(f.arcs))
	var todo []int32
	for s, last := range f.last {
		if last {
			live[s] = true
			todo = append(todo, int32(s))
		}
	}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, p := range into[s] {
			if !live[p] {
				live[p] = true
				todo = append(todo, p)
			}
		}
	}
	renamed := make([]int32, len(f.arcs))
	out := frag{nullable: f.nullable}
	for s := range live {
		if live[s] {
			renamed[s] = int32(len(out.last))
			out.last = append(out.last, f.last[s])
		}
	}
	rename := func(arcs []arc) []arc {
		var kept []arc
		for _, a := range arcs {
			if live[a.to] {
				kept = append(kept, arc{a.set, renamed[a.to]})
			}
		}
		return kept
	}
	out.start = rename(f.start)
	for s := range live {
		if live[s] {
			out.arcs = append(out.arcs, rename(f.arcs[s]))
		}
	}
	return out
}

// part is a part of an expression while its automaton is made: which states it
// can start and end in. A state has read one byte of its set.
type part struct {
	nullable    bool
	first, last []int32
}

// fragMaker makes the automata of elements.
type fragMaker struct {
	cache *Cache
	room  int // how many more states may be made
}

// frag returns the automaton of a symbol that is not one set.
func (m *fragMaker) frag(s *symbol) frag {
	if s.odd != nil {
		return s.odd.frag(m.cache.set)
	}
	return m.nodeFrag(s.node)
}

// nodeFrag returns the automaton of an expression without anchors: one state for
// each set in it, with an arc to each state that may come next.
func (m *fragMaker) nodeFrag(n regex.Node) frag {
	g := positions{m: m}
	p := g.part(n)
	f := frag{nullable: p.nullable, arcs: make([][]arc, len(g.sets)), last: make([]bool, len(g.sets))}
	for _, s := range p.first {
		f.start = append(f.start, arc{g.sets[s], s})
	}
	for s, next := range g.next {
		slices.Sort(next)
		for _, t := range slices.Compact(next) {
			f.arcs[s] = append(f.arcs[s], arc{g.sets[t], t})
		}
	}
	for _, s := range p.last {
		f.last[s] = true
	}
	return f.trim()
}

type positions struct {
	m    *fragMaker
	sets []int32
	next [][]int32
}

func (g *positions) part(n regex.Node) part {
	switch n := n.(type) {
	case regex.Empty:
		return part{nullable: true}
	case regex.Never:
		return part{}
	case regex.Set:
		if n == (regex.Set{}) {
			return part{}
		}
		if g.m.room--; g.m.room < 0 {
			return part{}
		}
		s := int32(len(g.sets))
		g.sets = append(g.sets, g.m.cache.set(n))
		g.next = append(g.next, nil)
		return part{first: []int32{s}, last: []int32{s}}
	case regex.Concat:
		out := part{nullable: true}
		for _, x := range n {
			out = g.then(out, g.part(x))
		}
		return out
	case regex.Alt:
		var out part
		for _, x := range n {
			p := g.part(x)
			out.nullable = out.nullable || p.nullable
			out.first = append(out.first, p.first...)
			out.last = append(out.last, p.last...)
		}
		return out
	case regex.Repeat:
		return g.repeat(n)
	case regex.Begin, regex.End:
		panic("automata: internal error: an anchor within an element; please report")
	}
	return part{}
}

func (g *positions) then(p, q part) part {
	for _, s := range p.last {
		g.next[s] = append(g.next[s], q.first...)
	}
	out := part{nullable: p.nullable && q.nullable, first: p.first[:len(p.first):len(p.first)], last: q.last[:len(q.last):len(q.last)]}
	if p.nullable {
		out.first = append(out.first, q.first...)
	}
	if q.nullable {
		out.last = append(out.last, p.last...)
	}
	return out
}

// repeat writes the copies out; each one that may be missing is the last.
func (g *positions) repeat(n regex.Repeat) part {
	out := part{nullable: true}
	for range n.Min - 1 {
		out = g.then(out, g.part(n.Node))
	}
	if n.Max == regex.Unbounded {
		loop := g.part(n.Node)
		for _, s := range loop.last {
			g.next[s] = append(g.next[s], loop.first...)
		}
		loop.nullable = loop.nullable || n.Min == 0
		return g.then(out, loop)
	}
	if n.Min > 0 {
		out = g.then(out, g.part(n.Node))
	}
	for range n.Max - n.Min {
		p := g.part(n.Node)
		p.nullable = true
		out = g.then(out, p)
	}
	return out
}
