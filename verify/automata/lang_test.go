package automata_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/verify/automata"
)

func folds() []glob.Fold { return []glob.Fold{glob.Exact, glob.Darwin} }

// The automaton of a pattern has the paths that the pattern matches or covers.
func TestGlobIsPattern(t *testing.T) {
	t.Parallel()
	asked := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		p := genPattern().Draw(t, "pattern")
		for range 5 {
			path := genPathFor(p).Draw(t, "path")
			for _, fold := range folds() {
				got, want := automata.Accepts(automata.Glob(p, fold, false), path), p.Match(path, fold)
				if got != want {
					t.Fatalf("%q, path %q, %v: the automaton says %v, match is %v", p, path, fold, got, want)
				}
				asked[want]++
				got, want = automata.Accepts(automata.Glob(p, fold, true), path), p.Covers(path, fold)
				if got != want {
					t.Fatalf("%q, path %q, %v: the automaton says %v, covers is %v", p, path, fold, got, want)
				}
			}
		}
	})
	if !t.Failed() && (asked[true] < 100 || asked[false] < 100) {
		t.Errorf("too few questions: %d no, %d yes", asked[false], asked[true])
	}
}

// A byte that is not valid UTF-8 needs its neighbours to be told from one that
// is: all strings of bytes that matter, up to a length.
func TestGlobInvalidUTF8(t *testing.T) {
	t.Parallel()
	patterns := []string{"/?", "/??", "/*?", "/?*?", "/[!a]", "/[!é]*", "/a?*", "/*\xc3", "/\xc3*", "/*\xa9*", "/*\xe6\x97*", "/[é]", "/[é-日]?", "/*é", "/?\xf0*"}
	bytes := []string{"a", "\xc3", "\xa9", "\xe6", "\x97", "\xa5", "\xf0", "\x9d", "\xed", "\xa0", "\xe0", "\xf4", "\x90", "\x84", "\xff"}
	var paths []string
	var extend func(prefix string, n int)
	extend = func(prefix string, n int) {
		paths = append(paths, prefix)
		if n > 0 {
			for _, b := range bytes {
				extend(prefix+b, n-1)
			}
		}
	}
	for _, b := range bytes { // "/" itself has no segment
		extend("/"+b, 2)
	}
	for _, tail := range []string{"\xf0\x9d\x84\x9e", "\xf0\x9d\x84", "\xe6\x97\xa5\xe6", "a\xc3\xa9\xa9", "\xf4\x90\x80\x80", "\xf0\x9d\xa9\xa9\xc3"} {
		extend("/"+tail, 1)
	}
	for _, src := range patterns {
		p := glob.MustParse(src)
		accepts := automata.Acceptor(automata.Glob(p, glob.Exact, false))
		for _, path := range paths {
			if got, want := accepts(path), p.Match(path, glob.Exact); got != want {
				t.Errorf("%+q, path %+q: the automaton says %v, match is %v", src, path, got, want)
			}
		}
	}
}

// Where nothing is written in brackets or braces, patterns are doublestar's.
func TestGlobIsDoublestar(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := "/" + strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "*", "?", "**", "a*", "*b", "?b*", "é*"}), 1, 4).Draw(t, "segments"), "/")
		if strings.Contains(src, "**/**") {
			return
		}
		path := genPath().Draw(t, "path")
		if path == "/" || !utf8.ValidString(path) || strings.ContainsRune(path, utf8.RuneError) {
			return
		}
		want := doublestar.MatchUnvalidated(src, path)
		if zero, ok := strings.CutSuffix(src, "/**"); ok && zero != "" {
			want = want || doublestar.MatchUnvalidated(zero, path)
		}
		if got := automata.Accepts(automata.Glob(glob.MustParse(src), glob.Exact, false), path); got != want {
			t.Fatalf("%q, path %q: the automaton says %v, doublestar %v", src, path, got, want)
		}
	})
}

// The automaton of a regular expression has the strings that it is found in.
func TestRegexIsMatch(t *testing.T) {
	t.Parallel()
	asked := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		r := genRegex().Draw(t, "regex")
		for range 5 {
			s := tiny().Draw(t, "string")
			got, want := automata.Accepts(automata.Regex(r), s), r.Match(s)
			if got != want {
				t.Fatalf("%q, string %q: the automaton says %v, match is %v", r, s, got, want)
			}
			asked[want]++
		}
	})
	if !t.Failed() && (asked[true] < 100 || asked[false] < 100) {
		t.Errorf("too few questions: %d no, %d yes", asked[false], asked[true])
	}
}

// Anchors in the middle of an expression hold where they stand.
func TestRegexAnchors(t *testing.T) {
	t.Parallel()
	all := stringsUpTo("ab/", 5)
	for _, src := range []string{
		`^`, `$`, `^$`, `a$b`, `(a|^)b`, `a(b|$)`, `(^|/)a($|/)`, `(^a|b)*b`, `^(a|b$)*$`, `(a$|b)+`, `($|a)*b`, `(^|a)(^|b)`, `(^a){2}`,
		`(a|b$){1,2}`, `(^a|b){2,}`, `a(b*$|/)`, `((^a)|(b$)|/)+`, `(^a$)*`, `(a|^b$|)*/`, `(b?$a?)+`, `(a?$){1,3}`, `a(^|b)`, `a*(^|b)/`, `(a|b)(^a|b)`,
	} {
		r := mustRegex(t, src)
		accepts := automata.Acceptor(automata.Regex(r))
		for _, s := range all {
			if got, want := accepts(s), r.Match(s); got != want {
				t.Errorf("%q, string %q: the automaton says %v, match is %v", src, s, got, want)
			}
		}
	}
}

// tinyLangs are sets over the letters a, b and the slash.
func tinyLangs(t testing.TB) []automata.Lang {
	t.Helper()
	out := []automata.Lang{ // the first three are exceptions too
		automata.Glob(glob.MustParse("/**/b"), glob.Exact, true), automata.Glob(glob.MustParse("/*/a*"), glob.Exact, true), automata.Literal("/a/a"),
		automata.Regex(mustRegex(t, `^/[^/][^/]$`)), automata.Regex(mustRegex(t, `^/[^/][^/][^/]`)), automata.Regex(mustRegex(t, `b(/|$)`)),
		automata.All(), automata.None(), automata.Clean(), automata.Prefix("/a"), automata.Prefix(""), automata.Literal("/"), automata.Literal("/a/b"),
		automata.Subtree("/"), automata.Subtree("/a"), automata.Subtree("/b/a"), automata.Children(automata.Literal("/")),
	}
	for _, src := range []string{"/**/b", "/*/b", "/a*", "/**/a/*", "/{a,b}/a", "/?b", "/b/**", "/**", "/[!a]*", "/**/a/**/b", "/"} {
		p := glob.MustParse(src)
		out = append(out, automata.Glob(p, glob.Exact, true), automata.Glob(p, glob.Exact, false))
	}
	return out
}

// Every set has by its automaton what it has when asked directly.
func TestAcceptsIsContains(t *testing.T) {
	t.Parallel()
	langs := tinyLangs(t)
	for _, l := range langs[:len(langs):len(langs)] {
		langs = append(langs, automata.Children(l), automata.Children(automata.Children(l)))
	}
	for _, l := range langs {
		accepts := automata.Acceptor(l)
		for _, s := range stringsUpTo("ab./", 5) {
			if !ir.Clean(s) && !strings.HasPrefix(l.String(), "prefix") && l.String() != "clean" {
				continue
			}
			if got, want := accepts(s), l.Contains(s); got != want {
				t.Errorf("%s, string %q: the automaton says %v, Contains %v", l, s, got, want)
			}
		}
	}
}

// stringsUpTo returns all strings of the letters, shortest first, and those of
// one length in the order of the letters.
func stringsUpTo(letters string, n int) []string {
	out := []string{""}
	for last := out; n > 0; n-- {
		var next []string
		for _, s := range last {
			for i := range len(letters) {
				next = append(next, s+letters[i:i+1])
			}
		}
		out = append(out, next...)
		last = next
	}
	return out
}
