package glob

import "strings"

// IsLiteral returns the one path that p matches, if p has one alternative and
// that holds no wildcards.
func (p *Pattern) IsLiteral() (path string, ok bool) {
	if len(p.alts) != 1 {
		return "", false
	}
	names := leadingNames(p.alts[0])
	if len(names) < len(p.alts[0]) {
		return "", false
	}
	return "/" + strings.Join(names, "/"), true
}

// Base returns the deepest literal path, "/" at least, at or above everything
// that p matches.
func (p *Pattern) Base() string {
	names := leadingNames(p.alts[0])
	for _, a := range p.alts[1:] {
		other := leadingNames(a)
		n := 0
		for n < min(len(names), len(other)) && names[n] == other[n] {
			n++
		}
		names = names[:n]
	}
	return "/" + strings.Join(names, "/")
}

// leadingNames returns the text of the literal segments that a starts with.
func leadingNames(a Alternative) []string {
	var out []string
	for _, s := range a {
		text, ok := s.Literal()
		if !ok {
			break
		}
		out = append(out, text)
	}
	return out
}
