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
