package verify

import (
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
		if !r.Read.Closes() {
			r.Read = ir.Pass
		}
		if !r.Write.Closes() {
			r.Write = ir.Pass
		}
	}
	return &side{policy: p, decider: ir.NewDecider(p, s.decider.Target()), exact: s.exact, grants: true}
}

// How a path is closed.
const (
	shutHere     uint8 = iota // by a deny of a path
	shutByGlob                // by a deny of a glob
	shutUntilAsk              // by a rule that asks
	shutUnspoken              // by a root, or by nothing at all
	notShut
)

// closings is how a policy closes what it closes.
func (s *side) closings(op ir.Op, dir bool) *automata.List {
	list, files := decisionsAs(s.decider, op, dir, s.folding(), itself)
	list.Default = shutUnspoken
	for i, f := range files {
		list.Rules[i].Label = closingKind(&s.policy.Files[f], op)
	}
	return &list
}

func closingKind(r *ir.FileRule, op ir.Op) uint8 {
	_, isGlob := r.Match.(ir.Glob)
	switch {
	case r.Effect(op) == ir.Allow:
		return notShut
	case r.Effect(op) == ir.Ask:
		return shutUntilAsk
	case r.Group != ir.GroupDeny && r.Group != ir.GroupGlob:
		return shutUnspoken
	case isGlob:
		return shutByGlob
	}
	return shutHere
}

// shut are the paths that both sides close, and where what grants may open is
// worth comparing. A glob of a policy or guard holds beneath the write roots
// alone: where it ends because a root has gone, nothing has been let go.
func shut(sides [2]*side, op ir.Op, dir bool) automata.Expr {
	lists := [2]*automata.List{sides[0].closings(op, dir), sides[1].closings(op, dir)}
	is := func(i int, label uint8) automata.Expr { return automata.Is{List: lists[i], Label: label} }
	return automata.Not{X: automata.Or{
		is(0, notShut), is(1, notShut),
		automata.And{is(0, shutByGlob), is(1, shutUnspoken)},
		automata.And{is(0, shutUnspoken), is(1, shutByGlob)},
	}}
}

// diffGrants compares what grants may open, among what both policies close. It
// returns nothing that is equivalent.
func diffGrants(sides [2]*side, where func(ir.Op) automata.Expr, o DiffOptions) ([]FileChange, error) {
	x := filesDiff{sides: [2]*side{sides[0].grantable(), sides[1].grantable()}, policies: &sides, where: where, opts: o}
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
