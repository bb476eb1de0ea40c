package verify

import (
	"errors"
	"fmt"
	"slices"
	"strings"

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
	Files    []FileChange    // one for each operation
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
	// Relation is Undecided if a bound was met; there may be witnesses even so.
	Relation Relation
	// Witnesses are paths that the two answer differently, shortest first: one
	// for each pair of rules that decide.
	Witnesses []Witness
	// More is set if there are, or may be, more such pairs.
	More bool
}

// Witness is a path on which two policies differ. Both were asked about it, by
// [ir.Decider], which knows no automata.
type Witness struct {
	Path string
	Dir  bool // the path is a directory, or would be made as one
	// Wider is set if the new policy permits what the old one refuses, or shows
	// the host's own files where the old one has storage of the sandbox's own.
	Wider    bool
	Old, New ir.Decision
}

// Diff compares two policies on a target: for every path what they permit, and
// field by field what they say of all else; see [SettingChange].
//
// Files of the policies themselves, which each policy closes, are left out, and
// so is what says how a rule is enforced and not what it means: on_missing,
// sweep, reasons, names and tests.
func Diff(old, new *ir.Policy, target string, o DiffOptions) (*Change, error) {
	c := &Change{}
	sides := [2]*side{newSide(old, target, isPolicyFile), newSide(new, target, isPolicyFile)}
	where := automata.And{reachable(target), automata.Not{X: spokenOf(target, isPolicyFile, old, new)}}
	for _, op := range ir.Ops() {
		f, err := diffFiles(sides, op, where, o)
		if err != nil {
			return nil, err
		}
		c.Files = append(c.Files, f)
	}
	settings, err := diffSettings(old, new, target, o)
	c.Settings = settings
	return c, err
}

// spokenOf is what some rules of policies match.
func spokenOf(target string, which func(*ir.FileRule) bool, policies ...*ir.Policy) automata.Expr {
	var out automata.Or
	for _, p := range policies {
		for i := range p.Files {
			if r := &p.Files[i]; r.AppliesTo(target) && which(r) {
				out = append(out, matchExpr(r.Match, ir.FoldFor(target, r.Write), true, itself))
			}
		}
	}
	return out
}

// diffFiles compares one operation.
func diffFiles(sides [2]*side, op ir.Op, where automata.Expr, o DiffOptions) (FileChange, error) {
	out := FileChange{Op: op}
	kinds := []bool{false, true}
	if !sides[0].asksKind() && !sides[1].asksKind() {
		kinds = kinds[:1] // directories and other files are alike
	}
	var found []foundWitness
	undecided := false
	for _, dir := range kinds {
		list, more, err := differences(sides, op, dir, where, o)
		if budget := (*automata.BudgetError)(nil); errors.As(err, &budget) {
			undecided = true
			continue
		}
		if err != nil {
			return out, err
		}
		out.More = out.More || more
		found = append(found, list...)
	}
	slices.SortStableFunc(found, func(a, b foundWitness) int { return len(a.Path) - len(b.Path) })
	left := map[bool]int{true: o.witnesses(), false: o.witnesses()}
	seen := map[string]bool{}
	for _, w := range found {
		// Another spelling of a path shows nothing new where spellings are alike.
		by, path := fmt.Sprint(w.by), fmt.Sprint(w.Wider, strings.ToLower(w.Path))
		if seen[by] || sides[0].folds() && seen[path] {
			continue
		}
		seen[by], seen[path] = true, true
		if left[w.Wider] == 0 {
			out.More = true
			continue
		}
		left[w.Wider]--
		out.Witnesses = append(out.Witnesses, w.Witness)
	}
	out.Relation = relation(left[true] < o.witnesses(), left[false] < o.witnesses())
	if undecided {
		out.Relation = Undecided
	}
	return out, nil
}

func (o DiffOptions) witnesses() int {
	if o.Witnesses == 0 {
		return DefaultWitnesses
	}
	return o.Witnesses
}

// foundWitness is a witness with what decides.
type foundWitness struct {
	Witness
	by [2]decidedBy
}

// differences finds the witnesses for directories, or for other files.
func differences(sides [2]*side, op ir.Op, dir bool, where automata.Expr, o DiffOptions) ([]foundWitness, bool, error) {
	region, differ := changed(sides, op, dir)
	if !differ {
		return nil, false, nil
	}
	lists := [2]ranked{sides[0].ranked(op, dir), sides[1].ranked(op, dir)}
	list, more, err := clashes(automata.And{where, region}, lists, o.witnesses(), o.MaxStates)
	if err != nil {
		return nil, false, err
	}
	var out []foundWitness
	for _, c := range list {
		w := Witness{Path: c.path, Dir: dir, Wider: c.wider()}
		var ranks [2]uint8
		w.Old, ranks[0] = sides[0].decide(op, c.path, dir)
		w.New, ranks[1] = sides[1].decide(op, c.path, dir)
		if ranks != [2]uint8{c.by[0].rank, c.by[1].rank} {
			return nil, false, fmt.Errorf("internal error: the automata find that %s on %q differs, but the policies say %s and %s; please report", op, c.path, w.Old.Effect, w.New.Effect)
		}
		out = append(out, foundWitness{w, c.by})
	}
	return out, more, nil
}
