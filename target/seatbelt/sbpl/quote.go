package sbpl

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Quote returns s as an ordinary string. The reader of SBPL knows \n, \r, \t,
// \", \\ and \xHH with exactly two digits, and takes any other escaped
// character for itself, so neither Go's nor JSON's escapes will do. Bytes that
// are not UTF-8, and characters that a reviewer could not see, are written as
// \xHH byte by byte.
func Quote(s string) string {
	if !strings.ContainsAny(s, `"\`) && allVisible(s) {
		return `"` + s + `"`
	}
	var b strings.Builder
	b.WriteByte('"')
	for s != "" {
		r, size := utf8.DecodeRuneInString(s)
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteString(s[:size])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case visible(r, size):
			b.WriteString(s[:size])
		default:
			for i := range size {
				fmt.Fprintf(&b, `\x%02x`, s[i])
			}
		}
		s = s[size:]
	}
	b.WriteByte('"')
	return b.String()
}

// QuoteRegex returns a pattern as a string: #"..." where backslashes stand for
// themselves, or, if the pattern holds anything that could end or blur that
// form, an ordinary string. What a backslash before a quote means inside
// #"..." is not known, so a quote never stands there.
func QuoteRegex(pattern string) string {
	if raw(pattern) {
		return `#"` + pattern + `"`
	}
	return Quote(pattern)
}

// raw reports whether a pattern can stand in #"...".
func raw(pattern string) bool {
	return strings.IndexByte(pattern, '"') < 0 && !strings.HasSuffix(pattern, `\`) && allVisible(pattern)
}

// comment returns text that cannot leave the line of a comment.
func comment(s string) string {
	if allVisible(s) {
		return s
	}
	q := Quote(s)
	return strings.ReplaceAll(q[1:len(q)-1], `\"`, `"`)
}

func allVisible(s string) bool {
	for s != "" {
		if ' ' <= s[0] && s[0] <= '~' {
			s = s[1:]
			continue
		}
		r, size := utf8.DecodeRuneInString(s)
		if !visible(r, size) {
			return false
		}
		s = s[size:]
	}
	return true
}

func visible(r rune, size int) bool {
	return (r != utf8.RuneError || size > 1) && unicode.IsPrint(r)
}
