package irtest

import (
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
)

// names are what paths are made of.
func names() []string {
	return []string{
		"a", "b", "A", "w", "W", ".env", ".ENV", ".git", ".Git", "hooks",
		"\u00e9", "e\u0301", "E\u0301", "\u212a", "\xff", "x y", "a*b", `q"[`,
	}
}

// segments are what globs are made of, beside names.
func segments() []string {
	return []string{"**", "*", "?", ".env*", "{a,b}", "[!a]", "[a-w]*", "a\\*b", "*\u00e9"}
}

func name() *rapid.Generator[string] { return rapid.SampledFrom(names()) }

// AnyPath draws an absolute, clean path of up to five names.
func AnyPath() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		return "/" + strings.Join(rapid.SliceOfN(name(), 0, 5).Draw(t, "names"), "/")
	})
}

// Paths draws an absolute, clean path that the policy has something to say of
// more often than chance would: at, above, beneath or beside its rules, and in
// another spelling.
func Paths(p *ir.Policy) *rapid.Generator[string] {
	bases := []string{"/"}
	for i := range p.Files {
		bases = append(bases, p.Files[i].Match.Base())
	}
	return rapid.Custom(func(t *rapid.T) string {
		path := rapid.SampledFrom(bases).Draw(t, "base")
		if up := rapid.IntRange(0, 3).Draw(t, "up"); up == 0 {
			path = ir.Parent(path)
		}
		for _, n := range rapid.SliceOfN(name(), 0, 3).Draw(t, "below") {
			path = strings.TrimSuffix(path, "/") + "/" + n
		}
		if rapid.IntRange(0, 3).Draw(t, "respell") == 0 {
			path = respell(t, path)
		}
		return path
	})
}

// respell writes each character in another case or normal form, or as it is.
func respell(t *rapid.T, path string) string {
	out := strings.Split(path, "/")
	for i, n := range out {
		same := []string{n}
		for _, m := range append(names(), strings.ToUpper(n), strings.ToLower(n)) {
			if n != "" && glob.Literal("/"+n).Match("/"+m, glob.Darwin) && !slices.Contains(same, m) {
				same = append(same, m)
			}
		}
		out[i] = rapid.SampledFrom(same).Draw(t, "spelling")
	}
	return strings.Join(out, "/")
}

// patterns draws a glob. It is seldom a literal, and sometimes what a guard
// makes of its own: a pattern beneath several roots.
func patterns() *rapid.Generator[*glob.Pattern] {
	segment := rapid.OneOf(rapid.SampledFrom(segments()), rapid.Map(name(), glob.Quote))
	return rapid.Custom(func(t *rapid.T) *glob.Pattern {
		segs := rapid.SliceOfN(segment, 1, 4).Draw(t, "segments")
		if rapid.IntRange(0, 3).Draw(t, "roots") > 0 {
			return glob.MustParse("/" + strings.Join(segs, "/"))
		}
		root := rapid.Map(rapid.SliceOfN(name(), 1, 2), func(names []string) string { return "/" + strings.Join(names, "/") })
		roots := glob.NewRoots(rapid.SliceOfNDistinct(root, 2, 3, rapid.ID[string]).Draw(t, "beneath"))
		all, err := roots.Beneath(glob.MustParse("/**/" + strings.Join(segs, "/")))
		if err != nil {
			t.Fatal(err)
		}
		return rapid.SampledFrom(all).Draw(t, "pattern")
	})
}
