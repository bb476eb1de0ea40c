package ir

import "github.com/sandboxc/sbc/ir/diag"

// Origin is where a part of a policy was written. It rides on every rule and
// on everything that the rule turns into.
type Origin struct {
	// Address is the rule's stable name: "filesystem.deny.dotenv",
	// "filesystem.read[/usr]", "guards.git-exec.hooks", "limits.memory".
	Address string `json:"address"`
	// Range is the tight range of the rule, or of its path within a list.
	Range diag.Range `json:"range,omitzero" hash:"-"`
	// Via names the policies that extended the file of Range, nearest first;
	// empty for a rule of the policy itself.
	Via []string `json:"via,omitempty" hash:"-"`
}

// OnMissing says what happens when the path of a rule does not exist at the
// start.
type OnMissing uint8

// The choices. Create and Skip are for openings; Reserve, Skip and Refuse for
// closings; Refuse for both.
const (
	MissingDefault OnMissing = iota // reserve for a literal closing of the policy, skip otherwise; neither where calls are decided
	MissingReserve                  // an empty read-only directory as placeholder while the command runs
	MissingCreate                   // create a directory
	MissingSkip                     // leave it out, and say so; for a closing glob, names that do not exist at the start
	MissingRefuse                   // refuse to start
)

// String returns the word that policies use; MissingDefault is "default".
func (m OnMissing) String() string {
	switch m {
	case MissingDefault:
		return "default"
	case MissingReserve:
		return "reserve"
	case MissingCreate:
		return "create"
	case MissingSkip:
		return "skip"
	case MissingRefuse:
		return "refuse"
	}
	return "invalid on_missing"
}

// Sweep says what the launcher does with a name that appeared during a run and
// matches a guard.
type Sweep uint8

// The choices.
const (
	SweepReport     Sweep = iota // name it in the result
	SweepQuarantine              // move it aside, for what would run code later
)

// String returns "report" or "quarantine".
func (s Sweep) String() string {
	switch s {
	case SweepReport:
		return "report"
	case SweepQuarantine:
		return "quarantine"
	}
	return "invalid sweep"
}

// FileRule is one rule of the decision list.
//
// INVARIANT: if Read closes then Write closes, and if Write is Allow then Read
// is Allow, so that no list ever permits writing where it refuses reading.
type FileRule struct {
	Match Match  `json:"match"`
	Read  Effect `json:"read"`
	Write Effect `json:"write"`
	Group Group  `json:"group"`
	Layer Layer  `json:"layer"`
	// Target is the target that the rule is for; empty means every target.
	Target string `json:"target,omitzero"`
	// NonDir restricts the rule to what is not a directory, such as a .git that
	// is a file or a link. It then matches no path beneath either.
	NonDir bool `json:"non_dir,omitzero"`
	// Private marks storage that belongs to the sandbox alone: a private tmp,
	// /dev and /proc on Linux. The host's files under the path are not seen.
	Private   bool      `json:"private,omitzero"`
	OnMissing OnMissing `json:"on_missing,omitzero"`
	Sweep     Sweep     `json:"sweep,omitzero"`
	// Guard is the name of the guard that the rule belongs to, or empty.
	Guard string `json:"guard,omitzero"`
	// Written is the absolute path or pattern as the author meant it, where
	// resolving symbolic links gave Match another one; otherwise empty.
	Written string `json:"written,omitzero"`
	// Reason is the author's reason, shown by explain; may be empty.
	Reason string `json:"reason,omitzero"`
	Origin Origin `json:"origin"`
}

// Effect returns the rule's effect on op. Unlink has the effect of Write.
func (r *FileRule) Effect(op Op) Effect {
	if op == Read {
		return r.Read
	}
	return r.Write
}

// AppliesTo reports whether the rule is for the target.
func (r *FileRule) AppliesTo(target string) bool { return r.Target == "" || r.Target == target }

// Opens reports whether the rule opens something and closes nothing but what
// a read root closes for writing.
func (r *FileRule) Opens() bool { return r.Read == Allow || r.Write == Allow }
