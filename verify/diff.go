package verify

import (
	"slices"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/verify/automata"
)

// Relation is how what a new policy permits relates to what an old one does.
type Relation uint8

const (
	// Equivalent says that both permit the same.
	Equivalent Relation = iota + 1
	// Narrower says that the new one permits less.
	Narrower
	// Wider says that the new one permits more.
	Wider
	// Incomparable says that the new one permits something that the old one does
	// not, and the other way round; or that a value is another one, and neither is
	// more.
	Incomparable
	// Undecided says that a bound was met before the answer.
	Undecided
)

// String returns the lower-case word.
func (r Relation) String() string {
	switch r {
	case Equivalent:
		return "equivalent"
	case Narrower:
		return "narrower"
	case Wider:
		return "wider"
	case Incomparable:
		return "incomparable"
	case Undecided:
		return "undecided"
	}
	return "invalid relation"
}

// relation is that of what has become wider or narrower.
func relation(wider, narrower bool) Relation {
	switch {
	case wider && narrower:
		return Incomparable
	case wider:
		return Wider
	case narrower:
		return Narrower
	}
	return Equivalent
}

// DiffOptions of a comparison. The zero value is the default.
type DiffOptions struct {
	// Witnesses is how many are wanted in each direction of an operation, each
	// of other rules; 0 is [DefaultWitnesses].
	Witnesses int
	// MaxStates bounds one walk over all paths; 0 is the bound of package
	// automata.
	MaxStates int
}

// DefaultWitnesses is how many witnesses are shown in each direction.
const DefaultWitnesses = 3

// Change is what differs between two policies on a target.
type Change struct {
	// Files has one for each operation, and for what grants may open to it if
	// that differs.
	Files    []FileChange
	Settings []SettingChange // what differs besides files; nothing that is equal
}

// Relations are those of all parts.
func (c *Change) Relations() []Relation {
	var out []Relation
	for _, f := range c.Files {
		out = append(out, f.Relation)
	}
	for _, s := range c.Settings {
		out = append(out, s.Relation)
	}
	return out
}

// Wider reports whether a part has become wider, or incomparable. A part that is
// undecided has if there is a witness of it.
func (c *Change) Wider() bool {
	return slices.Contains(c.Relations(), Wider) || slices.Contains(c.Relations(), Incomparable) ||
		slices.ContainsFunc(c.Files, func(f FileChange) bool {
			return slices.ContainsFunc(f.Witnesses, func(w Witness) bool { return w.Wider })
		})
}

// Equal reports whether the policies permit the same, as far as that is decided.
func (c *Change) Equal() bool {
	return !slices.ContainsFunc(c.Relations(), func(r Relation) bool { return r != Equivalent && r != Undecided }) &&
		!slices.ContainsFunc(c.Files, func(f FileChange) bool { return len(f.Witnesses) > 0 })
}

// Relation is that of all parts together; what is undecided counts only if
// nothing else is known to differ.
func (c *Change) Relation() Relation {
	narrower := slices.Contains(c.Relations(), Narrower) || slices.Contains(c.Relations(), Incomparable) ||
		slices.ContainsFunc(c.Files, func(f FileChange) bool {
			return slices.ContainsFunc(f.Witnesses, func(w Witness) bool { return !w.Wider })
		})
	if c.Equal() && c.Undecided() {
		return Undecided
	}
	return relation(c.Wider(), narrower)
}

// Undecided reports whether a bound was met for a part.
func (c *Change) Undecided() bool { return slices.Contains(c.Relations(), Undecided) }

// FileChange is how an operation on files has changed.
type FileChange struct {
	Op ir.Op
	// Grants is set if it is about what a grant may open to the operation: both
	// policies close the paths, and one of them denies what the other one leaves
	// to grants.
	Grants bool
	// Relation is Undecided if a bound was met; there may be witnesses even so.
	Relation Relation
	// Witnesses are paths that the two answer differently, shortest first: one
	// for each pair of rules that decide.
	Witnesses []Witness
	// More is set if there are, or may be, more such pairs.
	More bool
}

// What is the operation, or "grant read" and so on.
func (f FileChange) What() string {
	if f.Grants {
		return "grant " + f.Op.String()
	}
	return f.Op.String()
}

// Witness is a path on which two policies differ. Both were asked about it, by
// [ir.Decider], which knows no automata.
type Witness struct {
	Path string
	// Dir says that the path is a directory, or would be made as one. Where
	// directories and other files are alike it is not set.
	Dir bool
	// Wider is set if the new policy permits what the old one refuses, or shows
	// the host's own files where the old one has storage of the sandbox's own; or
	// if a grant may open what none could.
	Wider    bool
	Old, New ir.Decision
}

// Diff compares two policies on a target: for every path what they permit, and
// field by field what they say of all else; see [SettingChange]. Where both close
// a path it compares whether a grant may open it. Storage of the sandbox's own
// counts for less than the host's files that it takes the place of.
//
// Files of the policies themselves, which each policy closes, are left out, and
// so is what says how a rule is enforced and not what it means: on_missing,
// sweep, reasons, names and tests.
func Diff(old, new *ir.Policy, target string, o DiffOptions) (*Change, error) {
	c := &Change{}
	sides := [2]*side{newSide(old, target, isPolicyFile), newSide(new, target, isPolicyFile)}
	where := automata.And{reachable(target), automata.Not{X: spokenOf(target, isPolicyFile, old, new)}}
	var err error
	if c.Files, err = diffFiles(sides, func(ir.Op) automata.Expr { return where }, o); err != nil {
		return nil, err
	}
	c.Settings, err = diffSettings(old, new, target, o)
	return c, err
}

func (o DiffOptions) witnesses() int {
	if o.Witnesses == 0 {
		return DefaultWitnesses
	}
	return o.Witnesses
}
