package automata

import (
	"strings"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/verify/regex"
)

// Lang is a regular set of byte strings. The zero Lang is empty, as [None].
// It does not change and may be used from several goroutines.
//
// Sets that come from paths and patterns are exact for clean paths, those of
// [Clean]; whether they hold a string that is no clean path is not said.
type Lang struct {
	key  string // equal keys are equal sets
	has  func(string) bool
	seqs func() []seq
	// down says that all sequences but those that end in all are the paths
	// above them, so that the set has everything beneath what it has.
	down bool
}

// String returns a text that names the set, for messages and tests. Equal texts
// are equal sets.
func (l Lang) String() string { return l.key }

// Contains reports whether s is in the set. It matches s directly, without an
// automaton.
func (l Lang) Contains(s string) bool { return l.has != nil && l.has(s) }

// None is the empty set.
func None() Lang { return Lang{} }

// All is the set of all strings, the empty one and those that are no paths
// included.
func All() Lang {
	return Lang{
		key:  "all",
		has:  func(string) bool { return true },
		seqs: func() []seq { return []seq{{all: true}} },
	}
}

// Clean is the set of absolute and clean paths, those that can be asked about:
// they start with "/", have no empty, "." or ".." segment, no NUL, and no "/" at
// the end but in "/" itself.
func Clean() Lang {
	return Lang{key: "clean", has: ir.Clean, seqs: cleanSeqs}
}

// Prefix is the set of strings that start with p. It knows nothing of segments:
// /a is a prefix of /ab.
func Prefix(p string) Lang {
	return Lang{
		key:  "prefix " + p,
		has:  func(s string) bool { return strings.HasPrefix(s, p) },
		seqs: func() []seq { return []seq{{elems: text(p), all: true}} },
	}
}

// Literal is the set of that path alone.
func Literal(path string) Lang {
	return Lang{
		key:  "literal " + path,
		has:  func(s string) bool { return s == path },
		seqs: func() []seq { return []seq{{elems: text(path)}} },
	}
}

// Subtree is the set of the path and everything beneath it. That of "/" holds
// every absolute path.
func Subtree(path string) Lang {
	return Lang{
		key:  "subtree " + path,
		has:  func(s string) bool { return ir.Beneath(s, path) },
		down: true,
		seqs: func() []seq {
			if path == "/" {
				return []seq{{elems: text("/"), all: true}}
			}
			return []seq{{elems: text(path)}, {elems: text(path + "/"), all: true}}
		},
	}
}

// Glob is the set of paths that the pattern matches or, if covers is set, that
// it covers, compared as fold says. For a literal that folds, take
// [glob.Literal].
func Glob(p *glob.Pattern, fold glob.Fold, covers bool) Lang {
	l := Lang{
		key:  "glob " + fold.String() + " " + p.String(),
		has:  func(s string) bool { return p.Match(s, fold) },
		seqs: func() []seq { return globSeqs(p, fold, covers) },
		down: covers,
	}
	if covers {
		l.key = "covered by " + l.key
		l.has = func(s string) bool { return p.Covers(s, fold) }
	}
	return l
}

// Regex is the set of strings in which r is found.
func Regex(r *regex.Regex) Lang {
	return Lang{
		key:  "regex " + r.String(),
		has:  r.Match,
		seqs: func() []seq { return regexSeqs(r.Root()) },
	}
}

// Children is the set of clean paths other than "/" whose parent is in l: what
// lies directly in the directories of the set.
func Children(l Lang) Lang {
	return Lang{
		key:  "children of " + l.key,
		has:  func(s string) bool { return s != "/" && l.Contains(ir.Parent(s)) },
		seqs: func() []seq { return childSeqs(l) },
	}
}

func childSeqs(l Lang) []seq {
	var out []seq
	if l.seqs == nil {
		return nil
	}
	name := func(elems []elem, all bool) seq {
		e := append(elems[:len(elems):len(elems)], elem{node: star(anyByte())}, elem{text: "/"}, elem{node: plus(notSlash())})
		if !all {
			e = append(elems[:len(elems):len(elems)], elem{text: "/"}, elem{node: plus(notSlash())})
		}
		return seq{elems: e}
	}
	for _, s := range l.seqs() {
		switch {
		case !l.down:
			out = append(out, name(s.elems, s.all))
		case s.all:
			// Beneath what the set has, everything is in it.
			out = append(out, seq{elems: append(s.elems[:len(s.elems):len(s.elems)], elem{node: notSlash()}), all: true})
		}
	}
	if !l.down && l.Contains("/") {
		out = append(out, seq{elems: []elem{{text: "/"}, {node: plus(notSlash())}}})
	}
	return out
}
