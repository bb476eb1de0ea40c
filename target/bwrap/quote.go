package bwrap

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Quote returns s as one word of bash: as it is if it holds nothing special, in
// single quotes if it holds spaces and the like, and as $'...' if it holds what
// cannot be seen or is not UTF-8, byte by byte in octal. The word is always one
// line.
func Quote(s string) string {
	plain := s != ""
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !validAt(s, i), !unicode.IsPrint(r):
			return ansiQuote(s)
		case !strings.ContainsRune("@%+=:,./_-", r) && (r >= utf8.RuneSelf || !alphanumeric(byte(r))):
			plain = false
		}
	}
	// An assignment or a "~" would mean something else at the start of a word.
	if plain && !strings.Contains(s, "=") {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// ansiQuote writes what cannot be seen, and every byte that is not ASCII, as
// octal, so that the word means the same in every locale.
func ansiQuote(s string) string {
	var b strings.Builder
	b.WriteString("$'")
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\'' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('\'')
	return b.String()
}

// validAt reports whether the rune at byte i is really U+FFFD.
func validAt(s string, i int) bool { return strings.HasPrefix(s[i:], "\uFFFD") }

func alphanumeric(c byte) bool {
	return '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}
