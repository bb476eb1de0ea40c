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
		if kernelPath(pin.Path) != pin.Path {
			continue // no path of the kernel is meant
		}
		if len(pin.Rules) == 0 {
			out = append(out, l.pin(pin.Path, nil, unlinkOps, single(sbpl.Literal(pin.Path))))
			continue
		}
		fs := closing(ir.Path(pin.Path), false, written)
		for _, f := range fs.list {
			out = append(out, l.pin(pin.Path, pin.Rules[:1], placeOps, f))
		}
		l.fate[pin.Rules[0]].lose(fs)
		l.fate[pin.Rules[0]].pinned = append(l.fate[pin.Rules[0]].pinned, pin.Path)
	}
	for ps := pins.Patterns; len(ps) > 0; {
		i, n := ps[0].Rule, 0
		var alts []glob.Alternative
		for ; n < len(ps) && ps[n].Rule == i; n++ {
			alts = append(alts, ps[n].Pattern.Alternatives()...)
		}
		ps = ps[n:]
		var fs filters
		fs.close(alts, itself, written)
		for _, t := range fs.list {
			out = append(out, l.pin("", []int{i}, unlinkOps, t))
		}
		l.fate[i].lose(fs)
	}
	out = append(out, l.privateEdges()...)
	out = append(out, l.edges(written)...)
	out = append(out, l.filePins()...)
	return append(out, l.exceptDirs(written)...)
}

func (l *lowering) pin(path string, rules []int, ops []sbpl.Op, t term) item {
	it := newItem(sbpl.Deny, ops, t, "pin "+path)
	for _, i := range rules {
		it.note = "pin for " + note(l.policy.Files[i].Origin)
		l.fate[i].add(it)
	}
	return it
}

// privateEdges returns the items for what is opened directly in storage that is
// to be the sandbox's own. There is none, so that the directory is closed, though
// the policy lets it be written.
func (l *lowering) privateEdges() []item {
	var out []item
	for i := range l.policy.Files {
		r := &l.policy.Files[i]
		path, literal := ir.Literal(r.Match)
		if !literal || path == "/" || r.Private || r.Write != ir.Allow || !r.AppliesTo(ir.Darwin) || kernelPath(path) != path {
			continue
		}
		if d := l.decider.Decide(ir.Write, ir.Parent(path), true); d.Effect == ir.Allow && l.policy.Files[d.Rule].Private {
			out = append(out, l.pin(path, []int{i}, unlinkOps, single(sbpl.Literal(path))))
		}
	}
	return out
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
					out = append(out, l.pin("", []int{i}, unlinkOps, single(f)))
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
					out = append(out, l.pin("", []int{i}, unlinkOps, single(f)))
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
	patterns []term        // what lies beneath a match of the pattern
	matches  []sbpl.Filter // what an exception matches
	open     []sbpl.Filter // and is not in a directory that is open
}

// key is the same for closings with the same exceptions.
func (e *edge) key() string { return sbpl.Format(sbpl.Any(e.matches)) + sbpl.Format(sbpl.All(e.open)) }

// items returns the items for the patterns, those beneath the same roots
// together.
func (e *edge) items() []item {
	var out []item
	matches := sbpl.AnyOf(e.matches...)
	for _, t := range e.patterns {
		out = append(out, newItem(sbpl.Deny, unlinkOps, t.and(matches).and(e.open...), e.note))
	}
	return join(out)
}

// exceptEdge are the paths that an exception matches within a directory that
// the pattern closes.
func (l *lowering) exceptEdge(i int, g ir.Glob, written *reach) edge {
	e := edge{note: "exceptions of " + note(l.policy.Files[i].Origin)}
	var fs filters
	fs.close(g.Pattern.Alternatives(), beneath, written)
	e.patterns = fs.list
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
					t := single(exactAlternative(a, covered)).and(directory)
					out = append(out, l.pin("", []int{i}, placeOps, t))
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
			out = append(out, l.pin("", []int{i}, placeOps, single(sbpl.Literal(tree)).and(directory)))
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
