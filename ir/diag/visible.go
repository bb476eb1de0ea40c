package diag

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// visible returns text that cannot steer a terminal or pass for something else:
// control characters (ESC and newline among them), direction marks, invisible
// characters, unusual spaces and bytes that are not UTF-8 are written as
// escapes. A policy, or a path in a message, is not trusted to be harmless.
func visible(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		b.WriteString(visibleRune(s[:n], r))
		s = s[n:]
	}
	return b.String()
}

// visibleRune is visible for the one character r, whose bytes are raw. The
// escapes are those of HCL strings; HCL has none for a byte that is not UTF-8.
func visibleRune(raw string, r rune) string {
	switch {
	case r == utf8.RuneError && len(raw) == 1:
		return fmt.Sprintf(`\x%02x`, raw[0])
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case Shows(r):
		return raw
	case r > 0xffff:
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
}

// Shows reports whether a character leaves a mark of its own, and only there.
// IsPrint refuses controls, formats (direction marks, zero width spaces),
// private use and all spaces but U+0020; the two tables add what counts as a
// letter or a mark but is drawn as nothing.
func Shows(r rune) bool {
	return unicode.IsPrint(r) &&
		!unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// cells is the width of visible text on a terminal, in columns.
func cells(s string) int {
	n := 0
	for _, r := range s {
		n += runeCells(r)
	}
	return n
}

func runeCells(r rune) int {
	switch {
	case r < 0x80:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	case width.Neutral, width.EastAsianAmbiguous, width.EastAsianNarrow, width.EastAsianHalfwidth:
		return 1
	}
	return 1
}

// wrap breaks visible text at spaces into lines of at most limit columns; a
// longer word has a line of its own. A limit of 0 or less means one line.
func wrap(s string, limit int) []string {
	if limit <= 0 {
		return []string{s}
	}
	var lines []string
	line, used := "", 0
	for word := range strings.FieldsSeq(s) {
		n := cells(word)
		switch {
		case line == "":
			line, used = word, n
		case used+1+n <= limit:
			line, used = line+" "+word, used+1+n
		default:
			lines = append(lines, line)
			line, used = word, n
		}
	}
	return append(lines, line)
}
