package verify

import (
	"strings"

	"github.com/sandboxc/sbc/ir/glob"
)

// sampleOf returns a short path that an alternative of a pattern matches, most
// of the time: samples only guide a proof.
func sampleOf(a glob.Alternative) string {
	var b strings.Builder
	for _, s := range a {
		if s.Doublestar {
			continue
		}
		b.WriteByte('/')
		for _, atom := range s.Atoms {
			switch atom := atom.(type) {
			case glob.Char:
				b.WriteString(atom.Text)
			case glob.AnyChar:
				b.WriteByte('x')
			case glob.AnyRun:
				if len(s.Atoms) == 1 {
					b.WriteByte('x')
				}
			case glob.Class:
				b.WriteRune(member(atom))
			}
		}
	}
	if b.Len() == 0 {
		return "/"
	}
	return b.String()
}

// member returns a character that a class holds, if it is among the usual ones.
func member(c glob.Class) rune {
	if !c.Negated && len(c.Ranges) > 0 {
		return c.Ranges[0].Lo
	}
	for _, r := range "xyzabcXYZ019._-" {
		in := false
		for _, x := range c.Ranges {
			in = in || x.Lo <= r && r <= x.Hi
		}
		if !in {
			return r
		}
	}
	return 'x'
}
