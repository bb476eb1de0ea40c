package frontend

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
)

// order puts the rules in their places: by group; roots deepest first, at the
// same path the higher layer first; all else as it was added. Paths that a
// closing on darwin takes for the same are the same path.
func order(rules []ir.FileRule) {
	same := map[string]string{} // the first spelling by foldKey
	for i := range rules {
		if p := rules[i].Match.Base(); rules[i].Group == ir.GroupRoot {
			k := foldKey(p)
			if first, ok := same[k]; !ok || p < first {
				same[k] = p
			}
		}
	}
	spelling := map[string]string{}
	for i := range rules {
		if p := rules[i].Match.Base(); rules[i].Group == ir.GroupRoot {
			spelling[p] = same[foldKey(p)]
		}
	}
	slices.SortStableFunc(rules, func(a, b ir.FileRule) int {
		if c := cmp.Compare(a.Group, b.Group); c != 0 || a.Group != ir.GroupRoot {
			return c
		}
		pa, pb := a.Match.Base(), b.Match.Base()
		return cmp.Or(
			cmp.Compare(depth(pb), depth(pa)),
			strings.Compare(spelling[pa], spelling[pb]),
			cmp.Compare(a.Layer, b.Layer),
			cmp.Compare(weight(b), weight(a)),
			strings.Compare(pa, pb),
		)
	})
}

// foldKey is equal for two paths if a closing on darwin takes them for the same.
func foldKey(p string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, norm.NFD.String(p))
}

func depth(p string) int {
	if p == "/" {
		return 0
	}
	return strings.Count(p, "/")
}

// weight orders the roots at one path in one layer: what only closes over none
// over private storage over write over read over what only opens reading.
func weight(r ir.FileRule) int {
	switch {
	case r.Private:
		return 3
	case r.Read == ir.Allow && r.Write == ir.Pass:
		return 0
	case r.Read == ir.Allow && r.Write == ir.Deny:
		return 1
	case r.Read == ir.Allow && r.Write == ir.Allow:
		return 2
	case r.Read == ir.Deny && r.Write == ir.Deny:
		return 4
	}
	return 5
}

// whole reports whether the rule is a root of access none, read or write, or
// private storage.
func whole(r ir.FileRule) bool { w := weight(r); return 1 <= w && w <= 4 }

// split reports whether the rule is the darwin half of a rule that stands just
// before it, for which everything has been said.
func split(rules []ir.FileRule, i int) bool {
	return i > 0 && rules[i-1].Target == ir.Linux && rules[i-1].Origin.Address == rules[i].Origin.Address &&
		rules[i-1].Origin.Range == rules[i].Origin.Range
}

// mergeRoots removes repeated roots of one layer, and warns where the same path
// has two accesses: none wins over write, and write over read.
func (b *builder) mergeRoots() {
	type key struct {
		path, target string
		layer        ir.Layer
	}
	best := map[key]int{}
	drop := map[int]bool{}
	for i := range b.rules {
		r := &b.rules[i]
		if r.Group != ir.GroupRoot || !whole(*r) || strings.HasPrefix(r.Origin.Address, "rules[") {
			continue
		}
		k := key{r.Match.Base(), r.Target, r.Layer}
		j, ok := best[k]
		if !ok {
			best[k] = i
			continue
		}
		win, lose := j, i
		if weight(b.rules[i]) > weight(b.rules[j]) {
			win, lose = i, j
		}
		best[k] = win
		drop[lose] = true
		if weight(b.rules[win]) != weight(b.rules[lose]) && (r.Target != ir.Darwin || !split(b.rules, i)) {
			w, l := b.rules[win], b.rules[lose]
			at := l.Origin.Range
			b.diags.Add(diag.Diagnostic{
				Code: diag.CodeBothAccess, Severity: diag.Warning, Subject: &at, Rule: l.Origin.Address,
				Summary: fmt.Sprintf("%q has two accesses in one layer", k.path),
				Detail:  fmt.Sprintf("%s wins. Remove one of the two.", w.Origin.Address),
				Related: []diag.Related{{Range: w.Origin.Range, Message: "the other one is here"}},
			})
		}
	}
	kept := b.rules[:0]
	for i, r := range b.rules {
		if !drop[i] {
			kept = append(kept, r)
		}
	}
	b.rules = kept
}
