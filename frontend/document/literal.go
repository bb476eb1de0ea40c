package document

import "strings"

// Text that comes from outside a policy (the workspace, the home directory,
// variables from the environment or the command line) and the result of
// literal() may hold characters that mean something in a glob. Inside
// expressions such characters are replaced by Unicode noncharacters, so that
// they survive templates and functions and are still known to be literal when
// the result is read as a path or glob. A policy cannot contain noncharacters
// itself.
const special = `*?[]{}\!~`

const firstMark = '\uFDD0' // U+FDD0..U+FDEF are noncharacters

// Literal encodes s so that none of its characters is special in a glob.
func Literal(s string) string {
	if !strings.ContainsAny(s, special) {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		if j := strings.IndexByte(special, s[i]); j >= 0 {
			b.WriteRune(firstMark + rune(j))
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// Plain decodes text that is not a path: what was marked literal is itself.
func Plain(s string) string {
	return decodeMarks(s, "")
}

// GlobText decodes text that may be a glob: what was marked literal is escaped
// with a backslash.
func GlobText(s string) string {
	return decodeMarks(s, `\`)
}

// HasMark reports whether s holds a character that Literal would produce.
func HasMark(s string) bool {
	return strings.ContainsFunc(s, isMark)
}

func isMark(r rune) bool { return firstMark <= r && r < firstMark+rune(len(special)) }

func decodeMarks(s, escape string) string {
	if !HasMark(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if isMark(r) {
			b.WriteString(escape)
			b.WriteByte(special[r-firstMark])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
