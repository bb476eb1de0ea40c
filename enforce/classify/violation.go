package classify

import (
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
)

// Op is what a command tried to do.
type Op string

// The operations. The first three are those of package ir.
const (
	Read    Op = "read"
	Write   Op = "write"
	Unlink  Op = "unlink"
	Connect Op = "connect" // to a host, or to a unix socket
	Syscall Op = "syscall" // a call that the filter answers with a signal
)

// opOf names an operation of package ir.
func opOf(op ir.Op) Op { return Op(op.String()) }

// File returns the operation on files; ok is false for the others.
func (o Op) File() (op ir.Op, ok bool) {
	for _, op := range ir.Ops() {
		if opOf(op) == o {
			return op, true
		}
	}
	return 0, false
}

// Effect says what a grant can do about a violation.
type Effect string

// The effects.
const (
	Ask  Effect = "ask"  // a rule asks: a grant opens it for one run
	Deny Effect = "deny" // absolute: no grant opens it
	None Effect = "none" // no rule opens it, or a root closes it; a grant does
)

// Evidence is what speaks for a violation.
type Evidence string

// The evidence, strongest first.
const (
	BySignal Evidence = "signal"
	ByTrace  Evidence = "trace"
	ByStderr Evidence = "stderr"
)

// Confidence says how sure it is.
type Confidence string

// The confidence, strongest first.
const (
	Certain  Confidence = "certain"
	Likely   Confidence = "likely"
	Possible Confidence = "possible"
)

// Rule is the rule of the policy that a violation is about.
type Rule struct {
	// Index is the rule's place in Policy.Files, or -1 if none of these
	// answered.
	Index int `json:"index"`
	// Address names it as reports do: "guards.credentials.ssh". It is empty if
	// nothing speaks of the path.
	Address string `json:"address,omitzero"`
	// Guard is the guard that it belongs to, or empty.
	Guard string `json:"guard,omitzero"`
	// Reason is its author's reason; may be empty.
	Reason string `json:"reason,omitzero"`
	// Position is where it was written.
	Position diag.Range `json:"position,omitzero"`
}

// Violation is one thing that a command tried and the policy closes.
type Violation struct {
	Op   Op     `json:"op"`
	Path string `json:"path,omitzero"` // absolute and clean; of a file or a unix socket
	Host string `json:"host,omitzero"` // a name or an address, with a port if that is known
	// Dir reports that the path is, or would have become, a directory.
	Dir bool `json:"dir,omitzero"`
	// Missing reports that the path looked missing to the command.
	Missing bool `json:"missing,omitzero"`
	Rule    Rule `json:"rule"`
	// Effect says whether a grant can open it.
	Effect Effect `json:"effect"`
	// Pinned reports that the path may be written, but not moved or removed.
	Pinned     bool       `json:"pinned,omitzero"`
	Evidence   Evidence   `json:"evidence"`
	Confidence Confidence `json:"confidence"`
	// Text is one sentence for people.
	Text string `json:"text"`
}
