package regex

// program is an expression as a nondeterministic automaton.
type program struct {
	states []state
	start  int
}

// state is one state: it reads a byte of set and goes to next, or without
// reading goes on to each of jumps if its guard holds.
type state struct {
	guard guard
	set   Set
	next  int
	jumps []int
}

type guard uint8

const (
	always  guard = iota // go to jumps
	atStart              // go to jumps at the start of the path
	atEnd                // go to jumps at the end of the path
	reads                // read a byte of set
	accepts              // the expression has matched
	stuck                // nowhere
)

// size counts the states of a node, and stops counting beyond MaxSize.
func size(n Node) int {
	sum := func(nodes []Node) int {
		total := 1
		for _, x := range nodes {
			total = min(total+size(x), MaxSize+1)
		}
		return total
	}
	switch n := n.(type) {
	case Concat:
		return sum(n)
	case Alt:
		return sum(n)
	case Repeat:
		copies := max(n.Max, n.Min+1)
		return min((size(n.Node)+1)*copies, MaxSize+1)
	case Empty, Never, Set, Begin, End:
	}
	return 1
}

func compile(root Node) program {
	p := program{states: []state{{guard: accepts}}}
	p.start = p.node(root, 0)
	return p
}

func (p *program) add(s state) int {
	p.states = append(p.states, s)
	return len(p.states) - 1
}

// node adds the states of a node before the state next, and returns the first.
func (p *program) node(n Node, next int) int {
	switch n := n.(type) {
	case Empty:
		return next
	case Never:
		return p.add(state{guard: stuck})
	case Set:
		return p.add(state{guard: reads, set: n, next: next})
	case Begin:
		return p.add(state{guard: atStart, jumps: []int{next}})
	case End:
		return p.add(state{guard: atEnd, jumps: []int{next}})
	case Concat:
		for i := len(n) - 1; i >= 0; i-- {
			next = p.node(n[i], next)
		}
		return next
	case Alt:
		jumps := make([]int, len(n))
		for i, x := range n {
			jumps[i] = p.node(x, next)
		}
		return p.add(state{jumps: jumps})
	case Repeat:
		return p.repeat(n, next)
	}
	return next
}

func (p *program) repeat(n Repeat, next int) int {
	if n.Max == Unbounded {
		loop := p.add(state{})
		p.states[loop].jumps = []int{p.node(n.Node, loop), next}
		next = loop
	} else {
		end := next
		for range n.Max - n.Min {
			next = p.add(state{jumps: []int{p.node(n.Node, next), end}})
		}
	}
	for range n.Min {
		next = p.node(n.Node, next)
	}
	return next
}

// Match reports whether the expression is found in the path.
func (r *Regex) Match(path string) bool {
	r.once.Do(func() { r.prog = compile(r.root) })
	m := matcher{prog: &r.prog, size: len(path)}
	m.mark = make([]int, len(r.prog.states))
	for at := 0; ; at++ {
		if m.enter(r.prog.start, at) {
			return true
		}
		if at == len(path) {
			return false
		}
		now := m.now
		m.now = m.spare[:0]
		m.spare = now
		for _, i := range now {
			if s := &r.prog.states[i]; s.set.Has(path[at]) && m.enter(s.next, at+1) {
				return true
			}
		}
	}
}

// matcher is the set of states that are reached.
type matcher struct {
	prog  *program
	size  int
	now   []int // the states that read
	spare []int // the buffer of the other step
	stack []int
	mark  []int // the step in which a state was reached last, from 1
}

// enter adds a state and those that it jumps to. It reports whether the
// expression has matched.
func (m *matcher) enter(i, at int) bool {
	m.stack = append(m.stack[:0], i)
	for len(m.stack) > 0 {
		i := m.stack[len(m.stack)-1]
		m.stack = m.stack[:len(m.stack)-1]
		if m.mark[i] == at+1 {
			continue
		}
		m.mark[i] = at + 1
		s := &m.prog.states[i]
		switch s.guard {
		case accepts:
			return true
		case reads:
			m.now = append(m.now, i)
		case atStart:
			if at == 0 {
				m.stack = append(m.stack, s.jumps...)
			}
		case atEnd:
			if at == m.size {
				m.stack = append(m.stack, s.jumps...)
			}
		case always:
			m.stack = append(m.stack, s.jumps...)
		case stuck:
		}
	}
	return false
}
