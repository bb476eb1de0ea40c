package classify

import (
	"strconv"
	"strings"

	"github.com/sandboxc/sbc/ir/diag"
)

// maxShown bounds how much of a message is repeated in a sentence, in bytes.
const maxShown = 160

// visible is text for people: what cannot be seen is escaped.
func visible(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return !diag.Shows(r) || r == '\uFFFD' }) {
		return strconv.Quote(s)
	}
	return s
}

// excerpt is a message for people.
func excerpt(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > maxShown {
		s = strings.ToValidUTF8(s[:maxShown], "") + "..."
	}
	return visible(s)
}
