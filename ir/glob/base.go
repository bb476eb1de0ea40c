package glob

import "strings"

// IsLiteral returns the one path that p matches, if p has one alternative and
// that holds no wildcards.
func (p *Pattern) IsLiteral() (path string, ok bool) {
	if len(p.progs) != 1 || leading(p.progs[0]) < len(p.progs[0]) {
		return "", false
	}
	return pathOf(p.progs[0]), true
}

// Base returns the deepest literal path, "/" at least, at or above everything
// that p matches.
func (p *Pattern) Base() string {
	first := p.progs[0][:leading(p.progs[0])]
	for _, prog := range p.progs[1:] {
		n := 0
		for n < min(len(first), leading(prog)) && first[n].pre == prog[n].pre {
			n++
		}
		first = first[:n]
	}
	return pathOf(first)
}

// leading returns how many literal segments prog starts with.
func leading(prog []segment) int {
	n := 0
	for n < len(prog) && prog[n].shape == shapeLiteral {
		n++
	}
	return n
}

// pathOf returns the path of literal segments.
func pathOf(prog []segment) string {
	if len(prog) == 0 {
		return "/"
	}
	var b strings.Builder
	for i := range prog {
		b.WriteByte('/')
		b.WriteString(prog[i].pre)
	}
	return b.String()
}
