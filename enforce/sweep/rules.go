package sweep

import (
	"slices"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
)

// rules are what a sweep needs to know of a policy.
type rules struct {
	decider *ir.Decider
	roots   []string        // where the command may write on the host, sorted
	set     *glob.Set       // all that closes by a pattern; what is writable by an exception is a root
	named   map[string]bool // paths at which the decision may change without a pattern
	closed  []string        // paths closed by name beneath the roots, sorted
}

func newRules(d *ir.Decider, writable []string) *rules {
	r := &rules{decider: d, named: map[string]bool{}}
	for _, w := range writable {
		if a := d.Decide(ir.Write, w, true); a.Effect == ir.Allow && !d.Policy().Files[a.Rule].Private {
			r.roots = append(r.roots, w)
		}
	}
	slices.Sort(r.roots)
	r.roots = slices.Compact(r.roots)
	var patterns []*glob.Pattern
	files := d.Policy().Files
	for i := range files {
		f := &files[i]
		if !f.AppliesTo(d.Target()) || !r.near(f.Match) {
			continue
		}
		if path, ok := ir.Literal(f.Match); ok {
			r.named[path] = true
			if f.Write.Closes() && r.within(path) {
				r.closed = append(r.closed, path)
			}
		}
		if g, ok := f.Match.(ir.Glob); ok && f.Write.Closes() {
			if _, literal := g.Pattern.IsLiteral(); !literal {
				patterns = append(patterns, g.Pattern)
			}
		}
	}
	if len(patterns) > 0 {
		r.set = glob.NewSet(patterns)
	}
	slices.Sort(r.closed)
	r.closed = slices.Compact(r.closed)
	return r
}

// near reports whether the match may speak of something beneath a root.
func (r *rules) near(m ir.Match) bool {
	for _, base := range ir.Bases(m) {
		for _, root := range r.roots {
			if ir.Beneath(base, root) || ir.Beneath(root, base) {
				return true
			}
		}
	}
	return false
}

func (r *rules) within(path string) bool { return r.root(path) != "" }

// root returns the outermost root at or above the path, or nothing.
func (r *rules) root(path string) string {
	for _, root := range r.roots {
		if ir.Beneath(path, root) {
			return root
		}
	}
	return ""
}

// idle reports whether there is nothing to look for.
func (r *rules) idle() bool { return len(r.roots) == 0 || r.set == nil && len(r.closed) == 0 }

// open reports whether the command may write the directory on the host.
func (r *rules) open(path string) bool {
	a := r.decider.Decide(ir.Write, path, true)
	return a.Effect == ir.Allow && !r.decider.Policy().Files[a.Rule].Private
}

// closes returns the rule that closes writing at the path: the one that decides,
// or a weaker one that closes as well and wants the find moved aside.
func (r *rules) closes(path string, dir bool) (rule int, ok bool) {
	rule = -1
	for _, i := range r.decider.Matching(ir.Write, path, dir) {
		f := &r.decider.Policy().Files[i]
		if !f.Write.Closes() {
			break
		}
		if f.Sweep == ir.SweepQuarantine {
			return i, true
		}
		if rule < 0 {
			rule = i
		}
	}
	return rule, rule >= 0
}

// runs reports whether the rule marks code that would run later.
func (r *rules) runs(rule int) bool {
	return r.decider.Policy().Files[rule].Sweep == ir.SweepQuarantine
}
