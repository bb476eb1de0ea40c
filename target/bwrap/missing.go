package bwrap

import (
	"slices"

	"github.com/sandboxc/sbc/ir"
)

// reserve puts a placeholder where a closed path is missing that the command
// could otherwise make. It stands on the first component that does not exist,
// so that nothing else can be made on the way to the path either.
func (l *lowering) reserve(n *node, have Access) {
	if have != Writable || n.want == Writable || !slices.ContainsFunc(n.rules, l.reserves) {
		return
	}
	at := n.missing()
	if at.reserved {
		m := &l.plan.Mounts[at.mount]
		m.Rules = unique(append(slices.Clone(m.Rules), n.causes()...))
		return
	}
	m := Mount{Kind: EmptyDir, Perm: 0o555, Placeholder: true, Rules: n.causes()}
	l.decide(at)
	if at.want == Closed {
		m.Kind, m.Perm = ClosedDir, 0
	}
	at.reserved = true
	l.mount(at, m)
	l.plan.Placeholders = append(l.plan.Placeholders, at.path)
}

// reserves reports whether the rule closes its path and asks for a placeholder.
func (l *lowering) reserves(rule int) bool {
	r := &l.policy.Files[rule]
	return r.Write.Closes() && l.missing(r) == ir.MissingReserve
}
