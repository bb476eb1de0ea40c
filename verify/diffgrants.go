package verify

import (
	"cmp"
	"slices"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/verify/automata"
)

// A deny is absolute, and what is closed in another way may be opened for one
// run by a grant. Both are closed, so that the operations alone do not tell them
// apart.

// grantable returns the side as grants see it: closed is what no grant opens,
// and all else is open. That is what a deny, or the first closing glob of the
// rule lists, says; the rules keep their indices.
func (s *side) grantable() *side {
	p := without(s.policy, func(r *ir.FileRule) bool { return r.Group != ir.GroupDeny && r.Group != ir.GroupGlob })
	for i := range p.Files {
		r := &p.Files[i]
		r.Read, r.Write = absolute(r.Group, r.Read), absolute(r.Group, r.Write)
	}
	return &side{policy: p, decider: ir.NewDecider(p, s.decider.Target()), exact: s.exact, grants: true}
}

// absolute is an effect as grants see it: a closing among the denies holds
// against them all, and openings do not matter.
func absolute(g ir.Group, e ir.Effect) ir.Effect {
	switch {
	case !e.Closes():
		return ir.Pass
	case g == ir.GroupDeny:
		return ir.Deny
	}
	return e
}

// exactly returns the side for the paths that it answers alike with and without
// folding.
func (s *side) exactly() *side {
	out := *s
	out.exact = true
	return &out
}

// What a policy says of a path, as far as grants are concerned.
const (
	unspoken  uint8 = iota // closed by a root, or by nothing at all
	untilAsk               // closed by a rule that asks
	openTo                 // open
	byPath                 // denied, by a path
	byPattern              // denied, by a glob
)

// kinds is what a side's rules say, with a label for each kind.
func (s *side) kinds(op ir.Op, dir bool) *automata.List {
	list, files := decisionsAs(s.decider, op, dir, s.folding(), itself)
	list.Default = unspoken
	for i, f := range files {
		r := &s.policy.Files[f]
		_, isGlob := r.Match.(ir.Glob)
		label := unspoken
		switch {
		case r.Effect(op) == ir.Allow:
			label = openTo
		case r.Effect(op) == ir.Ask:
			label = untilAsk
		case s.grants && isGlob:
			label = byPattern
		case s.grants:
			label = byPath
		}
		list.Rules[i].Label = label
	}
	if s.grants {
		// All denies do the same: what any path denies is not up to a glob.
		slices.SortStableFunc(list.Rules, func(a, b automata.Rule) int {
			return cmp.Compare(denyOrder(a), denyOrder(b))
		})
	}
	return &list
}

// denyOrder is 0 for a deny of a path, which goes first, and 1 for the rest.
func denyOrder(r automata.Rule) int {
	if r.Label == byPath {
		return 0
	}
	return 1
}

// shut are the paths that both policies close, and where what grants may open is
// worth comparing. A glob of a policy or guard holds beneath the write roots
// alone: where it ends because a root has gone, nothing has been let go.
func shut(policies, grants [2]*side, op ir.Op, dir bool) automata.Expr {
	var left automata.Or
	for i := range policies {
		said := policies[i].kinds(op, dir)
		denied := grants[1-i].kinds(op, dir)
		left = append(left, automata.Is{List: said, Label: openTo}, automata.And{
			automata.Is{List: said, Label: unspoken}, automata.Is{List: denied, Label: byPattern},
		})
	}
	return automata.Not{X: left}
}

// diffGrants compares what grants may open, among what both policies close. It
// returns nothing that is equivalent.
func diffGrants(sides [2]*side, where func(ir.Op) automata.Expr, o DiffOptions) ([]FileChange, error) {
	// Other spellings of a denied name are left out: under its own it may be open.
	policies := [2]*side{sides[0].exactly(), sides[1].exactly()}
	x := filesDiff{sides: [2]*side{policies[0].grantable(), policies[1].grantable()}, policies: &policies, where: where, opts: o}
	all, err := x.operations([]ir.Op{ir.Read, ir.Write})
	var out []FileChange
	for _, f := range all {
		if f.Relation != Equivalent {
			out = append(out, f)
		}
	}
	return out, err
}

// replaced are the paths where one policy has storage of the sandbox's own in
// place of what the other one opens of the host, and neither shows the host's:
// what a closing held of the host there is closed all the more.
func replaced(sides [2]*side, op ir.Op, dir bool) automata.Expr {
	var roots automata.Or
	asked := op
	if op == ir.Unlink {
		asked = ir.Write // a root is pinned
	}
	for i, s := range sides {
		for k := range s.policy.Files {
			r := &s.policy.Files[k]
			if !r.Private || !r.AppliesTo(s.decider.Target()) {
				continue
			}
			base := r.Match.Base()
			if _, rank := sides[1-i].decide(asked, base, true); rank == rankOpen {
				roots = append(roots, automata.In{Lang: automata.Subtree(base)})
			}
		}
	}
	if len(roots) == 0 {
		return automata.Const(false)
	}
	out := automata.And{roots}
	for _, s := range sides {
		list, _ := s.list(op, dir, s.folding())
		out = append(out, automata.Not{X: automata.Is{List: &list, Label: rankOpen}})
	}
	return out
}
