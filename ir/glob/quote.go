package glob

import "strings"

// special holds what [Quote] escapes.
const special = `\*?[{}`

// Quote returns the pattern that matches path alone: path with the special
// characters escaped.
func Quote(path string) string {
	if !strings.ContainsAny(path, special) {
		return path
	}
	var b strings.Builder
	for i := range len(path) {
		if strings.IndexByte(special, path[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(path[i])
	}
	return b.String()
}

// Literal returns the pattern that matches path alone, an absolute and clean
// path without NUL bytes, which is not checked. It is what [Parse] makes of
// [Quote] of the path.
func Literal(path string) *Pattern {
	var a Alternative
	for name := range strings.SplitSeq(path, "/") {
		if name != "" {
			a = append(a, Segment{Atoms: appendChars(nil, name)})
		}
	}
	return newPattern(Quote(path), []Alternative{a})
}

// HasMeta reports whether s holds an unescaped *, ?, [ or {. A string without
// them still needs [Parse] to take its escapes off, if it has any.
func HasMeta(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '*', '?', '[', '{':
			return true
		}
	}
	return false
}
