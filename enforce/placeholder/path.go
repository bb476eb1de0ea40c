package placeholder

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// validPath says why a path cannot be a placeholder's.
func validPath(p string) error {
	if !path.IsAbs(p) || path.Clean(p) != p || p == "/" || strings.IndexByte(p, 0) >= 0 {
		return fmt.Errorf("%q is not an absolute, clean path beneath /", p)
	}
	return nil
}

// sortedPaths returns the paths, each once, after a look at each.
func sortedPaths(paths []string) ([]string, error) {
	for _, p := range paths {
		if err := validPath(p); err != nil {
			return nil, err
		}
	}
	out := slices.Clone(paths)
	slices.Sort(out)
	return slices.Compact(out), nil
}
