package automata_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/verify/automata"
)

// foldingLangs are sets as closings have them, which meet each other and the names
// of tinyLangs.
func foldingLangs(t testing.TB) []automata.Lang {
	t.Helper()
	out := []automata.Lang{automata.Subtree("/A/b"), automata.Subtree("/a/b"), automata.Literal("/a/b/a"), automata.Prefix("/a/b"), automata.Subtree("/b")}
	for _, src := range []string{"/a", "/a/b", "/a/**/b", "/**/ab", "/*/b", "/**", "/a/**", "/**/a*/b", "/**/b/**/a"} {
		p := glob.MustParse(src)
		out = append(out, automata.Glob(p, glob.Darwin, true), automata.Glob(p, glob.Darwin, false), automata.Glob(p, glob.Exact, true))
	}
	for _, src := range []string{
		`^/[aA]/[bB](/|$)`, `^(/[^/]+)*/[aA](/|$)`, `^(/[^/]+)*/[aA]/[^/]*(/|$)`, `^/a(/[^/]+)*(/|$)`, `^/[ab][^/]*(/|$)`, `^(/[^/]+)+$`, `^(/[^/]+)*$`, `^/.b`,
		`^/[^a]/b`, `^(/[^/]+)*(/[^/]+)*/b$`, `^/a[^b]*$`, `^(/[^/]+)*b?$`,
	} {
		out = append(out, automata.Regex(mustRegex(t, src)))
	}
	return out
}

func cleanUpTo(letters string, n int) []string {
	return slices.DeleteFunc(stringsUpTo(letters, n), func(s string) bool { return !ir.Clean(s) })
}

// A form has what the set has or, within bounds, the same strings there.
func TestFormIsSet(t *testing.T) {
	t.Parallel()
	all := cleanUpTo("abA/", 6)
	meeting := foldingLangs(t)
	langs := append(tinyLangs(t), meeting...)
	rapid.Check(t, func(t *rapid.T) {
		cache := automata.NewCache()
		x := rapid.OneOf(genSet(langs, 2), genSet(meeting, 2)).Draw(t, "set")
		bounds := rapid.SliceOfN(genSet(meeting, 0), 1, 3).Draw(t, "bounds")
		form, within, has := cache.Form(x), cache.Bounds(bounds).Form(x), cache.FormHas()
		for _, s := range all {
			want := x.Contains(s)
			if got := has(form, s); got != want {
				t.Fatalf("%q: the form says %v, the set %v", s, got, want)
			}
			if got := has(within, s); automata.Or(bounds).Contains(s) && got != want {
				t.Fatalf("%q: within the bounds the form says %v, the set %v", s, got, want)
			}
		}
	})
}

// What two sets have in common is all that their And has. The expressions are
// made of what is read side by side, and a little more.
func TestFormOfAnd(t *testing.T) {
	t.Parallel()
	all := stringsUpTo("aAb/", 5)
	pieces := []string{"/", "/", "/a", "/a", "/b", "a", "a", "[aA]", "A", "b", "[ab]", "[^a]", "[^/]", "(/[^/]+)*", "(/[^/]+)*", "(/[^/]+)*", "[^/]*"}
	ends := []string{"$", "(/|$)", "(/|$)", "", "/", "(/.*)?$"}
	side := rapid.Custom(func(t *rapid.T) automata.Expr {
		var out automata.Or
		for range rapid.IntRange(1, 2).Draw(t, "alternatives") {
			src := "^/" + strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 4).Draw(t, "pieces"), "") + rapid.SampledFrom(ends).Draw(t, "end")
			if rapid.Bool().Draw(t, "segments") {
				src = strings.Replace(src, "^/", "^(/[^/]+)*", 1)
			}
			out = append(out, in(automata.Regex(mustRegex(t, src))))
		}
		return out
	})
	rapid.Check(t, func(t *rapid.T) {
		cache := automata.NewCache()
		x, y := side.Draw(t, "x"), side.Draw(t, "y")
		form, has := cache.Form(automata.And{x, y}), cache.FormHas()
		for _, s := range all {
			if got, want := has(form, s), x.Contains(s) && y.Contains(s); got != want {
				t.Fatalf("%q: the form %v says %v, the sets %v", s, form, got, want)
			}
		}
	})
}

// What a policy and a profile say in other words has the same form, and only what
// is the same.
func TestFormsMeet(t *testing.T) {
	t.Parallel()
	folded := func(pattern string) automata.Expr {
		return in(automata.Glob(glob.MustParse(pattern), glob.Darwin, true))
	}
	re := func(src string) automata.Expr { return in(automata.Regex(mustRegex(t, src))) }
	subtrees := func(paths ...string) (out automata.Or) {
		for _, p := range paths {
			out = append(out, in(automata.Subtree(p)))
		}
		return out
	}
	not := func(pattern string) automata.Expr {
		return automata.Not{X: in(automata.Glob(glob.MustParse(pattern), glob.Exact, true))}
	}
	for _, tt := range []struct {
		name   string
		a, b   automata.Expr
		bounds automata.Or // nil is everything
		want   bool
	}{
		{name: "a folded path", a: folded("/ab"), b: re(`^/[aA][bB](/|$)`), want: true},
		{name: "without what lies beneath", a: folded("/ab"), b: re(`^/[aA][bB]$`)},
		{name: "one case", a: folded("/ab"), b: re(`^/a[bB](/|$)`)},
		{name: "one case, where there is no other", a: folded("/ab"), b: re(`^/a[bB](/|$)`), bounds: subtrees("/a", "/ab"), want: true},
		{name: "beneath a root of one case", a: folded("/a/b"), b: re(`^/a/[bB](/|$)`), bounds: subtrees("/a"), want: true},
		{name: "beneath a root of two cases", a: folded("/a/b"), b: re(`^/a/[bB](/|$)`), bounds: subtrees("/a", "/A")},
		{name: "names beneath a root", a: folded("/a/**/b"), b: automata.And{in(automata.Subtree("/a")), re(`^(/[^/]+)*/[bB](/|$)`)}, bounds: subtrees("/a", "/c/d"), want: true},
		{name: "names that are in the root too", a: folded("/a/b/**/b"), b: automata.And{in(automata.Subtree("/a/b")), re(`^(/[^/]+)*/[bB](/|$)`)}, bounds: subtrees("/a/b")},
		{name: "names beneath any of two roots", a: folded("/{a,c}/**/b"), b: automata.And{automata.Or{re(`^/[aA](/|$)`), re(`^/[cC](/|$)`)}, re(`^(/[^/]+)*/[bB](/|$)`)}, want: true},
		{name: "names beneath one of two roots", a: folded("/{a,c}/**/b"), b: automata.And{re(`^/[aA](/|$)`), re(`^(/[^/]+)*/[bB](/|$)`)}},
		{name: "one of two roots that begin alike", a: re(`^(/[^/]+)*/c$`), b: automata.And{in(automata.Subtree("/a")), re(`^(/[^/]+)*/c$`)}, bounds: subtrees("/a", "/ab")},
		{
			name: "two names less one exception", a: automata.Or{automata.And{folded("/**/a"), not("/**/x")}, automata.And{folded("/**/b"), not("/**/x")}},
			b: automata.And{automata.Or{re(`^(/[^/]+)*/[bB](/|$)`), re(`^(/[^/]+)*/[aA](/|$)`)}, automata.Not{X: re(`^(/[^/]+)*/x(/|$)`)}}, want: true,
		},
		{
			name: "less another exception", a: automata.And{folded("/**/a"), not("/**/x")},
			b: automata.And{re(`^(/[^/]+)*/[aA](/|$)`), automata.Not{X: re(`^(/[^/]+)*/[xX](/|$)`)}},
		},
		{name: "outside of the bounds", a: folded("/c"), b: automata.Const(false), bounds: subtrees("/a", "/b"), want: true},
		{name: "above the bounds", a: in(automata.Literal("/a")), b: automata.Const(false), bounds: subtrees("/a/b"), want: true},
		{name: "at the bounds", a: in(automata.Literal("/a/b")), b: automata.Const(false), bounds: subtrees("/a/b")},
		{name: "from above the bounds", a: in(automata.Subtree("/a")), b: automata.Const(false), bounds: subtrees("/a/b")},
		{name: "a name that goes on", a: in(automata.Prefix("/ab")), b: automata.Const(false), bounds: subtrees("/a"), want: true},
		{name: "a name that goes on within the bounds", a: in(automata.Prefix("/a")), b: automata.Const(false), bounds: subtrees("/ab")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			cache := automata.NewCache()
			form := cache.Form
			if tt.bounds != nil {
				form = cache.Bounds(tt.bounds).Form
			}
			if a, b := form(tt.a), form(tt.b); slices.Equal(a, b) != tt.want {
				t.Errorf("the forms are %v and %v; want equal: %v", a, b, tt.want)
			}
		})
	}
}
