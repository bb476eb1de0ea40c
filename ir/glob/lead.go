package glob

import (
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
	return NewRoots([]string{root}).Beneath(tail)
}

// Roots are directories that patterns are meant beneath.
type Roots struct {
	paths []string
	at    []*Pattern
}

// NewRoots prepares directories, absolute and clean paths as for [Literal]. If
// "/" is among them, it holds the others.
func NewRoots(paths []string) *Roots {
	if slices.Contains(paths, "/") {
		paths = []string{"/"}
	}
	r := &Roots{paths: paths, at: make([]*Pattern, len(paths))}
	for i, p := range paths {
		r.at[i] = Literal(p)
	}
	return r
}

// Beneath returns the patterns for what tail means beneath any of the roots: one
// for all of root/**/a/b*, with the roots as alternatives, and then what [Under]
// adds for single roots. There is more than one of the first kind only where
// [MaxAlternatives] asks for it. It fails where Under does.
func (r *Roots) Beneath(tail *Pattern) ([]*Pattern, error) {
	for _, a := range tail.alts {
		if len(a) == 0 || !a[0].Doublestar {
			return nil, &Error{Pattern: tail.src, Msg: "a pattern beneath write roots starts with **/"}
		}
	}
	var out []*Pattern
	most := max(MaxAlternatives/len(tail.alts), 1)
	for part := range slices.Chunk(r.at, most) {
		out = append(out, union(part, tail))
	}
	for i, at := range r.at {
		for j, a := range tail.alts {
			for _, n := range reached(tail.progs[j], r.paths[i]) {
				if n == 0 || n == len(a) {
					continue // the pattern itself; nothing left
				}
				rest := &Pattern{src: a[n:].String(), alts: []Alternative{a[n:]}, progs: [][]segment{tail.progs[j][n:]}}
				if q := at.join(rest); !slices.ContainsFunc(out, q.Equal) {
					out = append(out, q)
				}
			}
		}
	}
	return out, nil
}

// union returns the pattern whose alternatives are those of tail beneath each
// of the roots: what [Parse] makes of its text.
func union(roots []*Pattern, tail *Pattern) *Pattern {
	if len(roots) == 1 {
		return roots[0].join(tail)
	}
	names := make([]string, len(roots))
	n := len(roots) * len(tail.alts)
	out := &Pattern{alts: make([]Alternative, 0, n), progs: make([][]segment, 0, n)}
	for i, root := range roots {
		names[i] = strings.ReplaceAll(root.src[1:], ",", `\,`)
		p := root.join(tail)
		out.alts = append(out.alts, p.alts...)
		out.progs = append(out.progs, p.progs...)
	}
	out.src = "/{" + strings.Join(names, ",") + "}" + tail.src
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
	at := []int{0}
	for name := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
		if name == "" {
			break // the root
		}
		var next []int
		for _, n := range at {
			if n < len(prog) && prog[n].doublestar {
				next = append(next, n)
				n++
			}
			if n < len(prog) && prog[n].match(name, Darwin) {
				next = append(next, n+1)
			}
		}
		slices.Sort(next)
		at = slices.Compact(next)
	}
	return at
}
