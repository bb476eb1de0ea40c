package glob

import (
	"maps"
	"slices"
	"strings"
)

// Leading returns the proper leading parts of p that end in a segment other
// than **, for all alternatives, sorted by their text and without duplicates.
// For /w/**/.git/hooks they are /w and /w/**/.git. The root is none of them.
//
// What they match are the directories that would carry a match away if they
// were renamed.
func (p *Pattern) Leading() []*Pattern {
	var out []*Pattern
	for i, a := range p.alts {
		text := ""
		for n := 1; n < len(a); n++ {
			text += "/" + a[n-1].String()
			if !a[n-1].Doublestar {
				out = append(out, &Pattern{src: text, alts: []Alternative{a[:n:n]}, progs: [][]segment{p.progs[i][:n:n]}})
			}
		}
	}
	slices.SortFunc(out, func(x, y *Pattern) int { return strings.Compare(x.src, y.src) })
	return slices.CompactFunc(out, (*Pattern).Equal)
}

// MoveSafe reports whether what p matches still matches wherever it is moved
// under its own name: every alternative is ** and one segment.
func (p *Pattern) MoveSafe() bool {
	return !slices.ContainsFunc(p.alts, func(a Alternative) bool {
		return len(a) != 2 || !a[0].Doublestar // and no second one follows
	})
}

// Under returns the patterns for what tail, such as /**/a/b*, means beneath
// root: root/**/a/b* first, and then the rest of the tail directly beneath
// root wherever root's own last segments already match its beginning, so that
// the tail /**/.git/hooks/* beneath /m/.git also gives /m/.git/hooks/*. If root
// matches the whole tail, that adds nothing.
//
// Root is an absolute and clean path, as for [Literal]. Its segments are
// compared as under [Darwin], since a pattern too many is safe where one too
// few is not. Under fails if an alternative of tail does not start with /**.
// An error is always an [*Error].
func Under(root string, tail *Pattern) ([]*Pattern, error) {
	at := Literal(root)
	out := []*Pattern{at.join(tail)}
	for i, a := range tail.alts {
		if len(a) == 0 || !a[0].Doublestar {
			return nil, &Error{Pattern: tail.src, Msg: "a pattern beneath write roots starts with **/"}
		}
		for _, n := range reached(tail.progs[i], root) {
			if n == 0 || n == len(a) {
				continue // the pattern itself; nothing left
			}
			rest := &Pattern{src: a[n:].String(), alts: []Alternative{a[n:]}, progs: [][]segment{tail.progs[i][n:]}}
			if q := at.join(rest); !slices.ContainsFunc(out, q.Equal) {
				out = append(out, q)
			}
		}
	}
	return out, nil
}

// Beneath returns the patterns for what tail means beneath any of the roots: one
// for all of root/**/a/b*, with the roots as alternatives, and then what [Under]
// adds for single roots. There is more than one of the first kind only where
// [MaxAlternatives] asks for it. It fails where Under does.
func Beneath(roots []string, tail *Pattern) ([]*Pattern, error) {
	var out, rest []*Pattern
	most := max(MaxAlternatives/len(tail.alts), 1)
	for part := range slices.Chunk(roots, most) {
		var all []*Pattern
		for _, root := range part {
			patterns, err := Under(root, tail)
			if err != nil {
				return nil, err
			}
			all = append(all, patterns[0])
			for _, q := range patterns[1:] {
				if !slices.ContainsFunc(rest, q.Equal) {
					rest = append(rest, q)
				}
			}
		}
		out = append(out, union(part, tail, all))
	}
	return append(out, rest...), nil
}

// union returns the pattern whose alternatives are those of all, which are what
// tail matches beneath each of the roots: what [Parse] makes of its text.
func union(roots []string, tail *Pattern, all []*Pattern) *Pattern {
	if i := slices.Index(roots, "/"); i >= 0 {
		return all[i] // it holds the others
	}
	if len(all) == 1 {
		return all[0]
	}
	names := make([]string, len(roots))
	for i, root := range roots {
		names[i] = strings.ReplaceAll(Quote(root[1:]), ",", `\,`)
	}
	out := &Pattern{src: "/{" + strings.Join(names, ",") + "}" + tail.src}
	for _, p := range all {
		out.alts = append(out.alts, p.alts...)
		out.progs = append(out.progs, p.progs...)
	}
	return out
}

// join returns the pattern for what q matches beneath p, which is literal: what
// Parse makes of their texts in a row.
func (p *Pattern) join(q *Pattern) *Pattern {
	if p.src == "/" {
		return q
	}
	out := &Pattern{src: p.src + q.src}
	for i := range q.alts {
		out.alts = append(out.alts, slices.Concat(p.alts[0], q.alts[i]))
		out.progs = append(out.progs, slices.Concat(p.progs[0], q.progs[i]))
	}
	return out
}

// reached returns, in ascending order, how many segments of prog can be used
// up by the whole of path, a ** that may go on not counted.
func reached(prog []segment, path string) []int {
	at := map[int]bool{0: true}
	for name := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
		if name == "" {
			break // the root
		}
		next := map[int]bool{}
		for n := range at {
			if n < len(prog) && prog[n].doublestar {
				next[n] = true
				n++
			}
			if n < len(prog) && prog[n].match(name, Darwin) {
				next[n+1] = true
			}
		}
		at = next
	}
	return slices.Sorted(maps.Keys(at))
}
