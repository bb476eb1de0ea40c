package seatbelt

import (
	"strings"
	"unicode/utf8"

	"github.com/sandboxc/sbc/ir/glob"
)

// wide matches the bytes of one character that is not ASCII, and somewhat
// more: two to four bytes that are not printable ASCII. Nobody has shown how
// ranges over bytes from 0x80 behave, so there are none; all that it relies on
// is that a negated class matches such bytes.
const wide = `[^ -~][^ -~][^ -~]?[^ -~]?`

// maxListed is how many characters beyond ASCII a class may hold to be written
// one by one.
const maxListed = 64

// anyChar writes "?" or a negated class. For a closing it is any byte but the
// excluded ones, or the bytes of a character; for an opening it is the
// printable ASCII that is not excluded.
func (w *segmentWriter) anyChar(c glob.Class) {
	if !w.closes {
		var set asciiSet
		for b := byte(' '); b <= '~'; b++ {
			set[b] = b != '/' && !has(c, rune(b))
		}
		w.out.WriteString(set.regex())
		return
	}
	var excluded asciiSet
	for b := byte(' '); b <= '~'; b++ {
		excluded[b] = b != '/' && has(c, rune(b)) && (!w.fold || has(c, rune(otherCase(b))))
	}
	w.out.WriteString(`([^/` + excluded.plain() + `]|` + wide + `)`)
}

// class writes a class that is not negated.
func (w *segmentWriter) class(c glob.Class) {
	var set asciiSet
	for b := byte(1); b < utf8.RuneSelf; b++ {
		set[b] = b != '/' && (has(c, rune(b)) || (w.fold && has(c, rune(otherCase(b)))))
	}
	alternatives := set.alternatives()
	n := 0
	for _, r := range c.Ranges {
		n += int(max(r.Hi-max(r.Lo, utf8.RuneSelf)+1, 0))
	}
	switch {
	case n <= maxListed:
		for _, r := range c.Ranges {
			for x := max(r.Lo, utf8.RuneSelf); x <= r.Hi; x++ {
				alternatives = append(alternatives, escape(string(x), false))
			}
		}
	case w.closes:
		alternatives = append(alternatives, wide)
		w.rough = true
	default:
		w.rough = true
	}
	if len(alternatives) == 0 {
		w.out.WriteString(never)
		return
	}
	w.out.WriteString(group(alternatives))
}

func has(c glob.Class, r rune) bool {
	for _, x := range c.Ranges {
		if x.Lo <= r && r <= x.Hi {
			return true
		}
	}
	return false
}

func otherCase(c byte) byte {
	if isLetter(c) {
		return c ^ 0x20
	}
	return c
}

// asciiSet is a set of ASCII characters.
type asciiSet [utf8.RuneSelf]bool

// delicate are the characters whose meaning at the edge of a class is not
// settled; they are written outside of it.
const delicate = `]\^-[`

// alternatives returns the set as a class and escaped single characters.
func (s *asciiSet) alternatives() []string {
	var out []string
	if class := s.plain(); len(class) == 1 {
		out = append(out, escape(class, false))
	} else if class != "" {
		out = append(out, "["+class+"]")
	}
	for i := range len(delicate) {
		if c := delicate[i]; s[c] && !s.inner(c) {
			out = append(out, escape(string(rune(c)), false))
		}
	}
	return out
}

func (s *asciiSet) regex() string {
	out := s.alternatives()
	if len(out) == 0 {
		return never
	}
	return group(out)
}

// plain returns the content of a class, without the delicate characters that
// would stand at the edge of a range.
func (s *asciiSet) plain() string {
	var b strings.Builder
	for lo := 0; lo < len(s); lo++ {
		if !s[lo] || strings.IndexByte(delicate, byte(lo)) >= 0 {
			continue
		}
		hi := lo
		for next := lo + 1; next < len(s) && s[next]; next++ {
			if strings.IndexByte(delicate, byte(next)) < 0 {
				hi = next
			}
		}
		b.WriteByte(byte(lo))
		if hi > lo+1 {
			b.WriteByte('-')
		}
		if hi > lo {
			b.WriteByte(byte(hi))
		}
		lo = hi
	}
	return b.String()
}

// inner reports whether a delicate character lies within a range that plain
// writes.
func (s *asciiSet) inner(c byte) bool {
	left, right := false, false
	for i := int(c) - 1; i >= 0 && s[i] && !left; i-- {
		left = strings.IndexByte(delicate, byte(i)) < 0
	}
	for i := int(c) + 1; i < len(s) && s[i] && !right; i++ {
		right = strings.IndexByte(delicate, byte(i)) < 0
	}
	return left && right
}
