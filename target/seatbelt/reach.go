package seatbelt

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/target/seatbelt/sbpl"
)

// reach knows the openings of one operation by the paths that they start from,
// and tells which of them a closing could meet. It answers from an index, so
// that many rules stay linear.
type reach struct {
	// trees are the bases of openings that hold more than one path, by key.
	trees map[string][]string
	// at are the bases of all openings, by key.
	at map[string][]string
	// below holds, for the key of each directory at or above an opening, how
	// the openings spell that directory.
	below map[string][]string
	// trees of closings that were asked for, by path.
	closed map[string]treeFilter
}

// treeFilter is the filter for a closed path with all beneath, if an opening
// meets it.
type treeFilter struct {
	filter sbpl.Filter
	long   []string
	ok     bool
}

// tree returns the filter for a literal path that is closed with all beneath.
// The roots of guards are asked for again and again.
func (x *reach) tree(base glob.Alternative) treeFilter {
	path, _ := baseOf(base)
	if t, ok := x.closed[path]; ok {
		return t
	}
	var fs filters
	f, ok := fs.alternative(base, covered, x)
	t := treeFilter{f, fs.long, ok}
	x.closed[path] = t
	return t
}

func newReach() *reach {
	return &reach{trees: map[string][]string{}, at: map[string][]string{}, below: map[string][]string{}, closed: map[string]treeFilter{}}
}

// add notes an opening.
func (x *reach) add(m ir.Match) {
	clear(x.closed)
	base := m.Base()
	k := key(base)
	remember(x.at, k, base)
	if _, alone := m.(ir.Path); !alone {
		remember(x.trees, k, base)
	}
	remember(x.below, k, base)
	for _, d := range dirs(base, k) {
		remember(x.below, d.key, d.path)
	}
}

// prefix reports whether any opening can hold a path that a closing with this
// base matches, up to case and normal form. If so, all such openings spell the
// first n components of the base as the base does. Deep says that the closing
// also matches paths beneath its base.
func (x *reach) prefix(base string, deep bool) (n int, ok bool) {
	k := key(base)
	n = strings.Count(base, "/")
	if base == "/" {
		n = 0
	}
	meet := func(paths []string) {
		for _, p := range paths {
			ok = true
			n = min(n, common(p, base))
		}
	}
	for _, d := range dirs(base, k) {
		meet(x.trees[d.key])
	}
	if deep {
		meet(x.below[k])
	} else {
		meet(x.at[k])
	}
	return n, ok
}

// dir is a directory above a path with its key.
type dir struct{ path, key string }

// dirs returns the directories above a path, which has the key k.
func dirs(path, k string) []dir {
	paths, keys := ir.Ancestors(path), ir.Ancestors(k)
	out := make([]dir, len(paths))
	for i := range paths {
		out[i] = dir{paths[i], keys[i]}
	}
	return out
}

func remember(m map[string][]string, k, path string) {
	if !slices.Contains(m[k], path) {
		m[k] = append(m[k], path)
	}
}

// common returns how many leading components two paths share.
func common(a, b string) int {
	as, bs := components(a), components(b)
	n := 0
	for n < min(len(as), len(bs)) && as[n] == bs[n] {
		n++
	}
	return n
}

func components(path string) []string {
	if path == "/" {
		return nil
	}
	return strings.Split(path[1:], "/")
}

// key maps all paths that a closing can take for each other to one string, and
// keeps their slashes.
func key(path string) string {
	for i := range len(path) {
		if path[i] >= 0x80 {
			path = norm.NFD.String(path)
			break
		}
	}
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r | 0x20
		}
		return r
	}, path)
}
