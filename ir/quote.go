package ir

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/sandboxc/sbc/ir/diag"
)

// word returns a string of the policy as one word of the text form: as it is,
// or in quotes if it is empty, starts with a quote, or holds white space or
// what does not show. So no name can end a line, look like two words, or steer
// a terminal, and two strings never look the same.
func word(s string) string {
	plain := s != "" && s[0] != '"'
	for i := 0; i < len(s) && plain; {
		r, n := utf8.DecodeRuneInString(s[i:])
		plain = r != ' ' && diag.Shows(r) && (r != utf8.RuneError || n > 1)
		i += n
	}
	if plain {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[0])
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case diag.Shows(r):
			b.WriteRune(r)
		case r > 0xffff:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		s = s[n:]
	}
	b.WriteByte('"')
	return b.String()
}
