package frontend

import (
	"cmp"
	"slices"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
)

// writeRoot is an outermost write root of a target.
type writeRoot struct {
	path   string
	target string // "" for every target
	// writeOnly: a guard closes only writing beneath it. A grant gives the root,
	// and what could be read beneath it without the grant still can.
	writeOnly bool
}

// writeRoots returns the write roots that lie in no other one: those of the
// rules and, where they lie in none of these, those that only grants give.
func writeRoots(rules []ir.FileRule, grants []grant) []writeRoot {
	var own, given []writeRoot
	for i := range rules {
		if r := &rules[i]; r.Write == ir.Allow && !r.Private && r.Layer != ir.LayerFloor {
			own = append(own, writeRoot{path: r.Match.Base(), target: r.Target})
		}
	}
	own = outermost(own, nil)
	for _, g := range grants {
		if g.access == "read" {
			rules = append(slices.Clip(rules), g.rule)
		}
	}
	for i := range grants {
		g := &grants[i]
		if g.access != "write" {
			continue
		}
		for _, target := range targets() {
			given = append(given, writeRoot{g.paths[target], target, readable(rules, g.paths[target])})
		}
	}
	out := slices.Concat(own, onBoth(outermost(given, own)))
	slices.SortFunc(out, func(x, y writeRoot) int {
		return cmp.Or(cmp.Compare(x.path, y.path), cmp.Compare(x.target, y.target))
	})
	return out
}

// rootGroup is write roots that guards treat alike: one rule of a guard is for
// all of them.
type rootGroup struct {
	target    string
	writeOnly bool
	roots     *glob.Roots
}

// rootGroups returns a function that groups the roots for a target, and
// remembers the answer.
func rootGroups(roots []writeRoot) func(target string) []rootGroup {
	known := map[string][]rootGroup{}
	return func(target string) []rootGroup {
		if _, ok := known[target]; !ok {
			known[target] = groupRoots(roots, target)
		}
		return known[target]
	}
}

// groupRoots puts the roots together that a guard's rule for the target, or for
// every target if that is empty, is for. Roots of every target go with those of
// each single target, if there are any.
func groupRoots(roots []writeRoot, target string) []rootGroup {
	on := []string{target}
	if target == "" && slices.ContainsFunc(roots, func(w writeRoot) bool { return w.target != "" }) {
		on = targets()
	}
	var out []rootGroup
	for _, t := range on {
		for _, writeOnly := range []bool{false, true} {
			var paths []string
			for _, w := range roots {
				if w.writeOnly == writeOnly && (w.target == "" || w.target == t) && !slices.Contains(paths, w.path) {
					paths = append(paths, w.path)
				}
			}
			if len(paths) > 0 {
				out = append(out, rootGroup{target: t, writeOnly: writeOnly, roots: glob.NewRoots(paths)})
			}
		}
	}
	return out
}

// outermost returns the roots that lie in no other one, nor in one of those
// that are known already.
func outermost(roots, known []writeRoot) []writeRoot {
	type key struct{ path, target string }
	all := map[key]bool{}
	for _, w := range slices.Concat(roots, known) {
		all[key{w.path, w.target}] = true
	}
	covers := func(path string, w writeRoot) bool {
		return all[key{path, ""}] || w.target != "" && all[key{path, w.target}]
	}
	var out []writeRoot
	taken := map[key]bool{}
	for _, w := range known {
		taken[key{w.path, w.target}] = true
	}
	for _, w := range roots {
		k := key{w.path, w.target}
		inner := w.target != "" && all[key{w.path, ""}] ||
			slices.ContainsFunc(ir.Ancestors(w.path), func(a string) bool { return covers(a, w) })
		if !inner && !taken[k] {
			taken[k] = true
			out = append(out, w)
		}
	}
	return out
}

// onBoth makes one root of two that differ in their targets alone.
func onBoth(roots []writeRoot) []writeRoot {
	var out []writeRoot
	for _, w := range roots {
		on := w
		on.target = ir.Linux
		twin := w
		twin.target = ir.Darwin
		switch {
		case !slices.Contains(roots, on) || !slices.Contains(roots, twin):
			out = append(out, w)
		case w.target == ir.Linux:
			w.target = ""
			out = append(out, w)
		}
	}
	return out
}

// readable reports whether a rule opens reading of the path, or of something
// beneath it, in any spelling.
func readable(rules []ir.FileRule, path string) bool {
	path = foldKey(path)
	return slices.ContainsFunc(rules, func(r ir.FileRule) bool {
		base := foldKey(r.Match.Base())
		_, alone := r.Match.(ir.Path)
		return r.Read == ir.Allow && !alone && (ir.Beneath(path, base) || ir.Beneath(base, path))
	})
}
