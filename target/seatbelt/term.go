package seatbelt

import (
	"strings"

	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/target/seatbelt/sbpl"
)

// term is a filter in parts: it matches what lies at or beneath any of the
// roots, if there are any, and is matched by any of the tails and all of the
// conditions.
//
// A closing that holds beneath many roots, as those of the guards, so names its
// roots once and not once for each of its patterns.
type term struct {
	roots []sbpl.Filter
	tails []sbpl.Filter // at least one
	also  []sbpl.Filter
	// whole is the only tail beneath the only root as one filter, if there is
	// one. It is the better text as long as no tail joins.
	whole sbpl.Filter
}

func single(f sbpl.Filter) term { return term{tails: []sbpl.Filter{f}} }

// and returns the term with more conditions.
func (t term) and(conditions ...sbpl.Filter) term {
	t.also = append(t.also[:len(t.also):len(t.also)], conditions...)
	return t
}

func (t term) filter() sbpl.Filter {
	var all sbpl.All
	switch {
	case t.whole != nil && len(t.tails) == 1:
		all = append(all, t.whole)
	case len(t.roots) > 0:
		all = append(all, sbpl.AnyOf(t.roots...), sbpl.AnyOf(t.tails...))
	default:
		all = append(all, sbpl.AnyOf(t.tails...))
	}
	all = append(all, t.also...)
	if len(all) == 1 {
		return all[0]
	}
	return all
}

// frame is the text of everything but the tails: terms with the same frame can
// be one. It is empty if there is nothing else.
func (t term) frame() string {
	if len(t.roots) == 0 && len(t.also) == 0 {
		return ""
	}
	return sbpl.Format(sbpl.All(t.roots)) + sbpl.Format(sbpl.All(t.also))
}

// maxTails is how many tails one term may have, so that its text stays far
// below [sbpl.MaxClauses].
const maxTails = 8

// shared are alternatives of a pattern that differ in the literal path before
// their first ** only.
type shared struct {
	bases []glob.Alternative // at least one
	tail  glob.Alternative   // with the ** that it starts with
}

// share sorts the alternatives by their tails. The rest has no base, or no tail
// that can be matched apart from it.
func share(alts []glob.Alternative) (groups []shared, rest []glob.Alternative) {
	byTail := map[string]int{}
	for _, a := range alts {
		n := literals(a)
		if n == 0 || n >= len(a)-1 || !a[n].Doublestar || overlaps(a[:n], a[n+1]) {
			rest = append(rest, a)
			continue
		}
		key := ""
		if len(alts) > 1 {
			key = a[n:].String()
		}
		i, ok := byTail[key]
		if !ok {
			i = len(groups)
			byTail[key] = i
			groups = append(groups, shared{tail: a[n:]})
		}
		groups[i].bases = append(groups[i].bases, a[:n])
	}
	return groups, rest
}

// literals returns how many segments without wildcards an alternative starts
// with.
func literals(a glob.Alternative) int {
	n := 0
	for n < len(a) && literal(a[n]) && !a[n].Doublestar {
		n++
	}
	return n
}

// overlaps reports whether the first segment of a tail could match within the
// base already, where the tail must not start. Where it cannot tell, it says
// yes.
func overlaps(base glob.Alternative, first glob.Segment) bool {
	if first.Doublestar {
		return true
	}
	want, plain := first.Literal()
	var p *glob.Pattern
	for _, s := range base {
		name, _ := s.Literal()
		switch {
		case plain && key(name) == key(want):
			return true // or nearly so: see key
		case plain:
			continue
		case strings.ContainsFunc(name, func(r rune) bool { return r >= 0x80 }):
			return true
		}
		if p == nil {
			var err error
			if p, err = glob.Parse(glob.Alternative{first}.String()); err != nil {
				return true
			}
		}
		if p.Match("/"+name, glob.Darwin) {
			return true
		}
	}
	return false
}
