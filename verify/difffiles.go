package verify

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/verify/automata"
)

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

// filesDiff is a comparison of what two policies say of files.
type filesDiff struct {
	sides [2]*side
	near  [2]*side // the same where they may differ
	// policies, if it is set, are the policies whose grants the sides are.
	policies *[2]*side
	where    func(ir.Op) automata.Expr
	opts     DiffOptions
}

// diffFiles compares all operations, each on the paths of where, and then what
// grants may open.
func diffFiles(sides [2]*side, where func(ir.Op) automata.Expr, o DiffOptions) ([]FileChange, error) {
	x := filesDiff{sides: sides, where: where, opts: o}
	out, err := x.operations(ir.Ops())
	if err != nil {
		return nil, err
	}
	grants, err := diffGrants(sides, where, o)
	return append(out, grants...), err
}

// answering are the sides that say what decides.
func (x *filesDiff) answering() [2]*side {
	if x.policies != nil {
		return *x.policies
	}
	return x.sides
}

// operations compares some operations.
func (x *filesDiff) operations(ops []ir.Op) ([]FileChange, error) {
	sides := x.sides
	kinds := []bool{false, true}
	if answering := x.answering(); !answering[0].asksKind() && !answering[1].asksKind() {
		kinds = kinds[:1] // directories and other files are alike
	}
	regions := map[ir.Op][]region{}
	var bases []string
	for _, op := range ops {
		for _, dir := range kinds {
			r := changed(sides, op, dir)
			regions[op] = append(regions[op], r)
			bases = append(bases, r.bases...)
		}
	}
	for i, s := range sides {
		x.near[i] = s.about(bases)
	}
	if x.policies != nil {
		x.policies = &[2]*side{x.policies[0].about(bases), x.policies[1].about(bases)}
	}
	var out []FileChange
	for _, op := range ops {
		f, err := x.operation(op, regions[op])
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

// operation compares one operation.
func (x *filesDiff) operation(op ir.Op, regions []region) (FileChange, error) {
	out := FileChange{Op: op, Grants: x.policies != nil}
	var found []foundWitness
	undecided := false
	for _, r := range regions {
		if len(r.paths) == 0 {
			continue
		}
		list, more, err := x.differences(op, r)
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
	most := x.opts.witnesses()
	left := map[bool]int{true: most, false: most}
	seen := map[string]bool{}
	for _, w := range found {
		// Another spelling of a path shows nothing new where spellings are alike.
		by, path := fmt.Sprint(w.by), fmt.Sprint(w.Wider, strings.ToLower(w.Path))
		if seen[by] || x.sides[0].folds() && seen[path] {
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
	out.Relation = relation(left[true] < most, left[false] < most)
	if undecided {
		out.Relation = Undecided
	}
	return out, nil
}

// foundWitness is a witness with what decides.
type foundWitness struct {
	Witness
	by [2]decidedBy
}

// differences finds the witnesses in a region.
func (x *filesDiff) differences(op ir.Op, r region) ([]foundWitness, bool, error) {
	lists := [2]ranked{x.near[0].ranked(op, r.dir), x.near[1].ranked(op, r.dir)}
	list, more, err := clashes(automata.And{x.where(op), r.paths, x.compared(op, r.dir)}, lists, x.opts.witnesses(), x.opts.MaxStates)
	if err != nil {
		return nil, false, err
	}
	var out []foundWitness
	for _, c := range list {
		w := Witness{Path: c.path, Dir: r.dir, Wider: c.wider()}
		var ranks [2]uint8
		w.Old, ranks[0] = x.sides[0].decide(op, c.path, r.dir)
		w.New, ranks[1] = x.sides[1].decide(op, c.path, r.dir)
		if ranks != [2]uint8{c.by[0].rank, c.by[1].rank} {
			return nil, false, fmt.Errorf("internal error: the automata find that %s on %q differs, but the policies say %s and %s; please report", op, c.path, w.Old.Effect, w.New.Effect)
		}
		if x.policies != nil {
			w.Old, _ = x.policies[0].decide(op, c.path, r.dir)
			w.New, _ = x.policies[1].decide(op, c.path, r.dir)
		}
		out = append(out, foundWitness{w, c.by})
	}
	return out, more, nil
}

// compared are the paths on which another rank is a difference.
func (x *filesDiff) compared(op ir.Op, dir bool) automata.Expr {
	if x.policies != nil {
		return shut(*x.policies, x.near, op, dir)
	}
	return automata.Not{X: replaced(x.near, op, dir)}
}
