package glob

import (
	"slices"
	"strings"
)

// Pattern is a parsed pattern: one or more alternatives, any of which may
// match. It is immutable and may be used from several goroutines. Two patterns
// are Equal if their source text is.
type Pattern struct {
	src   string
	alts  []Alternative
	progs [][]segment // alts, prepared for matching
}

// Alternative is a pattern without braces: the segments of an absolute path.
// None at all is "/".
type Alternative []Segment

// Segment is one segment of an alternative. Doublestar stands for zero or more
// whole segments and then has no atoms. No two Doublestars are adjacent.
type Segment struct {
	Doublestar bool
	Atoms      []Atom
}

// Atom is a part of a segment: [Char], [AnyChar], [AnyRun] or [Class].
//
//sumtype:decl
type Atom interface {
	isAtom()
}

// Char is one literal unit: a code point with the combining marks that follow
// it, so that the unit has a normal form of its own, or one byte that is not
// part of valid UTF-8.
type Char struct{ Text string }

// AnyChar is "?": one code point, or one byte that is not part of valid UTF-8;
// never "/".
type AnyChar struct{}

// AnyRun is "*": any run of what [AnyChar] matches, also none. No two are
// adjacent.
type AnyRun struct{}

// Class is "[a-z]" or, Negated, "[!a-z]". It matches one code point that the
// ranges hold or, if Negated, that they do not hold. A negated class also
// matches one byte that is not part of valid UTF-8; a positive one never does.
// Neither matches "/".
//
// Ranges are ascending and do not touch, and "/" is cut out of them.
type Class struct {
	Negated bool
	Ranges  []Range
}

// Range is a range of code points, both ends included.
type Range struct{ Lo, Hi rune }

func (Char) isAtom()    {}
func (AnyChar) isAtom() {}
func (AnyRun) isAtom()  {}
func (Class) isAtom()   {}

// String returns the source text.
func (p *Pattern) String() string { return p.src }

// Equal reports whether p and q were parsed from the same text.
func (p *Pattern) Equal(q *Pattern) bool {
	if p == nil || q == nil {
		return p == q
	}
	return p.src == q.src
}

// Alternatives returns the alternatives in the order of the source, without
// duplicates; there is at least one. The caller must not change them.
func (p *Pattern) Alternatives() []Alternative { return p.alts }

// String returns the text of a pattern that has a as its only alternative.
func (a Alternative) String() string {
	if len(a) == 0 {
		return "/"
	}
	var b strings.Builder
	for _, s := range a {
		b.WriteByte('/')
		b.WriteString(s.String())
	}
	return b.String()
}

// String returns the segment's text in a pattern.
func (s Segment) String() string {
	if s.Doublestar {
		return "**"
	}
	var b strings.Builder
	for _, a := range s.Atoms {
		switch a := a.(type) {
		case Char:
			b.WriteString(Quote(a.Text))
		case AnyChar:
			b.WriteByte('?')
		case AnyRun:
			b.WriteByte('*')
		case Class:
			a.write(&b)
		}
	}
	return b.String()
}

func (c Class) write(b *strings.Builder) {
	b.WriteByte('[')
	if c.Negated {
		b.WriteByte('!')
	}
	for _, r := range c.Ranges {
		writeClassRune(b, r.Lo)
		if r.Hi > r.Lo {
			b.WriteByte('-')
			writeClassRune(b, r.Hi)
		}
	}
	b.WriteByte(']')
}

func writeClassRune(b *strings.Builder, r rune) {
	if strings.ContainsRune(`\]-!^`, r) {
		b.WriteByte('\\')
	}
	b.WriteRune(r)
}

// Literal returns the segment's text if it has only literal atoms.
func (s Segment) Literal() (text string, ok bool) {
	if s.Doublestar {
		return "", false
	}
	var b strings.Builder
	b.Grow(len(s.Atoms))
	for _, a := range s.Atoms {
		c, ok := a.(Char)
		if !ok {
			return "", false
		}
		b.WriteString(c.Text)
	}
	return b.String(), true
}

// has reports whether the ranges hold r. Negated is not looked at.
func (c Class) has(r rune) bool {
	return slices.ContainsFunc(c.Ranges, func(x Range) bool { return x.Lo <= r && r <= x.Hi })
}

// newPattern prepares alternatives for matching. Duplicates are dropped.
func newPattern(src string, alts []Alternative) *Pattern {
	if len(alts) > 1 {
		alts = distinct(alts)
	}
	p := &Pattern{src: src, alts: alts, progs: make([][]segment, len(alts))}
	for i, a := range alts {
		p.progs[i] = prepareAll(a)
	}
	return p
}

func distinct(alts []Alternative) []Alternative {
	var out []Alternative
	seen := map[string]bool{}
	for _, a := range alts {
		if key := a.String(); !seen[key] {
			seen[key] = true
			out = append(out, a)
		}
	}
	return out
}
