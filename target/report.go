package target

import (
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
)

// Entry is the verdict on one rule. A rule that has several paths, or that
// loses in several ways, has several entries.
type Entry struct {
	// Rule is the rule's address.
	Rule string
	// Index is the rule's index in Policy.Files, or -1 for what is not a file
	// rule.
	Index   int
	Feature Feature
	Verdict Verdict
	// Code is the loss; empty if the verdict is Exact and nothing is to say.
	Code diag.Code
	// Loss is one sentence: what is lost, for which path.
	Loss     string
	Enforcer Enforcer
	// Watch is what the launcher must watch for the verdict to hold.
	Watch Watch
	// Instead says what could express the rule, or is empty.
	Instead string
	Layer   ir.Layer
	// Guard is the guard that the rule belongs to; such entries fold.
	Guard string
	// Opens is set if the rule only opens, so that dropping it is safe.
	Opens  bool
	Origin ir.Origin
	// Emitted are the lines or arguments that the rule became.
	Emitted []string
}

// Match is the path or pattern of an entry that is a file rule, for messages.
func (e *Entry) Match(p *ir.Policy) string {
	m := p.Files[e.Index].Match
	if g, ok := m.(ir.Glob); ok {
		return g.Pattern.String()
	}
	return m.Base()
}

// Watch is what a launcher watches while a command runs; each includes those
// before it.
type Watch uint8

// The watches.
const (
	WatchNothing  Watch = iota
	WatchNames          // calls that make, link or rename a name
	WatchRemovals       // and those that remove one
)

// Report is what became of every rule of a policy on one target, in the
// policy's order.
type Report struct {
	Target  string
	Entries []Entry
	// Diagnostics are problems that no single rule causes: an old bubblewrap,
	// too many mounts, directories that could not be scanned.
	Diagnostics diag.List
}
