package ir

import (
	"slices"
	"strings"

	"github.com/sandboxc/sbc/ir/glob"
)

// Pins is what may not be removed, renamed or replaced although writing is
// permitted there; [Policy.Pinned] says when. Together the three lists hold
// every pinned path but "/". Each holds more than the pinned ones: a pin counts
// only where writing is permitted, under every spelling that a closing folds
// to it.
type Pins struct {
	Literals []Pin // sorted by path
	// Patterns are the leading parts of closing globs.
	Patterns []PinPattern
	// Edges are where a writable path can have a parent that is not writable
	// without being a root: the exceptions of closing globs, what lies in a
	// directory that alone is closed, and what the floor opens by a glob. Such a
	// path is pinned only if its parent is not writable.
	Edges []PinPattern
}

// Pin is one pinned path.
type Pin struct {
	Path string
	// Rules are the closings below the path that make it a pin, in the list's
	// order; empty for a writable root that is pinned only since its parent is
	// not writable.
	Rules []int
	// Root is set if the parent is not writable.
	Root bool
}

// PinPattern is a set of pinned paths: those that the pattern matches, without
// what lies beneath. Rule is the index of the closing that it comes from.
type PinPattern struct {
	Pattern *glob.Pattern
	Rule    int
}

// pinFinder collects the pins of a policy for one target.
type pinFinder struct {
	*Decider
	lits map[string]*Pin // nil if the path is not writable
	open map[string]bool // keys of the bases of what opens writing
	out  Pins
}

func (d *Decider) findPins() Pins {
	f := pinFinder{Decider: d, lits: map[string]*Pin{}, open: map[string]bool{}}
	var rules []int
	for i := range d.policy.Files {
		if r := &d.policy.Files[i]; r.AppliesTo(d.target) {
			rules = append(rules, i)
			if r.Write == Allow {
				for _, base := range Bases(r.Match) {
					f.open[key(base)] = true
				}
			}
		}
	}
	for _, i := range rules {
		r := &d.policy.Files[i]
		switch {
		case r.Write == Allow:
			f.opening(i, r)
		case r.Write.Closes():
			f.closing(i, r)
			f.edges(i, r)
		}
	}
	for _, pin := range f.lits {
		// What is neither is an inner root that nothing closed surrounds.
		if pin != nil && (pin.Root || len(pin.Rules) > 0) {
			f.out.Literals = append(f.out.Literals, *pin)
		}
	}
	slices.SortFunc(f.out.Literals, func(a, b Pin) int { return strings.Compare(a.Path, b.Path) })
	return f.out
}

// opening adds where rule i may open something in what is closed.
func (f *pinFinder) opening(i int, r *FileRule) {
	switch m := r.Match.(type) {
	case Path, Subtree:
		f.literal(m.Base())
	case Glob:
		f.out.Edges = append(f.out.Edges, PinPattern{Pattern: m.Pattern, Rule: i})
	}
}

// literal returns the entry of a path, nil if writing is not permitted there.
func (f *pinFinder) literal(path string) *Pin {
	pin, ok := f.lits[path]
	if !ok {
		if f.mayWrite(path) {
			parent := f.list(Query{Target: f.target, Op: Write, Path: Parent(path), Dir: true})
			pin = &Pin{Path: path, Root: path == "/" || parent.Effect != Allow}
		}
		f.lits[path] = pin
	}
	return pin
}

// mayWrite reports whether writing is permitted at the path or, where closings
// fold, perhaps at another spelling of it.
func (f *pinFinder) mayWrite(path string) bool {
	if FoldFor(f.target, Deny) == glob.Exact {
		return f.list(Query{Target: f.target, Op: Write, Path: path, Dir: true}).Effect == Allow
	}
	k := key(path)
	return f.open[k] || slices.ContainsFunc(Ancestors(k), func(a string) bool { return f.open[a] })
}

// closing adds the directories whose renaming would carry away what rule i
// closes.
func (f *pinFinder) closing(i int, r *FileRule) {
	var dirs []string
	if _, ok := Literal(r.Match); ok {
		if closed, ok := r.closedPoint(f.policy.Files, f.list, f.target); ok {
			dirs = Ancestors(closed)
		}
	} else if g, ok := r.Match.(Glob); ok {
		for _, lead := range g.Pattern.Leading() {
			if lit, ok := lead.IsLiteral(); ok {
				dirs = append(dirs, lit)
			} else {
				f.out.Patterns = append(f.out.Patterns, PinPattern{Pattern: lead, Rule: i})
			}
		}
	}
	for _, dir := range dirs {
		if pin := f.literal(dir); pin != nil {
			pin.Rules = append(pin.Rules, i)
		}
	}
}

// edges adds where what rule i closes has an open thing directly in it.
func (f *pinFinder) edges(i int, r *FileRule) {
	switch m := r.Match.(type) {
	case Glob:
		for _, e := range m.Except {
			f.out.Edges = append(f.out.Edges, PinPattern{Pattern: e, Rule: i})
		}
	case Path:
		children, err := glob.Parse(strings.TrimSuffix(glob.Quote(string(m)), "/") + "/*")
		if err == nil && !r.NonDir { // a clean path always parses
			f.out.Edges = append(f.out.Edges, PinPattern{Pattern: children, Rule: i})
		}
	case Subtree:
	}
}
