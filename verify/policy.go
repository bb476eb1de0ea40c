package verify

import (
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/verify/automata"
)

// The labels of lists that decide.
const (
	denied uint8 = iota
	allowed
)

// FromPolicy returns what the policy answers to an operation on a target, as a
// decision list with the label 1 for what is permitted and 0 for what is not.
// Dir says that the object is a directory, as in [ir.Query].
func FromPolicy(p *ir.Policy, target string, op ir.Op, dir bool) automata.List {
	list, _ := FromDecider(ir.NewDecider(p, target), op, dir)
	return list
}

// FromDecider is [FromPolicy] for a policy that has been indexed. It also
// returns where each rule of the list comes from: its index in Policy.Files, or
// -1 if it refuses what is pinned.
func FromDecider(d *ir.Decider, op ir.Op, dir bool) (list automata.List, files []int) {
	return fromDecider(d, op, dir, foldingOf(d))
}

// folding says how an effect compares paths.
type folding func(ir.Effect) glob.Fold

// foldingOf is the folding of a decider's target.
func foldingOf(d *ir.Decider) folding {
	return func(e ir.Effect) glob.Fold { return ir.FoldFor(d.Target(), e) }
}

// exactly is the folding that does not fold.
func exactly(ir.Effect) glob.Fold { return glob.Exact }

// fromDecider is [FromDecider] with another folding.
func fromDecider(d *ir.Decider, op ir.Op, dir bool, fold folding) (list automata.List, files []int) {
	list, files = decisionsAs(d, op, dir, fold, itself)
	if op == ir.Unlink {
		list.Rules = append([]automata.Rule{{When: pinned(d, dir, fold), Label: denied}}, list.Rules...)
		files = append([]int{-1}, files...)
	}
	return list, files
}

// decisions is the policy's list, pins aside. Each set is what of makes of it.
func decisions(d *ir.Decider, op ir.Op, dir bool, of func(automata.Lang) automata.Lang) (list automata.List, files []int) {
	return decisionsAs(d, op, dir, foldingOf(d), of)
}

// decisionsAs is decisions with another folding.
func decisionsAs(d *ir.Decider, op ir.Op, dir bool, fold folding, of func(automata.Lang) automata.Lang) (list automata.List, files []int) {
	return decisionsBy(d, op, dir, func(i int, r *ir.FileRule) automata.Expr {
		return matchExpr(r.Match, fold(r.Effect(op)), !r.NonDir, of)
	})
}

// decisionsBy is decisions with another way to say what a rule, by its index,
// holds.
func decisionsBy(d *ir.Decider, op ir.Op, dir bool, holds func(int, *ir.FileRule) automata.Expr) (list automata.List, files []int) {
	list.Default = denied
	rules := d.Policy().Files
	for i := range rules {
		r := &rules[i]
		e := r.Effect(op)
		if e == ir.Pass || !r.AppliesTo(d.Target()) || r.NonDir && dir {
			continue
		}
		label := denied
		if e == ir.Allow {
			label = allowed
		}
		list.Rules = append(list.Rules, automata.Rule{When: holds(i, r), Label: label})
		files = append(files, i)
	}
	return list, files
}

// matchExpr is the paths that a match holds; without beneath, those of them that
// it names and not what lies beneath.
func matchExpr(m ir.Match, fold glob.Fold, beneath bool, of func(automata.Lang) automata.Lang) automata.Expr {
	switch m := m.(type) {
	case ir.Path:
		return automata.In{Lang: of(literalLang(string(m), fold, false))}
	case ir.Subtree:
		return automata.In{Lang: of(literalLang(string(m), fold, beneath))}
	case ir.Glob:
		pattern := automata.In{Lang: of(automata.Glob(m.Pattern, fold, beneath))}
		if len(m.Except) == 0 {
			return pattern
		}
		out := automata.And{pattern}
		for _, e := range m.Except {
			// Folding must never make a closing smaller.
			out = append(out, automata.Not{X: automata.In{Lang: of(automata.Glob(e, glob.Exact, true))}})
		}
		return out
	}
	return automata.Const(false)
}

func literalLang(path string, fold glob.Fold, beneath bool) automata.Lang {
	switch {
	case fold != glob.Exact:
		return automata.Glob(glob.Literal(path), fold, beneath)
	case beneath:
		return automata.Subtree(path)
	}
	return automata.Literal(path)
}

// pinned is the paths that may be written and not removed or renamed: the root,
// what lies in a directory that may not be written, what a literal closing lies
// below, and what leads to a match of a closing glob.
func pinned(d *ir.Decider, dir bool, fold folding) automata.Expr {
	write, _ := decisionsAs(d, ir.Write, dir, fold, itself)
	parent, _ := decisionsAs(d, ir.Write, true, fold, automata.Children)
	pin := automata.Or{
		automata.In{Lang: automata.Literal("/")},
		automata.Not{X: automata.Is{List: &parent, Label: allowed}},
	}
	pins := d.Pins()
	for _, p := range pins.Literals {
		// One without rules is pinned by its parent alone.
		if len(p.Rules) > 0 {
			pin = append(pin, literal(p.Path, fold(ir.Deny), false))
		}
	}
	for _, p := range pins.Patterns {
		pin = append(pin, automata.In{Lang: automata.Glob(p.Pattern, fold(ir.Deny), false)})
	}
	return automata.And{automata.Is{List: &write, Label: allowed}, pin}
}

// literal is the path, with beneath also what lies beneath it.
func literal(path string, fold glob.Fold, beneath bool) automata.Expr {
	return automata.In{Lang: literalLang(path, fold, beneath)}
}
