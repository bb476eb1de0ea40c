package verify

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/verify/automata"
)

// policyEntries is what the policy says to an operation on a directory, or on
// what is none.
func (v *profileProof) policyEntries(op operation, dir bool) entries {
	switch {
	case op.sockets:
		return sockets(v.policy)
	case op.closed && dir:
		return nil
	}
	var out entries
	switch {
	case op.creates:
		out = v.pinnedNames()
	case op.op == ir.Unlink:
		out = append(v.pinnedNames(), v.pinnedPatterns()...)
		out = append(out, v.pinnedByParent()...)
	}
	return append(out, v.effects(op.op, dir)...)
}

// effects are the policy's rules about an operation, pins aside.
func (v *profileProof) effects(op ir.Op, dir bool) entries {
	list, files := v.decisions(op, dir)
	out := make(entries, len(list.Rules))
	for i, r := range list.Rules {
		m := v.policy.Files[files[i]].Match
		_, literal := ir.Literal(m)
		out[i] = entry{
			key: ruleKey(files[i], op), when: r.When, label: r.Label, samples: samples(m),
			wild: !literal, group: groupPlain,
		}
		if v.policy.Files[files[i]].NonDir {
			out[i].group = groupNonDir
		}
		if g, ok := m.(ir.Glob); ok && len(g.Except) > 0 {
			out[i].wild, out[i].group = true, groupExcept+exceptKey(g)
		}
	}
	return out
}

// ruleKey names what a rule holds, which may be folded in another way if it closes
// what is read.
func ruleKey(rule int, op ir.Op) string {
	if op == ir.Read {
		return "read " + strconv.Itoa(rule)
	}
	return "rule " + strconv.Itoa(rule)
}

// decisions is the policy's list for the host's files. Storage of the sandbox's
// own there is none on macOS, so that a rule on such storage closes what the host
// has there.
func (v *profileProof) decisions(op ir.Op, dir bool) (automata.List, []int) {
	fold := foldingOf(v.hosts)
	return decisionsBy(v.hosts, op, dir, func(i int, r *ir.FileRule) automata.Expr {
		key := matchKey{rule: i, fold: fold(r.Effect(op))}
		x, ok := v.matches[key]
		if !ok {
			x = matchExpr(r.Match, key.fold, !r.NonDir, itself)
			v.matches[key] = x
		}
		return x
	})
}

// matchKey names what a rule holds under a folding.
type matchKey struct {
	rule int
	fold glob.Fold
}

func hostsDecider(d *ir.Decider) *ir.Decider {
	p := hosts(d.Policy())
	if p == d.Policy() {
		return d
	}
	return ir.NewDecider(p, d.Target())
}

// hosts is the policy as it speaks about the host's files.
func hosts(p *ir.Policy) *ir.Policy {
	if !slices.ContainsFunc(p.Files, func(r ir.FileRule) bool { return r.Private }) {
		return p
	}
	out := *p
	out.Files = slices.Clone(p.Files)
	for i := range out.Files {
		if r := &out.Files[i]; r.Private {
			r.Read, r.Write, r.Private = ir.Deny, ir.Deny, false
		}
	}
	return &out
}

func exceptKey(g ir.Glob) string {
	var b strings.Builder
	for _, e := range g.Except {
		b.WriteString(e.String() + "\n")
	}
	return b.String()
}

func itself(l automata.Lang) automata.Lang { return l }

// pinnedNames are the paths that are pinned by their names. Nothing can be made
// there either: a prepared directory could take the place.
func (v *profileProof) pinnedNames() entries {
	var out entries
	for _, pin := range v.decider.Pins().Literals {
		if len(pin.Rules) > 0 {
			out = append(out, entry{
				key: "pin " + pin.Path, when: literal(pin.Path, ir.FoldFor(ir.Darwin, ir.Deny), false), label: denied, samples: []string{pin.Path}, group: groupPins,
			})
		}
	}
	return out
}

// pinnedPatterns are the directories that lead to a match of a glob.
func (v *profileProof) pinnedPatterns() entries {
	var out entries
	for _, pin := range v.decider.Pins().Patterns {
		out = append(out, entry{
			key: "pin " + pin.Pattern.String(), label: denied, wild: true, samples: samples(ir.Glob{Pattern: pin.Pattern}), group: groupPins,
			when: automata.In{Lang: automata.Glob(pin.Pattern, ir.FoldFor(ir.Darwin, ir.Deny), false)},
		})
	}
	return out
}

// pinnedByParent are the paths in a directory that may not be written: those
// whose parent a closing at the top of the list holds, and those whose parent
// the rest of the list does not open. What a closing holds with all beneath it
// holds anyhow, so that of the former only the first names that an exception
// leaves open matter, and what lies in a directory that is closed alone.
func (v *profileProof) pinnedByParent() entries {
	out := entries{{key: "pin /", when: literal("/", 0, false), label: denied, samples: []string{"/"}, group: groupPins}}
	list, files := decisions(v.hosts, ir.Write, true, automata.Children)
	exceptions := map[string][]ir.Glob{}
	var order []string
	n := 0
	for ; n < len(list.Rules) && list.Rules[n].Label == denied; n++ {
		switch m := v.policy.Files[files[n]].Match.(type) {
		case ir.Glob:
			if key := exceptKey(m); key != "" {
				if exceptions[key] == nil {
					order = append(order, key)
				}
				exceptions[key] = append(exceptions[key], m)
			}
		case ir.Path:
			out = append(out, entry{
				key: fmt.Sprintf("children of rule %d", files[n]), when: list.Rules[n].When, label: denied, wild: true,
				samples: []string{strings.TrimSuffix(string(m), "/") + "/x"}, group: groupPins,
			})
		case ir.Subtree:
		}
	}
	for _, key := range order {
		out = append(out, firstOpen(exceptions[key], key))
	}
	list.Rules = list.Rules[n:]
	return append(out, entry{
		key: "children of the rest", when: automata.Not{X: automata.Is{List: &list, Label: allowed}}, label: denied, group: groupPins,
	})
}

// firstOpen are the paths that an exception matches in a directory that one of
// the globs, which all have these exceptions, closes.
func firstOpen(globs []ir.Glob, key string) entry {
	var in, at, under automata.Or
	e := entry{key: "first open in " + key, label: denied, wild: true, group: groupChildren + key}
	for _, g := range globs {
		e.key += g.String()
		in = append(in, automata.In{Lang: automata.Children(automata.Glob(g.Pattern, ir.FoldFor(ir.Darwin, ir.Deny), true))})
		e.samples = append(e.samples, childSamples(g)...)
	}
	for _, x := range globs[0].Except {
		at = append(at, automata.In{Lang: automata.Glob(x, 0, false)})
		under = append(under, automata.In{Lang: automata.Children(automata.Glob(x, 0, true))})
	}
	e.when = automata.And{in, at, automata.Not{X: under}}
	return e
}

// samples are some paths that a match holds: one for each alternative.
func samples(m ir.Match) []string {
	g, ok := m.(ir.Glob)
	if !ok {
		return []string{m.Base()}
	}
	var out []string
	for _, a := range g.Pattern.Alternatives() {
		out = append(out, sampleOf(a))
	}
	return out
}

// childSamples are some paths that an exception leaves open in what a glob
// closes.
func childSamples(g ir.Glob) []string {
	var out []string
	for _, a := range g.Pattern.Alternatives() {
		for _, e := range g.Except {
			for _, x := range e.Alternatives() {
				if len(x) > 0 && x[0].Doublestar {
					out = append(out, sampleOf(a)+sampleOf(x))
				} else {
					out = append(out, sampleOf(x))
				}
			}
		}
	}
	return out
}
