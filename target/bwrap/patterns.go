package bwrap

import (
	"strings"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
)

// role is what a match of a pattern means.
type role uint8

const (
	closes  role = iota + 1 // the match is closed
	excepts                 // the match is open again
	pins                    // the match must not be renamed
	folds                   // every name in the match is closed: the pattern ends in /*
)

// pattern is one pattern of a walk.
type pattern struct {
	glob *glob.Pattern
	role role
	rule int
}

// patternSet is the patterns that matter in the same places.
type patternSet struct {
	patterns []pattern
	set      *glob.Set
}

func newPatternSet(ps []pattern) patternSet {
	globs := make([]*glob.Pattern, len(ps))
	for i, p := range ps {
		globs[i] = p.glob
	}
	return patternSet{ps, glob.NewSet(globs)}
}

// patterns are all patterns of a policy: what closes reading matters wherever
// something can be read, what closes only writing, and what pins, only where
// something can be written, an exception only beneath what is closed.
type patterns struct {
	read, write, except patternSet
}

// sets returns the three in the order that a walk keeps states in.
func (p *patterns) sets() [numSets]*patternSet {
	return [numSets]*patternSet{&p.read, &p.write, &p.except}
}

const (
	inRead = iota
	inWrite
	inExcept
	numSets
)

// newPatterns collects the patterns of all rules of the target.
func newPatterns(d *ir.Decider) *patterns {
	var read, write, except []pattern
	files := d.Policy().Files
	for i := range files {
		r := &files[i]
		g, ok := closingGlob(r, d.Target())
		if !ok {
			continue
		}
		into := &write
		if r.Read.Closes() {
			into = &read
		}
		*into = append(*into, pattern{g.Pattern, closes, i})
		for _, e := range g.Except {
			except = append(except, pattern{e, excepts, i})
		}
		if r.NonDir || len(g.Except) > 0 && !foldsDespite(r) {
			continue
		}
		for _, dir := range starParents(g.Pattern) {
			*into = append(*into, pattern{dir, folds, i})
		}
	}
	for _, pin := range d.Pins().Patterns {
		write = append(write, pattern{pin.Pattern, pins, pin.Rule})
	}
	return &patterns{newPatternSet(read), newPatternSet(write), newPatternSet(except)}
}

// foldsDespite reports whether a directory in which every name but exceptions is
// closed is closed as a whole all the same: for a guard that closes writing, a
// hook that does not exist yet matters more than a new sample of one.
func foldsDespite(r *ir.FileRule) bool { return r.Guard != "" && !r.Read.Closes() }

// closingGlob returns the rule's glob if the rule closes by one that has
// wildcards. A glob without wildcards is a literal path.
func closingGlob(r *ir.FileRule, targetName string) (ir.Glob, bool) {
	if !r.AppliesTo(targetName) || !r.Read.Closes() && !r.Write.Closes() {
		return ir.Glob{}, false
	}
	g, ok := r.Match.(ir.Glob)
	if _, literal := ir.Literal(r.Match); !ok || literal && len(g.Except) == 0 {
		return ir.Glob{}, false
	}
	return g, true
}

// starParents returns what stands before the /* at the end of the pattern's
// alternatives: in what these match, every name is matched.
func starParents(p *glob.Pattern) []*glob.Pattern {
	var out []*glob.Pattern
	for _, a := range p.Alternatives() {
		if n := len(a); n > 1 && anyName(a[n-1]) {
			if dir, err := glob.Parse(a[:n-1].String()); err == nil {
				out = append(out, dir)
			}
		}
	}
	return out
}

// anyName reports whether the segment matches every name.
func anyName(s glob.Segment) bool {
	if s.Doublestar || len(s.Atoms) != 1 {
		return false
	}
	_, star := s.Atoms[0].(glob.AnyRun)
	return star
}

// plantable reports whether a prepared tree can be renamed into place beneath
// the pattern's base and bring a closed path along: it has more than one
// segment left to match there, ** aside.
//
// With a single segment a prepared file is itself a match, under the same name
// and so closed before it is moved.
func plantable(p *glob.Pattern) bool {
	for _, a := range p.Alternatives() {
		literal, segments := true, 0
		for _, s := range a {
			_, lit := s.Literal()
			literal = literal && lit
			if !literal && !s.Doublestar {
				segments++
			}
		}
		if segments > 1 {
			return true
		}
	}
	return false
}

// strayException reports whether a match can become excepted by moving a
// directory above it. Harmless are an exception that is move-safe by itself, one
// that stands beside its pattern (the same directory, other names), and one for
// the same names as such a one: what it covers was open before.
func strayException(g ir.Glob) bool {
	near := map[string]bool{}
	for _, e := range g.Except {
		if beside(e, g.Pattern) {
			near[lastNames(e)] = true
		}
	}
	for _, e := range g.Except {
		if !e.MoveSafe() && !beside(e, g.Pattern) && !near[lastNames(e)] {
			return true
		}
	}
	return false
}

// lastNames returns the last segments of a pattern's alternatives.
func lastNames(p *glob.Pattern) string {
	var out []string
	for _, a := range p.Alternatives() {
		if n := len(a); n > 0 {
			out = append(out, a[n-1].String())
		}
	}
	return strings.Join(out, "/")
}

// beside reports whether e stands beside p: it has a base at or above that of
// p, and each of its alternatives stands in a directory that p has too.
func beside(e, p *glob.Pattern) bool {
	for _, base := range p.Bases() {
		if _, ok := beneath(base, e.Base()); !ok {
			return false
		}
	}
	dirs := map[string]bool{}
	for _, a := range p.Alternatives() {
		dirs[dirBelowBase(a)] = true
	}
	for _, a := range e.Alternatives() {
		if !dirs[dirBelowBase(a)] {
			return false
		}
	}
	return true
}

// dirBelowBase returns what stands between the literal beginning of an
// alternative and its last segment.
func dirBelowBase(a glob.Alternative) string {
	if len(a) == 0 {
		return "/"
	}
	a = a[:len(a)-1]
	for len(a) > 0 {
		if _, literal := a[0].Literal(); !literal {
			break
		}
		a = a[1:]
	}
	return a.String()
}
