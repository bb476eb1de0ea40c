package glob

import (
	"slices"
	"strings"
)

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

// Bases returns, for each alternative, the deepest literal path at or above
// everything that it matches, sorted and without those that lie beneath
// another one. Where [Pattern.Base] is one place for all, these are the nearest.
func (p *Pattern) Bases() []string {
	if len(p.progs) == 1 {
		return []string{p.Base()}
	}
	all := make([]string, len(p.progs))
	for i, prog := range p.progs {
		all[i] = pathOf(prog[:leading(prog)])
	}
	slices.Sort(all)
	var out []string
	for _, base := range all {
		if !slices.ContainsFunc(out, func(b string) bool { return base == b || b == "/" || strings.HasPrefix(base, b+"/") }) {
			out = append(out, base)
		}
	}
	return out
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
