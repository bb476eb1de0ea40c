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

// may reports false if a path lacks bytes that every match has in a row: those at
// its beginning, or the longest run of them. It takes no automaton to see that.
func (r *Regex) may(path string) bool {
	parts, ok := r.root.(Concat)
	if !ok {
		return true
	}
	if parts[0] == Node(Begin{}) {
		if lead := run(parts[1:]); !starts(path, lead) {
			return false
		}
	}
	var longest Concat
	for i := 0; i < len(parts); {
		sets := run(parts[i:])
		if len(sets) > len(longest) {
			longest = sets
		}
		i += len(sets) + 1
	}
	for i := range len(path) - len(longest) + 1 {
		if starts(path[i:], longest) {
			return true
		}
	}
	return false
}

// run returns the sets at the beginning of a sequence.
func run(parts Concat) Concat {
	for i, x := range parts {
		if _, ok := x.(Set); !ok {
			return parts[:i]
		}
	}
	return parts
}

// starts reports whether a text starts with one byte of each of the sets.
func starts(text string, sets Concat) bool {
	if len(text) < len(sets) {
		return false
	}
	for i, x := range sets {
		if s, ok := x.(Set); !ok || !s.Has(text[i]) {
			return false
		}
	}
	return true
}

// Match reports whether the expression is found in the path.
func (r *Regex) Match(path string) bool {
	if !r.may(path) {
		return false
	}
	r.once.Do(func() { r.prog = compile(r.root) })
	states, start := r.prog.states, r.prog.start
	anchored := states[start].guard == atStart
	var buffers [3][48]int // on the stack: most expressions have fewer states
	now, todo, mark := buffers[0][:0], buffers[1][:0], buffers[2][:]
	if len(states) > len(mark) {
		mark = make([]int, len(states))
	}
	for at := 0; ; at++ {
		if at == 0 || !anchored {
			todo = append(todo, start) // it may be found from here on
		}
		now = now[:0] // the states that read what comes
		for len(todo) > 0 {
			i := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if mark[i] == at+1 {
				continue
			}
			mark[i] = at + 1 // reached in this step
			s := &states[i]
			switch s.guard {
			case accepts:
				return true
			case reads:
				now = append(now, i)
			case always:
				todo = append(todo, s.jumps...)
			case atStart:
				if at == 0 {
					todo = append(todo, s.jumps...)
				}
			case atEnd:
				if at == len(path) {
					todo = append(todo, s.jumps...)
				}
			case stuck:
			}
		}
		if at == len(path) || len(now) == 0 && anchored {
			return false
		}
		for _, i := range now {
			if s := &states[i]; s.set.Has(path[at]) {
				todo = append(todo, s.next)
			}
		}
	}
}
