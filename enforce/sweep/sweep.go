package sweep

import (
	"time"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target"
)

// Options say where to look.
type Options struct {
	// Decider answers for the policy on Linux.
	Decider *ir.Decider
	// Writable are the directories that the command may write, as the plan has
	// them. Storage of the sandbox's own is left out.
	Writable []string
	// View is the host at the start; best the one that the policy was lowered
	// against, which knows most answers already.
	View host.View
	// Budget bounds the walk at the start.
	Budget target.Budget
}

// AfterOptions say what to do with what is found.
type AfterOptions struct {
	// Budget bounds the walk after the run.
	Budget target.Budget
	// Quarantine moves aside what would run later; otherwise it is only named.
	Quarantine bool
	// Dir is an absolute path, such as ~/.local/state/sbc/quarantine, made for
	// the user alone. What is on another file system goes to .sbc/quarantine in
	// the write root instead.
	Dir string
	// Run names the run, as a directory in Dir.
	Run string
	// Time is written into notes; zero is now.
	Time time.Time
	// Confirm is asked before something is moved; nil means yes.
	Confirm func(LateMatch) bool
}

// Kind says in which way a match is late.
type Kind uint8

// The kinds. What is moved aside are Appeared and Linked.
const (
	// Appeared was not there at the start.
	Appeared Kind = iota + 1
	// Linked is a link that was not there at the start and leads to something
	// under a closed name.
	Linked
	// Moved was a match of the same rule at the start, at another path.
	Moved
	// Replaced is another object than at the start, in the same directory: the
	// doing of a program outside.
	Replaced
	// Uncertain may have been there at the start: the walk then met a bound.
	Uncertain
)

// String returns "appeared", "linked", "moved", "replaced" or "uncertain".
func (k Kind) String() string {
	switch k {
	case Appeared:
		return "appeared"
	case Linked:
		return "linked"
	case Moved:
		return "moved"
	case Replaced:
		return "replaced"
	case Uncertain:
		return "uncertain"
	}
	return "invalid kind"
}

// LateMatch is something that the policy closes and that was not held.
type LateMatch struct {
	Path string
	Type host.Type
	Kind Kind
	// Rule is the index in Policy.Files of the rule that closes the path, of
	// several the first that wants it moved aside, and Address its address.
	Rule    int
	Address string
	// Runs is set if the rule marks it as code that would run later.
	Runs bool
	// Quarantined is where it is now; empty if it was left where it was.
	Quarantined string
	// Problem says why what should have been moved was not, or not for good.
	Problem string
}

// Result is what a sweep found.
type Result struct {
	// Matches are sorted by path, name by name. What lies beneath a directory that would run
	// later is not listed besides it.
	Matches []LateMatch
	// Bound says which bound the walk met, as a sentence, or is empty.
	Bound string
	// Unread are directories that could not be listed, in walk order.
	Unread []string
	// Entries counts the names that were looked at.
	Entries int
}
