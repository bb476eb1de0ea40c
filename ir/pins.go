package ir

import (
	"slices"
	"strings"

	"github.com/sandboxc/sbc/ir/glob"
)

// Pinned reports whether the query's path may not be removed, renamed or
// replaced although writing is permitted there. These are:
//
//   - a writable path whose parent is not writable;
//   - a writable directory that has something closed below it by a literal
//     rule: if it could be renamed, the protection would move away with it;
//   - a writable directory that a leading part of a closing glob matches; a
//     move-safe glob has none.
//
// A directory that only the "**" of a glob leads through is not pinned: for
// "/w/a/**/*.key" it can be moved from /w/a/b to /w/b with all its keys. Targets
// report such a glob as movable, unless it holds wherever writing is permitted.
//
// The Op of the query is ignored.
func (p *Policy) Pinned(q Query) bool {
	q.Op = Write
	if p.Decide(q).Effect != Allow {
		return false
	}
	if q.Path == "/" {
		return true
	}
	parent := Query{Target: q.Target, Op: Write, Path: Parent(q.Path), Dir: true}
	if p.Decide(parent).Effect != Allow {
		return true
	}
	for i := range p.Files {
		if p.pinnedBy(&p.Files[i], q) {
			return true
		}
	}
	return false
}

func (p *Policy) pinnedBy(r *FileRule, q Query) bool {
	if !r.Write.Closes() || !r.AppliesTo(q.Target) {
		return false
	}
	fold := FoldFor(q.Target, r.Write)
	if _, ok := Literal(r.Match); ok {
		closed, ok := r.closedPoint(p.Files, p.Decide, q.Target)
		return ok && above(q.Path, closed, fold)
	}
	g, ok := r.Match.(Glob)
	// What is move-safe has no leading part.
	return ok && slices.ContainsFunc(g.Pattern.Leading(), func(lead *glob.Pattern) bool {
		return lead.Match(q.Path, fold)
	})
}

// closedPoint returns a path that the literal closing r keeps from being
// written: its own, or what lies beneath if a stronger rule opens that path
// alone. A closing that stronger rules open again altogether has none, for it
// protects nothing.
func (r *FileRule) closedPoint(rules []FileRule, decide func(Query) Decision, target string) (string, bool) {
	lit, _ := Literal(r.Match)
	d := decide(Query{Target: target, Op: Write, Path: lit})
	if d.Effect != Allow {
		return lit, true
	}
	_, alone := rules[d.Rule].Match.(Path)
	if _, path := r.Match.(Path); path || r.NonDir || !alone {
		return "", false
	}
	return strings.TrimSuffix(lit, "/") + "/*", true
}

// above reports whether dir is a proper ancestor of path.
func above(dir, path string, fold glob.Fold) bool {
	return slices.ContainsFunc(Ancestors(path), func(a string) bool {
		return Path(a).Matches(dir, fold)
	})
}

// Literal returns the path of a match that names exactly one path (with or
// without what lies beneath it), for a glob without wildcards too.
func Literal(m Match) (string, bool) {
	switch m := m.(type) {
	case Path:
		return string(m), true
	case Subtree:
		return string(m), true
	case Glob:
		return m.Pattern.IsLiteral()
	}
	return "", false
}

// MoveSafe reports whether what the glob matches still matches wherever it is
// moved: pattern and exceptions are "**/" and one segment.
func MoveSafe(g Glob) bool {
	return g.Pattern.MoveSafe() && !slices.ContainsFunc(g.Except, func(e *glob.Pattern) bool { return !e.MoveSafe() })
}
