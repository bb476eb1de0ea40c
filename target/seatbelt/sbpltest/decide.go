package sbpltest

// Query is one question to a profile.
type Query struct {
	Op    string
	Path  string // the path as the kernel knows it; empty for what has none
	Vnode string // such as "REGULAR-FILE"; on creation the type of what is created
	// Remote and Local are addresses, "localhost:80" or "1.2.3.4:443".
	Remote, Local string
	Name          string // of a Mach service, a sysctl or a semaphore
	Target        string // "self", "same-sandbox" or "others"
	Domain        string // of a socket, such as "AF_ROUTE"
	Protocol      int
}

// Allows answers the question.
func (p *Profile) Allows(q Query) bool {
	op := q.Op
	if full, alias := aliases[op]; alias {
		op = full
	}
	if _, ok := parents[op]; !ok {
		panic("sbpltest: unknown operation " + op)
	}
	for {
		if allow, found := p.filtered(op, q); found {
			return allow
		}
		if allow, found := p.unfiltered(op); found {
			return allow
		}
		if parents[op] == "" {
			return builtin(op)
		}
		op = parents[op]
	}
}

// filtered finds the newest rule of the operation with a filter that matches.
func (p *Profile) filtered(op string, q Query) (allow, found bool) {
	for i := len(p.rules) - 1; i >= 0; i-- {
		r := p.rules[i]
		if r.op != op {
			continue
		}
		for _, f := range r.filters {
			if f(q) {
				return r.allow, true
			}
		}
	}
	return false, false
}

// unfiltered finds the newest rule of the operation without filters.
func (p *Profile) unfiltered(op string) (allow, found bool) {
	for i := len(p.rules) - 1; i >= 0; i-- {
		if r := p.rules[i]; r.op == op && len(r.filters) == 0 {
			return r.allow, true
		}
	}
	return false, false
}
