package sbpl

import "fmt"

// Step is one place in the chain of an operation: if the filter matches, the
// step decides.
type Step struct {
	Filter  Filter // nil always matches
	Action  Action
	Op      string // the operation of the chain that the step belongs to
	Rule    *Rule  // nil for what the system itself decides
	Builtin string // what the system's decision is, if there is no rule
}

// Chain returns, for an operation, everything that may decide about it, in the
// order in which it is asked. The first step that matches decides. The last
// step always matches.
//
// The order is the one that the model and every proof use. For each operation
// from this one along its parents: the rules with filters, newest first; then
// the last rule without. Then what the system does when no rule spoke.
func (p *Profile) Chain(name string) ([]Step, error) {
	op, ok := Operation(name)
	if !ok {
		return nil, fmt.Errorf("unknown operation %s", name)
	}
	var out []Step
	if op == "signal" || op == "mach-task-name" {
		out = append(out, Step{Filter: Target{"self"}, Action: Allow, Op: op, Builtin: "a process may always do this to itself"})
	}
	for ; ; op = operations[op].parent {
		var last *Rule
		rules := p.rulesOf(op)
		for i := len(rules) - 1; i >= 0; i-- {
			r := &p.Rules[rules[i]]
			switch {
			case r.Filter != nil:
				out = append(out, Step{Filter: r.Filter, Action: r.Action, Op: op, Rule: r})
			case last == nil:
				last = r
			}
		}
		if last != nil {
			return append(out, Step{Action: last.Action, Op: op, Rule: last}), nil
		}
		if operations[op].parent == "" {
			return append(out, builtin(op)), nil
		}
	}
}

func (p *Profile) rulesOf(op string) []int {
	if p.byOp != nil {
		return p.byOp[op]
	}
	var out []int
	for i := range p.Rules {
		if p.Rules[i].Op == op {
			out = append(out, i)
		}
	}
	return out
}

// builtin is what the system decides when no rule spoke about an operation that
// falls back to nothing.
func builtin(op string) Step {
	s := Step{Action: Deny, Op: op, Builtin: "no rule speaks about it, and " + op + " is denied by default"}
	switch {
	case op == "default":
		s.Builtin = "no rule speaks about it, and there is no rule for default"
	case operations[op].allow:
		s.Action = Allow
		s.Builtin = "no rule speaks about it, and " + op + " is allowed by default, even under (deny default)"
	}
	return s
}
