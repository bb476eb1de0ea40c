package automata

import "slices"

// Accepts decides by the automaton of l alone, state set by state set.
func Accepts(l Lang, s string) bool { return Acceptor(l)(s) }

// Acceptor is Accepts for many strings.
func Acceptor(l Lang) func(string) bool {
	p := newProgram(NewCache(), []*List{{Rules: []Rule{{When: In{Lang: l}, Label: 1}}}})
	n, ok := p.automaton(1 << 20)
	if !ok {
		panic("no room")
	}
	if len(p.lists[0].rules) == 0 {
		return func(string) bool { return false }
	}
	leaf := p.exprs[p.lists[0].rules[0].expr].arg
	has := func(list int32) bool { return slices.Contains(n.lists[list], leaf) }
	return func(s string) bool { return n.simulate(s, has) }
}

func (n *nfa) simulate(s string, has func(list int32) bool) bool {
	at := n.start
	for i := 0; ; i++ {
		for _, q := range at {
			if st := n.states[q]; has(st.all) || i == len(s) && has(st.acc) {
				return true
			}
		}
		if i == len(s) {
			return false
		}
		next := map[int32]bool{}
		class := n.classOf[s[i]]
		for _, q := range at {
			for _, a := range n.narrow[n.states[q].narrow:n.states[q+1].narrow] {
				if a.class == class {
					next[a.to] = true
				}
			}
			for _, a := range n.wide[n.states[q].wide:n.states[q+1].wide] {
				if n.masks[a.mask].has(int(class)) {
					next[a.to] = true
				}
			}
		}
		at = at[:0:0]
		for q := range next {
			at = append(at, q)
		}
	}
}

// FormHas returns what decides by the pieces of forms.
func (c *Cache) FormHas() func(form []int32, s string) bool {
	automata := map[int32]*nfa{}
	var has func(form []int32, s string) bool
	union := func(id int32, s string) bool { return has(c.forms.at(id)[1:], s) }
	piece := func(piece int32, s string) bool {
		if piece >= 0 {
			n := automata[piece]
			if n == nil {
				b := newBuilder(1 << 20)
				b.add(c.seqs.at(piece), []int32{0})
				n, _ = b.finish(c, 1)
				automata[piece] = n
			}
			return n.simulate(s, func(list int32) bool { return slices.Contains(n.lists[list], 0) })
		}
		row := c.forms.at(-1 - piece)
		switch row[0] {
		case formAnd:
			return !slices.ContainsFunc(row[1:], func(id int32) bool { return !union(id, s) })
		case formNot:
			return !union(row[1], s)
		}
		for rest := row[3:]; len(rest) > 0; rest = rest[2:] {
			if union(rest[0], s) {
				return rest[1] == row[1]
			}
		}
		return row[2] == row[1]
	}
	has = func(form []int32, s string) bool {
		return slices.ContainsFunc(form, func(x int32) bool { return piece(x, s) })
	}
	return has
}
