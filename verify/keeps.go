package verify

import (
	"fmt"

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
// The error is a [*automata.BudgetError] if a bound was met, so that nothing is
// known; 0 is the bound of package automata.
func GrantsKeepDenies(p *ir.Policy, target string, maxStates int) (*Breach, error) {
	base := newSide(p, target, func(r *ir.FileRule) bool { return r.Layer == ir.LayerSession })
	granted := ir.NewDecider(p, target)
	for _, op := range ir.Ops() {
		for _, dir := range []bool{false, true} {
			promise, files := base.promise(op, dir)
			with, by := FromDecider(granted, op, dir)
			res, err := automata.Explore(reachable(target), []automata.List{promise, with}, automata.Options{MaxStates: maxStates})
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

// OpensNothing proves that a policy permits nothing that another one refuses, as
// one with narrow layers must not. It returns nil, or what is wider: of the
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
				out.Files = append(out.Files, FileChange{Op: f.Op, Relation: Wider, Witnesses: []Witness{w}, More: f.More})
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
