package seatbelt

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sandboxc/sbc/ir/glob"
)

// Where a regular expression ends, after the text of a pattern.
const (
	itself  = `$`     // the path that the pattern matches
	covered = `(/|$)` // that path, and everything beneath
	beneath = `/`     // everything beneath, without the path
)

// regex translates one alternative of a pattern. The first exact segments are
// compared as they are written, the others as a closing compares them: with
// ASCII letters of either case and all forms of a character.
//
// It uses a small part of the system's regular expressions: anchors, groups,
// alternatives, *, +, ? and classes, among them negated ones; never a dot, a
// bounded repetition, a class by name or a group with options.
//
// Rough reports that the result is not the same as the pattern. If it closes,
// it then matches more than the pattern, otherwise less.
func regex(a glob.Alternative, exact int, closes bool, end string) (re string, rough bool) {
	if end != itself {
		a = trim(a)
	}
	if len(a) == 0 || (len(a) == 1 && a[0].Doublestar) {
		switch {
		case end == beneath:
			return `^/[^/]`, false
		case end == itself && len(a) == 0:
			return `^/$`, false
		}
		return `^/`, false
	}
	var b strings.Builder
	b.WriteByte('^')
	for i, s := range a {
		if s.Doublestar {
			b.WriteString(`(/[^/]+)*`)
			continue
		}
		b.WriteByte('/')
		w := segmentWriter{out: &b, fold: closes && i >= exact, closes: closes}
		w.segment(s)
		rough = rough || w.rough
	}
	b.WriteString(end)
	return b.String(), rough
}

// trim takes off what adds nothing to a pattern if it covers what lies beneath.
func trim(a glob.Alternative) glob.Alternative {
	for len(a) > 0 && a[len(a)-1].Doublestar {
		a = a[:len(a)-1]
	}
	return a
}

type segmentWriter struct {
	out    *strings.Builder
	fold   bool // a closing, below the exact part
	closes bool
	rough  bool
}

func (w *segmentWriter) segment(s glob.Segment) {
	if len(s.Atoms) == 1 {
		if _, ok := s.Atoms[0].(glob.AnyRun); ok {
			w.out.WriteString(`[^/]+`) // no segment is empty
			return
		}
	}
	if !valid(s) && !literal(s) {
		// Bytes are matched, so that one which is no character could be found
		// within one, unless everything around it is literal.
		w.rough = true
		if !w.closes {
			w.out.WriteString(never)
			return
		}
	}
	for _, a := range s.Atoms {
		switch a := a.(type) {
		case glob.Char:
			w.char(a)
		case glob.AnyRun:
			w.out.WriteString(`[^/]*`)
		case glob.AnyChar:
			w.rough = true
			w.anyChar(glob.Class{Negated: true})
		case glob.Class:
			if a.Negated {
				w.rough = true
				w.anyChar(a)
				continue
			}
			w.class(a)
		}
	}
}

// never matches no name: no path holds two slashes in a row.
const never = "/"

// literal reports whether a segment has no wildcards.
func literal(s glob.Segment) bool {
	return !slices.ContainsFunc(s.Atoms, func(a glob.Atom) bool {
		_, char := a.(glob.Char)
		return !char
	})
}

// valid reports whether the literal parts of a segment are UTF-8.
func valid(s glob.Segment) bool {
	return !slices.ContainsFunc(s.Atoms, func(a glob.Atom) bool {
		c, ok := a.(glob.Char)
		return ok && !utf8.ValidString(c.Text)
	})
}

// char writes a literal unit in all its forms.
func (w *segmentWriter) char(c glob.Char) {
	if !w.fold || len(c.Text) == 1 { // one byte has one form
		writeEscaped(w.out, c.Text, w.fold)
		return
	}
	forms := c.Forms()
	for i, f := range forms {
		forms[i] = escape(f, true)
	}
	w.out.WriteString(group(forms))
}

// escape returns literal text as a regular expression.
func escape(s string, fold bool) string {
	var b strings.Builder
	writeEscaped(&b, s, fold)
	return b.String()
}

func writeEscaped(b *strings.Builder, s string, fold bool) {
	for i := range len(s) {
		c := s[i]
		switch {
		case fold && isLetter(c):
			b.WriteByte('[')
			b.WriteByte(c &^ 0x20)
			b.WriteByte(c | 0x20)
			b.WriteByte(']')
		case strings.IndexByte(`\^$.|?*+()[]{}`, c) >= 0:
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func group(alternatives []string) string {
	if len(alternatives) == 1 {
		return alternatives[0]
	}
	return "(" + strings.Join(alternatives, "|") + ")"
}
