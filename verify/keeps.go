package verify

import (
	"fmt"
	"slices"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/verify/automata"
)

// Breach is a path on which a policy breaks a promise.
type Breach struct {
	Op   ir.Op
	Path string
	Dir  bool
	// Promise is the index of the rule that must hold, and Broken that of the
	// rule that permits the operation nevertheless.
	Promise, Broken int
}

// GrantsKeepDenies proves that what a session grants opens nothing that a deny
// rule or a denying guard closes: whatever those close without the grants, the
// policy refuses with them as well, for every path and operation, and what they
// pin stays pinned. It returns a shortest path where that does not hold, or nil.
//
// Where every grant stands below all of these rules, which is where they belong,
// that is so at once: the first rule that matches a path they close is the same
// with the grants. Otherwise all paths that a grant speaks of are walked. The
// error is a [*automata.BudgetError] if a bound was met, so that nothing is
// known; 0 is the bound of package automata.
func GrantsKeepDenies(p *ir.Policy, target string, maxStates int) (*Breach, error) {
	first := slices.IndexFunc(p.Files, func(r ir.FileRule) bool { return granted(&r) && r.AppliesTo(target) })
	if first < 0 || !slices.ContainsFunc(p.Files[first:], func(r ir.FileRule) bool { return r.Group == ir.GroupDeny && r.AppliesTo(target) }) {
		return nil, nil
	}
	base := newSide(p, target, granted)
	// Elsewhere the same rules decide with the grants as without. What is pinned
	// for a closed path stays so unless a grant opens that path.
	where := automata.And{reachable(target), grantedRegion(p, target)}
	decider := ir.NewDecider(p, target)
	for _, op := range ir.Ops() {
		for _, dir := range []bool{false, true} {
			promise, files := base.promise(op, dir)
			with, by := FromDecider(decider, op, dir)
			res, err := automata.Explore(where, []automata.List{promise, with}, automata.Options{MaxStates: maxStates})
			if err != nil {
				return nil, err
			}
			for _, c := range res.Classes {
				if c.Labels[0] == 0 || c.Labels[1] == denied {
					continue
				}
				b := &Breach{Op: op, Path: c.Cases[0].Path, Dir: dir}
				_, k := promise.Decide(b.Path)
				b.Promise = files[k]
				_, k = with.Decide(b.Path)
				b.Broken = by[k]
				if d := p.Decide(ir.Query{Target: target, Op: op, Path: b.Path, Dir: dir}); d.Effect != ir.Allow || d.Rule != b.Broken {
					return nil, fmt.Errorf("internal error: the automata find that %s on %q is granted, but the policy says %s; please report", op, b.Path, d.Effect)
				}
				return b, nil
			}
		}
	}
	return nil, nil
}

// granted reports whether a rule is a grant of a session.
func granted(r *ir.FileRule) bool { return r.Layer == ir.LayerSession }

// grantedRegion is the paths that a grant speaks of, and what lies directly in
// them.
func grantedRegion(p *ir.Policy, target string) automata.Or {
	var out automata.Or
	for i := range p.Files {
		if r := &p.Files[i]; granted(r) && r.AppliesTo(target) {
			fold := ir.FoldFor(target, r.Read)
			out = append(out, matchExpr(r.Match, fold, !r.NonDir, itself), matchExpr(r.Match, fold, !r.NonDir, automata.Children))
		}
	}
	return out
}

// promise is the list of what absolute rules close: the label is 1 for that, and
// 0 for all else.
func (s *side) promise(op ir.Op, dir bool) (automata.List, []int) {
	list, files := decisions(s.decider, op, dir, itself)
	absolute := func(i int) bool { return s.policy.Files[i].Group == ir.GroupDeny }
	for k, i := range files {
		list.Rules[k].Label = 0
		if absolute(i) && s.policy.Files[i].Effect(op).Closes() {
			list.Rules[k].Label = 1
		}
	}
	if op != ir.Unlink {
		return list, files
	}
	fold := ir.FoldFor(s.decider.Target(), ir.Deny)
	add := func(when automata.Expr, rule int) {
		if absolute(rule) {
			list.Rules = append([]automata.Rule{{When: when, Label: 1}}, list.Rules...)
			files = append([]int{rule}, files...)
		}
	}
	for _, pin := range s.decider.Pins().Literals {
		for _, rule := range pin.Rules {
			add(literal(pin.Path, fold, false), rule)
		}
	}
	for _, pin := range s.decider.Pins().Patterns {
		add(automata.In{Lang: automata.Glob(pin.Pattern, fold, false)}, pin.Rule)
	}
	return list, files
}

// OpensNothing proves that a policy permits nothing that another one refuses, and
// leaves nothing to grants that the other one denies, as one with narrow layers
// must not. It returns nil, or what is wider: of the
// files the operations and witnesses, of the rest the settings. The error is a
// [*automata.BudgetError] if a bound was met, so that nothing is known.
func OpensNothing(old, new *ir.Policy, target string, maxStates int) (*Change, error) {
	c, err := Diff(old, new, target, DiffOptions{Witnesses: 1, MaxStates: maxStates})
	if err != nil {
		return nil, err
	}
	out := &Change{}
	for _, f := range c.Files {
		for _, w := range f.Witnesses {
			if w.Wider {
				out.Files = append(out.Files, FileChange{Op: f.Op, Grants: f.Grants, Relation: Wider, Witnesses: []Witness{w}, More: f.More})
			}
		}
	}
	for _, s := range c.Settings {
		if s.Relation == Wider || s.Relation == Incomparable {
			out.Settings = append(out.Settings, s)
		}
	}
	switch {
	case len(out.Files)+len(out.Settings) > 0:
		return out, nil
	case c.Undecided():
		return nil, &automata.BudgetError{States: maxStates}
	}
	return nil, nil
}
