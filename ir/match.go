package ir

import (
	"slices"
	"strings"

	"github.com/sandboxc/sbc/ir/glob"
)

// Match is the set of paths that a rule speaks of: [Path], [Subtree] or [Glob].
//
//sumtype:decl
type Match interface {
	// Matches reports whether the absolute, clean path is in the set, compared
	// as fold says.
	Matches(path string, fold glob.Fold) bool
	// Base is the deepest literal path at or above everything in the set.
	Base() string
	// String is the form that the text form and messages use.
	String() string
	isMatch()
}

// Path is that path alone, and nothing beneath it.
type Path string

// Subtree is a path and everything beneath it.
type Subtree string

// Glob is everything that a pattern covers, less everything that an exception
// covers; each covers what it matches and all beneath.
type Glob struct {
	Pattern *glob.Pattern
	Except  []*glob.Pattern
}

func (Path) isMatch()    {}
func (Subtree) isMatch() {}
func (Glob) isMatch()    {}

// Matches implements [Match].
func (p Path) Matches(path string, fold glob.Fold) bool {
	if fold == glob.Exact {
		return string(p) == path
	}
	return glob.Literal(string(p)).Match(path, fold)
}

// Matches implements [Match].
func (s Subtree) Matches(path string, fold glob.Fold) bool {
	if fold == glob.Exact {
		return Beneath(path, string(s))
	}
	return glob.Literal(string(s)).Covers(path, fold)
}

// Matches implements [Match]. An exception is always compared exactly: folding
// must never make a closing smaller.
func (g Glob) Matches(path string, fold glob.Fold) bool {
	return g.Pattern.Covers(path, fold) && !slices.ContainsFunc(g.Except, func(e *glob.Pattern) bool {
		return e.Covers(path, glob.Exact)
	})
}

// Base implements [Match].
func (p Path) Base() string { return string(p) }

// Base implements [Match].
func (s Subtree) Base() string { return string(s) }

// Base implements [Match].
func (g Glob) Base() string { return g.Pattern.Base() }

// Bases returns the literal paths at or above everything in the set, each as
// deep as can be and none beneath another: one for most matches, one for each
// alternative of a glob that starts in several places.
func Bases(m Match) []string {
	if g, ok := m.(Glob); ok {
		return g.Pattern.Bases()
	}
	return []string{m.Base()}
}

// String returns "path /x".
func (p Path) String() string { return "path " + string(p) }

// String returns "subtree /x".
func (s Subtree) String() string { return "subtree " + string(s) }

// String returns "glob /x/**/y", with "except" and the exceptions if any.
func (g Glob) String() string {
	var b strings.Builder
	b.WriteString("glob " + g.Pattern.String())
	for _, e := range g.Except {
		b.WriteString(" except " + e.String())
	}
	return b.String()
}

// Beneath reports whether path is dir itself or lies beneath it. Both are
// absolute and clean.
func Beneath(path, dir string) bool {
	if dir == "/" {
		return strings.HasPrefix(path, "/")
	}
	return strings.HasPrefix(path, dir) && (len(path) == len(dir) || path[len(dir)] == '/')
}

// Parent returns the directory that holds path; the parent of "/" is "/".
func Parent(path string) string {
	i := strings.LastIndexByte(path, '/')
	if i <= 0 {
		return "/"
	}
	return path[:i]
}

// Ancestors returns "/" and every directory above path, shallowest first;
// path itself is not among them.
func Ancestors(path string) []string {
	if path == "/" {
		return nil
	}
	out := []string{"/"}
	for i := 1; i < len(path); i++ {
		if path[i] == '/' {
			out = append(out, path[:i])
		}
	}
	return out
}
