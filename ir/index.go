package ir

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// index finds the numbers of what was put at a path or above it.
type index map[string][]int

func (x index) addAll(paths []string, i int) {
	for _, path := range paths {
		k := key(path)
		x[k] = append(x[k], i)
	}
}

// above returns, ascending, what lies at the path or above it, under every
// spelling that a closing folds to it.
func (x index) above(path string) []int {
	k := key(path)
	out := slices.Clone(x["/"])
	for i := 1; i <= len(k) && k != "/"; i++ {
		if i == len(k) || k[i] == '/' {
			out = append(out, x[k[:i]]...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out) // under two spellings the same number may lie
}

// key maps all paths that folding makes equal to the same string.
func key(path string) string {
	for i := range len(path) {
		if path[i] >= 0x80 {
			path = norm.NFD.String(path)
			break
		}
	}
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, path)
}
