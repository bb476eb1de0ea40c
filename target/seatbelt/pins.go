package seatbelt

import (
	"slices"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/target/seatbelt/sbpl"
)

// Pins are written for leaf operations, so that they beat every opening for
// writing. A directory that has something closed beneath it may not be created
// either, where its path is known: a prepared one could be renamed into its
// place. One that exists cannot be created anyway.
var (
	unlinkOps = []sbpl.Op{"file-write-unlink"}
	placeOps  = []sbpl.Op{"file-write-unlink", "file-write-create"}
)

var directory = sbpl.Symbol{Name: "vnode-type", Value: "DIRECTORY"}

// pins returns the items for what must not be removed, renamed or replaced
// although it may be written.
func (l *lowering) pins(written *reach) []item {
	var out []item
	pins := l.decider.Pins()
	for _, pin := range pins.Literals {
		if len(pin.Rules) == 0 {
			out = append(out, l.pin(pin.Path, nil, unlinkOps, sbpl.Literal(pin.Path)))
			continue
		}
		fs := closing(ir.Path(pin.Path), false, written)
		for _, f := range fs.list {
			out = append(out, l.pin(pin.Path, pin.Rules[:1], placeOps, f))
		}
		l.fate[pin.Rules[0]].lose(fs)
		l.fate[pin.Rules[0]].pinned = append(l.fate[pin.Rules[0]].pinned, pin.Path)
	}
	for _, pp := range pins.Patterns {
		fs := closing(ir.Glob{Pattern: pp.Pattern}, true, written)
		for _, f := range fs.list {
			out = append(out, l.pin(pp.Pattern.String(), []int{pp.Rule}, unlinkOps, f))
		}
		l.fate[pp.Rule].lose(fs)
	}
	out = append(out, l.edges(written)...)
	out = append(out, l.filePins()...)
	return append(out, l.exceptDirs(written)...)
}

func (l *lowering) pin(path string, rules []int, ops []sbpl.Op, f sbpl.Filter) item {
	it := newItem(sbpl.Deny, ops, sbpl.Clause{Filter: f, Note: "pin " + path})
	for _, i := range rules {
		it.clause.Note = "pin for " + note(l.policy.Files[i].Origin)
		l.fate[i].add(it)
	}
	return it
}

// edges returns the items for writable paths directly beneath what is closed,
// as far as no literal pin names them: the exceptions of a closing, what lies
// in a directory that is closed alone, and what a glob opens.
func (l *lowering) edges(written *reach) []item {
	var out []item
	groups := map[string]*edge{}
	var order []*edge
	for i := range l.policy.Files {
		r := &l.policy.Files[i]
		if !r.AppliesTo(ir.Darwin) || r.Private || r.NonDir {
			continue
		}
		switch m := r.Match.(type) {
		case ir.Glob:
			switch {
			case r.Write == ir.Allow:
				for _, f := range l.openedEdges(i, m) {
					out = append(out, l.pin("", []int{i}, unlinkOps, f))
				}
			case r.Write.Closes() && len(m.Except) > 0:
				e := l.exceptEdge(i, m, written)
				if len(e.patterns) == 0 {
					continue
				}
				key := e.key()
				if g := groups[key]; g != nil {
					g.patterns = append(g.patterns, e.patterns...)
					continue
				}
				groups[key] = &e
				order = append(order, &e)
			}
		case ir.Path:
			if r.Write.Closes() && l.decider.Decide(ir.Write, string(m), true).Effect != ir.Allow {
				for _, f := range childEdges(string(m), written) {
					out = append(out, l.pin("", []int{i}, unlinkOps, f))
				}
			}
		case ir.Subtree:
			// What is open directly beneath it has a rule, and so a literal pin.
		}
	}
	for _, e := range order {
		out = append(out, e.items()...)
	}
	return out
}

// edge is what exceptions match within directories that patterns close.
type edge struct {
	note     string
	patterns []sbpl.Filter // what lies beneath a match of the pattern
	matches  []sbpl.Filter // what an exception matches
	open     []sbpl.Filter // and is not in a directory that is open
}

// key is the same for closings with the same exceptions.
func (e *edge) key() string { return sbpl.Format(sbpl.Any(e.matches)) + sbpl.Format(sbpl.All(e.open)) }

// items returns the filters, a limited number of patterns in each.
func (e *edge) items() []item {
	const most = 16 // patterns of at most MaxRegex bytes stay below sbpl.MaxClauses
	var out []item
	seen := map[string]bool{}
	unique := slices.DeleteFunc(e.patterns, func(f sbpl.Filter) bool {
		text := sbpl.Format(f)
		was := seen[text]
		seen[text] = true
		return was
	})
	for part := range slices.Chunk(unique, most) {
		f := slices.Concat(sbpl.All{sbpl.AnyOf(part...), sbpl.AnyOf(e.matches...)}, e.open)
		out = append(out, newItem(sbpl.Deny, unlinkOps, sbpl.Clause{Filter: f, Note: e.note}))
	}
	return out
}

// exceptEdge are the paths that an exception matches within a directory that
// the pattern closes.
func (l *lowering) exceptEdge(i int, g ir.Glob, written *reach) edge {
	e := edge{note: "exceptions of " + note(l.policy.Files[i].Origin)}
	var fs filters
	for _, a := range g.Pattern.Alternatives() {
		if f, ok := fs.alternative(a, beneath, written); ok {
			e.patterns = append(e.patterns, f)
		}
	}
	for _, x := range g.Except {
		for _, a := range x.Alternatives() {
			e.matches = append(e.matches, exactAlternative(a, itself))
			e.open = append(e.open, sbpl.Not{Filter: exactAlternative(a, beneath)})
		}
	}
	// Where a stronger rule opens the directory again, nothing is pinned.
	for _, j := range l.trees {
		if j >= i {
			break
		}
		if r := &l.policy.Files[j]; r.Write == ir.Allow {
			e.open = append(e.open, sbpl.Not{Filter: exactly(r.Match.Base(), beneath)})
		}
	}
	return e
}

// openedEdges are the paths that a glob opens, as far as the directory that
// they are in may not be written. Which that is can only be said where it has a
// name; otherwise more is pinned than need be.
func (l *lowering) openedEdges(i int, g ir.Glob) []sbpl.Filter {
	var out []sbpl.Filter
	for _, a := range g.Pattern.Alternatives() {
		a = trim(a) // what is beneath a match is in a directory that is open
		f := exactAlternative(a, itself)
		if s := shapeOf(a, true); s.roams || len(s.tail) > 1 {
			l.fate[i].overPinned = true
			f = sbpl.All{f, sbpl.Not{Filter: exactAlternative(a, beneath)}}
		} else if len(a) > 0 && l.decider.Decide(ir.Write, s.base, true).Effect == ir.Allow {
			continue
		}
		out = append(out, f)
	}
	return out
}

// childEdges are the paths directly in a directory that is closed alone.
func childEdges(path string, written *reach) []sbpl.Filter {
	exact, ok := written.prefix(path, true)
	if !ok {
		return nil
	}
	if path == "/" {
		return []sbpl.Filter{sbpl.Regex{Pattern: `^/[^/]+$`}}
	}
	re, _ := regex(patternOf(ir.Path(path)).Alternatives()[0], exact, true, beneath)
	return []sbpl.Filter{sbpl.Regex{Pattern: re + `[^/]+$`}}
}

// exceptDirs are the directories that the exceptions of a glob cover which
// closes reading. None may be made there, moved there or moved away: a
// directory that holds a secret would take it along, and all beneath an
// exception is open; one from beneath could bring along what is closed
// elsewhere. Where only
// writing is closed, exceptions are places such as node_modules, in which
// directories must be made; there the rule is reported as movable instead.
func (l *lowering) exceptDirs(written *reach) []item {
	var out []item
	for i := range l.policy.Files {
		r := &l.policy.Files[i]
		g, ok := r.Match.(ir.Glob)
		if !ok || !r.AppliesTo(ir.Darwin) || !r.Read.Closes() || !carries(g, !r.NonDir) {
			continue
		}
		for _, e := range g.Except {
			for _, a := range e.Alternatives() {
				base, _ := baseOf(trim(a))
				if _, writable := written.prefix(base, true); writable {
					f := sbpl.All{exactAlternative(a, covered), directory}
					out = append(out, l.pin("", []int{i}, placeOps, f))
					l.fate[i].exceptDirs = true
				}
			}
		}
	}
	return out
}

// filePins keep a file that stands open above closing globs a file: if a
// directory could take its place, what the globs close would be open in it.
func (l *lowering) filePins() []item {
	last := -1
	for i := range l.policy.Files {
		r := &l.policy.Files[i]
		if g, ok := r.Match.(ir.Glob); ok && r.AppliesTo(ir.Darwin) && r.Write.Closes() && carries(g, !r.NonDir) {
			last = i
		}
	}
	var out []item
	for _, i := range l.trees {
		r := &l.policy.Files[i]
		if tree := r.Match.Base(); i < last && r.Write == ir.Allow && l.isFile(tree) {
			out = append(out, l.pin("", []int{i}, placeOps, sbpl.All{sbpl.Literal(tree), directory}))
		}
	}
	return out
}

// carries reports whether a directory that is not pinned may hold something
// that the glob closes.
func carries(g ir.Glob, deep bool) bool {
	return slices.ContainsFunc(g.Pattern.Alternatives(), func(a glob.Alternative) bool {
		s := shapeOf(a, deep)
		return s.roams || s.tangled
	})
}
