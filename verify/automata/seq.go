package automata

import (
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/verify/regex"
)

// seq is a part of a set: strings that are its elements one after the other, and
// then the end or, if all is set, anything.
type seq struct {
	elems []elem
	all   bool
}

// elem is an element of a sequence: one of its fields is set. The elements of
// all sequences form a trie, so equal beginnings should be equal elements.
type elem struct {
	text string // bytes as they are
	fold string // bytes, with ASCII letters of either case
	node regex.Node
	odd  *oddSegment
}

func text(s string) []elem {
	if s == "" {
		return nil
	}
	return []elem{{text: s}}
}

func anyByte() regex.Set             { return regex.Any() }
func notSlash() regex.Set            { return regex.Bytes('/').Not() }
func star(n regex.Node) regex.Repeat { return regex.Repeat{Node: n, Max: regex.Unbounded} }
func plus(n regex.Node) regex.Repeat { return regex.Repeat{Node: n, Min: 1, Max: regex.Unbounded} }

// anySegments is what ** matches: the shape that a profile's regular expression
// has too, so that both share their states.
func anySegments() regex.Node {
	return star(regex.Concat{regex.Bytes('/'), plus(notSlash())})
}

// cleanSeqs is "/", and one or more segments that are not empty, "." or "..".
func cleanSeqs() []seq {
	var (
		dot   = regex.Bytes('.')
		inner = regex.Bytes('/', 0).Not()
		other = regex.Bytes('/', 0, '.').Not()
	)
	name := regex.Alt{
		regex.Concat{other, star(inner)},
		regex.Concat{dot, other, star(inner)},
		regex.Concat{dot, dot, plus(inner)},
	}
	return []seq{
		{elems: text("/")},
		{elems: []elem{{node: plus(regex.Concat{regex.Bytes('/'), name})}}},
	}
}

// globSeqs returns the sequences of a pattern.
func globSeqs(p *glob.Pattern, fold glob.Fold, covers bool) []seq {
	var out []seq
	for _, a := range p.Alternatives() {
		down := covers
		for len(a) > 0 && a[len(a)-1].Doublestar {
			a, down = a[:len(a)-1], true
		}
		if len(a) == 0 {
			out = append(out, seq{elems: text("/"), all: down})
			continue
		}
		var w elemWriter
		for _, s := range a {
			if s.Doublestar {
				w.node(anySegments())
				continue
			}
			w.literal("/", fold == glob.Darwin)
			w.segment(s, fold)
		}
		self := w.elems
		out = append(out, seq{elems: self})
		if down {
			out = append(out, seq{elems: append(self[:len(self):len(self)], elem{text: "/"}), all: true})
		}
	}
	return out
}

// elemWriter joins literal text that follows literal text.
type elemWriter struct{ elems []elem }

func (w *elemWriter) node(n regex.Node) { w.elems = append(w.elems, elem{node: n}) }

func (w *elemWriter) literal(s string, fold bool) {
	if n := len(w.elems); n > 0 {
		last := &w.elems[n-1]
		switch {
		case fold && last.fold != "":
			last.fold += s
			return
		case !fold && last.text != "":
			last.text += s
			return
		}
	}
	if fold {
		w.elems = append(w.elems, elem{fold: s})
	} else {
		w.elems = append(w.elems, elem{text: s})
	}
}

func (w *elemWriter) segment(s glob.Segment, fold glob.Fold) {
	if len(s.Atoms) == 1 {
		if _, ok := s.Atoms[0].(glob.AnyRun); ok {
			w.node(plus(notSlash())) // no segment is empty
			return
		}
	}
	if isOdd(s) {
		w.elems = append(w.elems, elem{odd: &oddSegment{atoms: s.Atoms, fold: fold, key: fold.String() + s.String()}})
		return
	}
	for _, a := range s.Atoms {
		switch a := a.(type) {
		case glob.Char:
			if forms := charForms(a, fold); len(forms) > 1 {
				w.node(formsNode(forms))
			} else {
				w.literal(a.Text, fold == glob.Darwin)
			}
		case glob.AnyRun:
			w.node(star(notSlash()))
		case glob.Class:
			w.node(classNode(a, fold))
		case glob.AnyChar: // is odd
		}
	}
}

// charForms returns the texts that c matches, up to case under Darwin.
func charForms(c glob.Char, fold glob.Fold) []string {
	if fold == glob.Darwin {
		return c.Forms()
	}
	return []string{c.Text}
}

// formsNode is any of the texts, with ASCII letters of either case.
func formsNode(forms []string) regex.Node {
	out := make(regex.Alt, len(forms))
	for i, f := range forms {
		parts := make(regex.Concat, len(f))
		for j := range len(f) {
			parts[j] = foldedByte(f[j])
		}
		out[i] = regex.Node(parts)
		if len(parts) == 1 {
			out[i] = parts[0]
		}
	}
	return out
}

// foldedByte is the byte, in either case if it is an ASCII letter.
func foldedByte(b byte) regex.Set {
	if l := b | 0x20; 'a' <= l && l <= 'z' {
		return regex.Bytes(l, l^0x20)
	}
	return regex.Bytes(b)
}
