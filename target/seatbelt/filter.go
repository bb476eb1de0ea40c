package seatbelt

import (
	"slices"
	"strings"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/target/seatbelt/sbpl"
)

// MaxRegex is how many bytes a regular expression may have. Others saw longer
// ones fail; the real limit is not known.
const MaxRegex = 1000

// nonDirectory is what a rule for what is no directory matches. Names are
// listed, so that the profile needs no require-not for it; a terminal's own
// type is left out, since devices exist in /dev only.
var nonDirectory = sbpl.Any{
	sbpl.Symbol{Name: "vnode-type", Value: "REGULAR-FILE"},
	sbpl.Symbol{Name: "vnode-type", Value: "SYMLINK"},
	sbpl.Symbol{Name: "vnode-type", Value: "FIFO"},
	sbpl.Symbol{Name: "vnode-type", Value: "SOCKET"},
	sbpl.Symbol{Name: "vnode-type", Value: "CHARACTER-DEVICE"},
	sbpl.Symbol{Name: "vnode-type", Value: "BLOCK-DEVICE"},
}

// filters are the alternatives that a match became, and what they lost.
type filters struct {
	list []term
	// rough: a closing matches more than the policy says, an opening less.
	rough bool
	// long holds the paths or patterns that are matched in their own case only.
	long []string
}

// closing returns the filters for a closing, as far as any opening in the reach
// could meet it; none if it meets none.
func closing(m ir.Match, nonDir bool, x *reach) filters {
	end := covered
	if _, alone := m.(ir.Path); alone || nonDir {
		end = itself
	}
	var out filters
	out.close(patternOf(m).Alternatives(), end, x)
	if g, ok := m.(ir.Glob); ok && len(g.Except) > 0 {
		except := exceptions(g.Except)
		for i := range out.list {
			out.list[i] = out.list[i].and(except...)
		}
		// An exception matches no more than the policy says.
		out.rough = out.rough || anyRough(g.Except)
	}
	return out
}

// close adds the terms for the alternatives of a closing.
func (fs *filters) close(alts []glob.Alternative, end string, x *reach) {
	groups, rest := share(alts)
	for _, g := range groups {
		t, ok := fs.beneath(g, end, x)
		if !ok {
			for _, base := range g.bases {
				rest = append(rest, slices.Concat(base, g.tail))
			}
			continue
		}
		if len(t.roots) > 0 {
			fs.list = append(fs.list, t)
		}
	}
	for _, a := range rest {
		if f, ok := fs.alternative(a, end, x); ok {
			fs.list = append(fs.list, single(f))
		}
	}
}

// beneath returns the term for a tail beneath several bases; without roots if no
// opening meets any. It is not to be had if the tail's regular expression would
// be too long.
func (fs *filters) beneath(g shared, end string, x *reach) (term, bool) {
	re, rough := regex(g.tail, 0, true, end)
	if len(re) > MaxRegex {
		return term{}, false
	}
	t := single(sbpl.Regex{Pattern: re})
	for _, base := range g.bases {
		if root := x.tree(base); root.ok {
			t.roots = append(t.roots, root.filter)
			fs.long = append(fs.long, root.long...)
		}
	}
	fs.rough = fs.rough || rough && len(t.roots) > 0
	if len(g.bases) == 1 {
		t.whole, _ = fs.alternative(slices.Concat(g.bases[0], g.tail), end, x)
	}
	return t, true
}

// patternOf returns the pattern of a match.
func patternOf(m ir.Match) *glob.Pattern {
	if g, ok := m.(ir.Glob); ok {
		return g.Pattern
	}
	return glob.Literal(m.Base())
}

// alternative returns the filter for one alternative of a closing.
func (fs *filters) alternative(a glob.Alternative, end string, x *reach) (sbpl.Filter, bool) {
	if end != itself {
		a = trim(a)
	}
	base, literal := baseOf(a)
	exact, ok := x.prefix(base, end != itself || !literal)
	if !ok {
		return nil, false
	}
	if literal && (exact == len(a) || !folds(a[exact:])) {
		return exactly(base, end), true
	}
	re, rough := regex(a, exact, true, end)
	fs.rough = fs.rough || rough
	if len(re) <= MaxRegex {
		return sbpl.Regex{Pattern: re}, true
	}
	fs.long = append(fs.long, a.String())
	if literal {
		return exactly(base, end), true
	}
	re, _ = regex(a, len(a), true, end)
	return sbpl.Regex{Pattern: re}, true
}

// exactly is the filter for a literal path without folding.
func exactly(path, end string) sbpl.Filter {
	switch {
	case end == itself:
		return sbpl.Literal(path)
	case end == beneath && path == "/":
		return sbpl.Regex{Pattern: `^/[^/]`}
	case end == beneath:
		return sbpl.Regex{Pattern: "^" + escape(path, false) + "/"}
	}
	return sbpl.Subpath(path)
}

// baseOf returns the literal path that an alternative starts with, and whether
// that is all of it.
func baseOf(a glob.Alternative) (base string, literal bool) {
	var b strings.Builder
	for _, s := range a {
		text, ok := s.Literal()
		if !ok {
			if b.Len() == 0 {
				return "/", false
			}
			return b.String(), false
		}
		b.WriteString("/" + text)
	}
	if b.Len() == 0 {
		return "/", true
	}
	return b.String(), true
}

// folds reports whether a closing compares the segments in any other way than
// byte by byte.
func folds(a glob.Alternative) bool {
	re, _ := regex(a, 0, true, itself)
	exact, _ := regex(a, len(a), true, itself)
	return re != exact
}

// exceptions returns the negated filters for what a closing leaves out.
func exceptions(except []*glob.Pattern) []sbpl.Filter {
	var out []sbpl.Filter
	for _, e := range except {
		for _, a := range e.Alternatives() {
			out = append(out, sbpl.Not{Filter: exactAlternative(a, covered)})
		}
	}
	return out
}

func anyRough(ps []*glob.Pattern) bool {
	for _, p := range ps {
		for _, a := range p.Alternatives() {
			if _, rough := regex(a, len(a), false, covered); rough {
				return true
			}
		}
	}
	return false
}

// exactAlternative is the filter for something that opens: it never matches
// more than the pattern.
func exactAlternative(a glob.Alternative, end string) sbpl.Filter {
	if base, literal := baseOf(a); literal {
		return exactly(base, end)
	}
	re, _ := regex(a, len(a), false, end)
	return sbpl.Regex{Pattern: re}
}

// opening returns the filters for an opening.
func opening(m ir.Match) filters {
	switch m := m.(type) {
	case ir.Path:
		return filters{list: []term{single(sbpl.Literal(string(m)))}}
	case ir.Subtree:
		return filters{list: []term{single(sbpl.Subpath(string(m)))}}
	case ir.Glob:
		var out filters
		except := exceptions(m.Except)
		for _, a := range m.Pattern.Alternatives() {
			_, rough := regex(a, len(a), false, covered)
			out.rough = out.rough || rough
			out.list = append(out.list, single(exactAlternative(a, covered)).and(except...))
		}
		return out
	}
	return filters{}
}

// onlyNonDirectories restricts filters to what is not a directory.
func onlyNonDirectories(terms []term) []term {
	out := make([]term, len(terms))
	for i, t := range terms {
		out[i] = t.and(nonDirectory)
	}
	return out
}
