package verify

import (
	"slices"
	"strings"
	"unicode"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/verify/automata"
)

// The ranks of answers about files: storage of the sandbox's own is less than
// the host's.
const (
	rankClosed uint8 = iota
	rankPrivate
	rankOpen
)

// side is one of two policies that are compared.
type side struct {
	policy  *ir.Policy // may lack rules of the policy that was given; the indices stay
	decider *ir.Decider
	// exact is set if only those paths count that the policy answers alike with
	// and without folding.
	exact bool
	// grants is set if it is asked what grants may open; see [side.grantable].
	grants bool
}

func newSide(p *ir.Policy, target string, left func(*ir.FileRule) bool) *side {
	p = without(p, left)
	return &side{policy: p, decider: ir.NewDecider(p, target)}
}

// without returns the policy without some of its file rules: they say nothing
// any more, so that the others keep their indices.
func without(p *ir.Policy, left func(*ir.FileRule) bool) *ir.Policy {
	out := *p
	out.Files = slices.Clone(p.Files)
	for i := range out.Files {
		if r := &out.Files[i]; left(r) {
			r.Read, r.Write = ir.Pass, ir.Pass
		}
	}
	return &out
}

// about returns the side without what cannot matter at some paths, at what lies
// beneath them, or to whether they are pinned: what matches nothing at, above or
// beneath any of them. The rules keep their indices.
func (s *side) about(paths []string) *side {
	paths = mapped(paths, strings.ToLower) // closings may fold
	slices.Sort(paths)
	paths = slices.Compact(paths)
	related := func(base string) bool {
		base = strings.ToLower(base)
		return strings.ContainsFunc(base, func(r rune) bool { return r > unicode.MaxASCII }) ||
			slices.ContainsFunc(paths, func(p string) bool { return ir.Beneath(p, base) || ir.Beneath(base, p) })
	}
	p := *s.policy
	p.Files = slices.Clone(p.Files)
	for i := range p.Files {
		r := &p.Files[i]
		g, isGlob := r.Match.(ir.Glob)
		if !isGlob {
			if !related(r.Match.Base()) {
				r.Read, r.Write = ir.Pass, ir.Pass
			}
			continue
		}
		var kept []string
		all := g.Pattern.Alternatives()
		for _, a := range all {
			if one, err := glob.Parse(a.String()); err != nil || related(one.Base()) {
				kept = append(kept, a.String()[1:])
			}
		}
		switch {
		case len(kept) == 0:
			r.Read, r.Write = ir.Pass, ir.Pass
		case len(kept) < len(all):
			if some, err := glob.Parse("/{" + strings.Join(kept, ",") + "}"); err == nil {
				r.Match = ir.Glob{Pattern: some, Except: g.Except}
			}
		}
	}
	return &side{policy: &p, decider: ir.NewDecider(&p, s.decider.Target()), exact: s.exact, grants: s.grants}
}

// policyFile is the address of the rules that close policy files. Each policy
// closes its own, so that they say nothing of what a policy permits.
const policyFile = "policy-file"

func isPolicyFile(r *ir.FileRule) bool { return r.Origin.Address == policyFile }

// rank is the rank of a rule of the policy; -1 is the default, or a pin.
func (s *side) rank(rule int, op ir.Op) uint8 {
	switch {
	case s.grants && (rule < 0 || s.policy.Files[rule].Effect(op) != ir.Deny):
		return rankOpen
	case rule < 0 || s.policy.Files[rule].Effect(op) != ir.Allow:
		return rankClosed
	case s.policy.Files[rule].Private:
		return rankPrivate
	}
	return rankOpen
}

// pinName is the name of pins among what decides. No rule has such an address.
const pinName = "\x00pinned"

// folding is how the side's rules compare paths, as far as that counts.
func (s *side) folding() folding {
	if s.exact {
		return exactly
	}
	return foldingOf(s.decider)
}

// ranked is what the policy answers to an operation.
func (s *side) ranked(op ir.Op, dir bool) ranked {
	list, files := s.list(op, dir, s.folding())
	out := ranked{names: make([]string, len(files))}
	if s.exact && s.folds() {
		folded, _ := s.list(op, dir, foldingOf(s.decider))
		out.only = &folded
	}
	for i, f := range files {
		out.names[i] = pinName
		if f >= 0 {
			out.names[i] = s.policy.Files[f].Origin.Address
		}
	}
	out.list = list
	return out
}

// list is the policy's answers as ranks.
func (s *side) list(op ir.Op, dir bool, fold folding) (list automata.List, files []int) {
	list, files = fromDecider(s.decider, op, dir, fold)
	list.Default = rankClosed
	if s.grants {
		list.Default = rankOpen
	}
	for i, f := range files {
		list.Rules[i].Label = s.rank(f, op)
	}
	return list, files
}

// decide asks the policy itself.
func (s *side) decide(op ir.Op, path string, dir bool) (ir.Decision, uint8) {
	d := s.decider.Decide(op, path, dir)
	if d.Effect != ir.Allow && !s.grants {
		return d, rankClosed
	}
	return d, s.rank(d.Rule, op)
}

// asksKind reports whether the policy has rules that tell directories from
// other files.
func (s *side) asksKind() bool {
	return slices.ContainsFunc(s.policy.Files, func(r ir.FileRule) bool { return r.NonDir && r.AppliesTo(s.decider.Target()) })
}

// reachable are the paths that reach the kernel of a target.
func reachable(target string) automata.Expr {
	if target == ir.Darwin {
		return domain()
	}
	return automata.In{Lang: automata.Clean()}
}

// folds reports whether closings hold other spellings of a path too.
func (s *side) folds() bool { return ir.FoldFor(s.decider.Target(), ir.Deny) != glob.Exact }
