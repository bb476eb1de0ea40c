package sbpl

// Subject is what an operation is asked about. What does not apply is empty.
type Subject struct {
	// Path is the path as the kernel knows it: absolute, clean, without links.
	// In questions about the network it is that of a socket.
	Path string
	// Vnode is the kind of the file, such as "REGULAR-FILE"; on a creation of
	// what is created. Empty means that it is not known.
	Vnode string
	// Remote and Local are internet addresses, "host:port": an IP address, with
	// brackets or without, "localhost", or any other host.
	Remote, Local string
	// Proto is "tcp" or "udp"; empty means tcp.
	Proto string
	// Name is that of a Mach service, a sysctl, or shared memory.
	Name string
	// NameKind says what name a Mach service has: "global-name", which empty
	// means too, "local-name" or "xpc-service-name".
	NameKind string
	// Target is the relation to the other process: "self", "same-sandbox",
	// "others" and so on.
	Target string
	// Domain, Type and Protocol are those of a socket that is made.
	Domain, Type, Protocol string
}

// Decision is an answer.
type Decision struct {
	Op      string // the operation that was asked, by its own name
	Allow   bool
	Rule    *Rule  // the rule that decides; nil if the system does
	Builtin string // why, if there is no rule
	By      string // the operation that the rule speaks about
	// Matched is the alternative of the rule's filters that matches; nil if the
	// rule has none.
	Matched Filter
	// Escape says that what is allowed runs outside of the sandbox.
	Escape bool
	// Assumed is what the answer relies on without proof, in the order of
	// Assumptions, followed by the filters that are taken not to match.
	Assumed []Assumption
}

// Decide answers whether an operation on a subject is allowed. It returns an
// error for an operation that does not exist.
func (p *Profile) Decide(name string, s Subject) (Decision, error) {
	chain, err := p.Chain(name)
	if err != nil {
		return Decision{}, err
	}
	op, _ := Operation(name)
	m := matcher{op: op, subject: s}
	// passed are the steps that would have matched, were an assumption wrong.
	type pass struct {
		action  Action
		assumed []Assumption
	}
	var passed []pass
	for i, step := range chain {
		match, assumed := true, []Assumption(nil)
		if step.Filter != nil {
			match, assumed = m.match(step.Filter)
		}
		if !match {
			if assumed != nil {
				passed = append(passed, pass{step.Action, assumed})
			}
			continue
		}
		d := Decision{Op: op, Allow: step.Action == Allow, Rule: step.Rule, Builtin: step.Builtin, By: step.Op}
		d.Matched = m.alternative(step.Filter)
		d.Escape = step.Rule != nil && step.Rule.escapes()
		for _, q := range passed {
			if q.action != step.Action {
				assumed = append(assumed, q.assumed...)
			}
		}
		assumed = append(assumed, p.structural(&m, chain[i])...)
		d.Assumed = sorted(assumed)
		return d, nil
	}
	return Decision{}, nil // not reached: the last step always matches
}

// alternative returns the first of several alternatives that matches.
func (m *matcher) alternative(f Filter) Filter {
	if alternatives, ok := f.(Any); ok {
		for _, x := range alternatives {
			if match, _ := m.match(x); match {
				return m.alternative(x)
			}
		}
	}
	return f
}
