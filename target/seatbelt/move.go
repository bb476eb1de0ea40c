package seatbelt

import (
	"slices"
	"strconv"
	"strings"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
)

// shape is how an alternative of a closing glob depends on the directories
// above what it matches.
type shape struct {
	base string // the literal path that it starts with
	// roams is set if ** follows the base.
	roams bool
	// tail are the segments after that. The directories among them are pinned.
	tail glob.Alternative
	// tangled is set if the tail holds another **.
	tangled bool
}

// shapeOf takes an alternative apart. Deep says that it covers what lies
// beneath a match, so that a ** at its end adds nothing.
func shapeOf(a glob.Alternative, deep bool) shape {
	if deep {
		a = trim(a)
	}
	n := 0
	for n < len(a)-1 {
		if _, ok := a[n].Literal(); !ok {
			break
		}
		n++
	}
	var s shape
	s.base, _ = baseOf(a[:n])
	if n < len(a) && a[n].Doublestar {
		s.roams = true
		n++
	}
	s.tail = a[n:]
	s.tangled = slices.ContainsFunc(s.tail, func(seg glob.Segment) bool { return seg.Doublestar })
	return s
}

// moves finds out which closing globs can be got round with directories: by
// moving one with something closed in it, or by preparing one elsewhere.
type moves struct {
	l       *lowering
	written *reach
	// bases are the keys of the bases of closings that roam, by what they match
	// beneath them.
	bases      map[string]map[string]bool
	exceptions map[*glob.Pattern][]exception
	// outside is a place that no closing with the same tail covers, by tail.
	outside map[string]string
}

func newMoves(l *lowering, written *reach) *moves {
	m := &moves{
		l: l, written: written, bases: map[string]map[string]bool{}, exceptions: map[*glob.Pattern][]exception{}, outside: map[string]string{},
	}
	for i := range l.policy.Files {
		r := &l.policy.Files[i]
		g, ok := r.Match.(ir.Glob)
		if !ok || !r.Write.Closes() || !r.AppliesTo(ir.Darwin) {
			continue
		}
		for _, a := range g.Pattern.Alternatives() {
			if s := shapeOf(a, !r.NonDir); s.roams && !s.tangled {
				t := m.tail(r, s)
				if m.bases[t] == nil {
					m.bases[t] = map[string]bool{}
				}
				m.bases[t][key(s.base)] = true
			}
		}
	}
	return m
}

// weakness says how a closing glob can be got round.
type weakness struct {
	pattern string
	movable bool
	to      string // a place outside, if one is known
	plants  bool
}

// weaknesses returns what is wrong with each alternative of a rule's glob.
func (m *moves) weaknesses(i int) []weakness {
	r := &m.l.policy.Files[i]
	g, ok := r.Match.(ir.Glob)
	if !ok || !r.Write.Closes() {
		return nil
	}
	var out []weakness
	for _, a := range g.Pattern.Alternatives() {
		s := shapeOf(a, !r.NonDir)
		_, literal := baseOf(s.tail)
		if _, writable := m.written.prefix(s.base, true); (literal && !s.roams) || !writable {
			continue // its directories have literal pins, or nothing can be renamed there
		}
		w := m.weakness(i, g, s)
		if w.pattern = a.String(); w.movable || w.plants {
			out = append(out, w)
		}
	}
	return out
}

func (m *moves) weakness(i int, g ir.Glob, s shape) weakness {
	r := &m.l.policy.Files[i]
	switch {
	case s.tangled:
		return weakness{movable: true, plants: true}
	case !s.roams:
		// Every directory above a match is pinned.
		return weakness{plants: len(s.tail) > 1}
	case len(g.Except) > 0 && !r.Read.Closes():
		// A directory can be moved into one that an exception covers.
		return weakness{movable: true, plants: true}
	case slices.ContainsFunc(g.Except, func(e *glob.Pattern) bool { return m.leaves(e, s) }):
		return weakness{movable: true, plants: true}
	}
	to := m.place(m.tail(r, s))
	if to == "" {
		to = m.l.granted(i)
	}
	return weakness{movable: to != "", to: to, plants: to != "" || len(s.tail) > 1}
}

// leaves reports whether a directory could be moved to where the exception
// leaves something open that was closed before. That no directory can be moved
// into what an exception covers is seen to by the pins.
func (m *moves) leaves(e *glob.Pattern, s shape) bool {
	for _, x := range m.shapes(e) {
		if x.tangled {
			return true
		}
		if x.roams {
			// What moves keeps its name, so that it was left open before.
			if ir.Beneath(s.base, x.base) && (len(x.tail) == 1 || leading(x.shape) == leading(s)) {
				continue
			}
		} else if len(x.tail) == 1 && !m.replaceable(x.base) {
			continue
		}
		return true
	}
	return false
}

func leading(s shape) string {
	if len(s.tail) == 0 {
		return ""
	}
	return s.tail[:len(s.tail)-1].String()
}

// replaceable reports whether another directory can come to stand at the path.
func (m *moves) replaceable(path string) bool {
	if m.l.decider.Decide(ir.Write, path, true).Effect != ir.Allow {
		return false
	}
	pins := m.l.decider.Pins().Literals
	i, found := slices.BinarySearchFunc(pins, path, func(p ir.Pin, path string) int { return strings.Compare(p.Path, path) })
	return !found || len(pins[i].Rules) == 0
}

// tail describes what a closing matches beneath its base, and what it closes.
func (m *moves) tail(r *ir.FileRule, s shape) string {
	var b strings.Builder
	b.WriteString(strconv.FormatBool(r.Read.Closes()))
	b.WriteString(strconv.FormatBool(r.NonDir))
	b.WriteString(s.tail.String())
	g, ok := r.Match.(ir.Glob)
	if !ok || len(g.Except) == 0 {
		return b.String()
	}
	var except []string
	for _, e := range g.Except {
		for _, x := range m.shapes(e) {
			if x.base == s.base && x.roams {
				except = append(except, x.tail.String())
			} else {
				except = append(except, "="+x.text)
			}
		}
	}
	slices.Sort(except)
	for _, e := range except {
		b.WriteByte('\n')
		b.WriteString(e)
	}
	return b.String()
}

// exception is an alternative of an exception.
type exception struct {
	shape
	text string
}

// shapes takes an exception apart. Those of a rule are asked for once for each of
// its alternatives.
func (m *moves) shapes(e *glob.Pattern) []exception {
	out, ok := m.exceptions[e]
	if !ok {
		for _, a := range e.Alternatives() {
			out = append(out, exception{shapeOf(a, true), a.String()})
		}
		m.exceptions[e] = out
	}
	return out
}

// place returns a directory that may be written and that no closing with this
// tail covers, or nothing. Only trees can take a directory in; what else is
// open for writing are devices.
func (m *moves) place(tail string) string {
	if p, known := m.outside[tail]; known {
		return p
	}
	m.outside[tail] = ""
	for _, i := range m.l.trees {
		r := &m.l.policy.Files[i]
		if base := r.Match.Base(); r.Write == ir.Allow && !m.covers(tail, base) {
			m.outside[tail] = base
			break
		}
	}
	return m.outside[tail]
}

// granted returns a directory that a stronger rule opens, so that what the rule
// closes is open there, and into which another directory can be moved; or
// nothing. What is known to be a file takes none in: see filePins.
func (l *lowering) granted(i int) string {
	for _, j := range l.trees {
		if j >= i {
			break
		}
		tree := l.policy.Files[j].Match.Base()
		if !l.isFile(tree) && l.decider.Decide(ir.Write, tree, true).Effect == ir.Allow {
			return tree
		}
	}
	return ""
}

// isFile reports whether the host knows the path as something else than a
// directory.
func (l *lowering) isFile(path string) bool {
	node, state := l.lstat(path)
	return state == exists && node.Type != host.Dir
}

func (m *moves) covers(tail, path string) bool {
	k := key(path)
	return m.bases[tail][k] || slices.ContainsFunc(ir.Ancestors(k), func(a string) bool { return m.bases[tail][a] })
}
