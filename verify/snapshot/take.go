package snapshot

import (
	"slices"
	"strings"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
)

// Options bound the walk. Zero means no bound.
type Options struct {
	Files int // names that are looked at
	Depth int // directories below each other
}

// Snapshot is a policy for Linux without wildcards.
type Snapshot struct {
	// Policy holds the rules of the policy that apply on Linux, in their order,
	// each closing glob replaced by one rule for each of its outermost matches.
	// Globs that open are left out: no mount opens by a pattern.
	Policy *ir.Policy
	// Rules holds, for each rule of Policy, its index in the policy.
	Rules []int
	// Pins are the paths, sorted, that the leading parts of closing globs match:
	// what is pinned for a glob and exists.
	Pins []string
	// Types are the types of what the globs matched, by path.
	Types map[string]host.Type
	// Unread are the directories that could not be listed, in walk order.
	Unread []string
	// Short is set if a bound ended the walk.
	Short bool
}

// Original returns the index in the original policy of a rule of the snapshot;
// -1 stays -1.
func (s *Snapshot) Original(rule int) int {
	if rule < 0 {
		return rule
	}
	return s.Rules[rule]
}

// Take walks the host and returns the snapshot. It reads directories in which
// the policy lets something be read or written that a glob closes; errors of
// the view leave a directory unread.
func Take(p *ir.Policy, view host.View, o Options) *Snapshot {
	w := newWalk(p, view, o)
	w.run()
	s := &Snapshot{
		Types: w.types, Unread: w.unread, Short: w.short, Pins: w.pins,
		Policy: &ir.Policy{Version: p.Version, Workspace: p.Workspace, Home: p.Home, Temp: p.Temp},
	}
	add := func(r ir.FileRule, i int) {
		s.Policy.Files = append(s.Policy.Files, r)
		s.Rules = append(s.Rules, i)
	}
	for i := range p.Files {
		r := p.Files[i]
		switch g, isGlob := r.Match.(ir.Glob); {
		case !r.AppliesTo(ir.Linux):
		case !isGlob:
			add(r, i)
		case r.Opens():
		default:
			for _, m := range w.matches(i, g, r.NonDir) {
				r.Match = m
				add(r, i)
			}
		}
	}
	return s
}

// matches returns the literal matches of rule i.
func (w *walk) matches(i int, g ir.Glob, nonDir bool) []ir.Match {
	found := w.found[i].pattern
	if lit, ok := g.Pattern.IsLiteral(); ok {
		found = []string{lit}
	}
	var out []ir.Match
	last := ""
	slices.Sort(found)
	for _, path := range found {
		if last != "" && !nonDir && ir.Beneath(path, last) {
			continue
		}
		last = path
		except := literals(w.found[i].except, path)
		for _, e := range g.Except {
			if lit, ok := e.IsLiteral(); ok && (ir.Beneath(lit, path) || ir.Beneath(path, lit)) {
				except = append(except, glob.Literal(lit))
			}
		}
		if nonDir && w.types[path] == host.Dir || slices.ContainsFunc(g.Except, func(e *glob.Pattern) bool { return e.Covers(path, glob.Exact) }) {
			continue
		}
		out = append(out, ir.Glob{Pattern: glob.Literal(path), Except: except})
	}
	return out
}

// literals returns the patterns for the paths at, above or beneath another one.
func literals(paths []string, path string) []*glob.Pattern {
	var out []*glob.Pattern
	for _, p := range paths {
		if ir.Beneath(p, path) || ir.Beneath(path, p) {
			out = append(out, glob.Literal(p))
		}
	}
	return out
}

// join returns the path of a name in a directory.
func join(dir, name string) string { return strings.TrimSuffix(dir, "/") + "/" + name }
