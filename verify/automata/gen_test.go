package automata_test

import (
	"strings"

	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/verify/automata"
	"github.com/sandboxc/sbc/verify/regex"
)

// The generators draw from few letters, so that sets and paths meet: both
// cases, two normal forms, parts of encodings, bytes that are never valid.
func letters() []string {
	return []string{
		"a", "b", "A", ".", "e", "é", "e\u0301", "É", "E\u0301", "日", "𝄞", "-", "*", "\ufffd",
		"\xff", "\xc3", "\xa9", "\xe6", "\x97", "\xf0", "\x9d", "\xed", "\xa0", "\xf4", "\x90", "\xc0", "\x80",
	}
}

func genName() *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		name := strings.Join(rapid.SliceOfN(rapid.SampledFrom(letters()), 1, 5).Draw(t, "name"), "")
		if name == "." || name == ".." {
			return "a"
		}
		return name
	})
}

func genPath() *rapid.Generator[string] {
	return rapid.Map(rapid.SliceOfN(genName(), 0, 4), func(names []string) string {
		return "/" + strings.Join(names, "/")
	})
}

func genPattern() *rapid.Generator[*glob.Pattern] {
	return rapid.Custom(func(t *rapid.T) *glob.Pattern {
		for range 20 {
			if p, err := glob.Parse("/" + genExpr(2).Draw(t, "pattern")); err == nil {
				return p
			}
		}
		return glob.MustParse("/a*")
	})
}

func genExpr(depth int) *rapid.Generator[string] {
	wild := []string{"*", "*", "?", "?", "[a-c]", "[!a]", "[^a-bé]", `[é日\]-]`, "[!é-日]", "[A]", "/", "/"}
	if depth == 2 {
		wild = append(wild, "/**/", "/**/", "/**/")
	}
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for range rapid.IntRange(1, 6).Draw(t, "pieces") {
			switch k := rapid.IntRange(0, 9).Draw(t, "kind"); {
			case k < 4:
				b.WriteString(glob.Quote(rapid.SampledFrom(letters()).Draw(t, "letter")))
			case k == 9 && depth > 0:
				sides := rapid.SliceOfN(genExpr(depth-1), 1, 3).Draw(t, "sides")
				if rapid.Bool().Draw(t, "empty") {
					sides = append(sides, "")
				}
				b.WriteString("{" + strings.Join(sides, ",") + "}")
			default:
				b.WriteString(rapid.SampledFrom(wild).Draw(t, "wild"))
			}
		}
		s := b.String()
		if depth == 2 && rapid.IntRange(0, 5).Draw(t, "lead") == 0 {
			s = "**/" + s
		}
		if depth == 2 && rapid.IntRange(0, 5).Draw(t, "trail") == 0 {
			s += "/**"
		}
		return s
	})
}

// genPathFor draws a path that p probably matches, if only under Darwin.
func genPathFor(p *glob.Pattern) *rapid.Generator[string] {
	near := rapid.Custom(func(t *rapid.T) string {
		var names []string
		for _, s := range rapid.SampledFrom(p.Alternatives()).Draw(t, "alternative") {
			if s.Doublestar {
				names = append(names, rapid.SliceOfN(genName(), 0, 2).Draw(t, "names")...)
				continue
			}
			name := ""
			for _, a := range s.Atoms {
				switch a := a.(type) {
				case glob.Char:
					form := rapid.SampledFrom(append(a.Forms(), a.Text, a.Text)).Draw(t, "form")
					if rapid.IntRange(0, 5).Draw(t, "case") == 0 {
						form = strings.ToLower(form)
					}
					name += form
				case glob.AnyRun:
					name += strings.Join(rapid.SliceOfN(rapid.SampledFrom(letters()), 0, 3).Draw(t, "run"), "")
				case glob.AnyChar, glob.Class:
					name += rapid.SampledFrom(letters()).Draw(t, "one")
				}
			}
			if name == "" || name == "." || name == ".." {
				name = "a"
			}
			names = append(names, name)
		}
		if rapid.IntRange(0, 4).Draw(t, "beneath") == 0 {
			names = append(names, genName().Draw(t, "name"))
		}
		return "/" + strings.Join(names, "/")
	})
	return rapid.OneOf(near, near, genPath())
}

// genRegex draws an expression over the letters a, b and the slash.
func genRegex() *rapid.Generator[*regex.Regex] {
	return rapid.Custom(func(t *rapid.T) *regex.Regex {
		for range 20 {
			if r, err := regex.Parse(genRegexText(3).Draw(t, "regex")); err == nil {
				return r
			}
		}
		r, err := regex.Parse(`^/a(/|$)`)
		if err != nil {
			t.Fatal(err)
		}
		return r
	})
}

func genRegexText(depth int) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for range rapid.IntRange(0, 4).Draw(t, "pieces") {
			if depth > 0 && rapid.IntRange(0, 2).Draw(t, "group") == 0 {
				sides := rapid.SliceOfN(genRegexText(depth-1), 1, 3).Draw(t, "sides")
				b.WriteString("(" + strings.Join(sides, "|") + ")")
				b.WriteString(rapid.SampledFrom([]string{"", "", "*", "+", "?", "{2}", "{1,2}", "{0,2}", "{2,}"}).Draw(t, "repeat"))
				continue
			}
			b.WriteString(rapid.SampledFrom([]string{"a", "b", "/", "[^/]", "[ab]", ".*", "^", "$", "a*", "[^/]+", "b?", "/"}).Draw(t, "piece"))
		}
		return b.String()
	})
}

// tiny draws a short string over the same letters.
func tiny() *rapid.Generator[string] {
	return rapid.Map(rapid.SliceOfN(rapid.SampledFrom([]byte("ab//")), 0, 6), func(b []byte) string { return string(b) })
}

// lists draws decision lists with rules that meet.
func genList(langs []automata.Lang, labels int) *rapid.Generator[automata.List] {
	return rapid.Custom(func(t *rapid.T) automata.List {
		l := automata.List{Default: uint8(rapid.IntRange(0, labels-1).Draw(t, "default"))}
		for range rapid.IntRange(0, 6).Draw(t, "rules") {
			l.Rules = append(l.Rules, automata.Rule{
				When:  genSet(langs, 2).Draw(t, "when"),
				Label: uint8(rapid.IntRange(0, labels-1).Draw(t, "label")),
			})
		}
		return l
	})
}

func genSet(langs []automata.Lang, depth int) *rapid.Generator[automata.Expr] {
	leaf := rapid.Map(rapid.SampledFrom(langs), func(l automata.Lang) automata.Expr { return automata.In{Lang: l} })
	// Rules often share their exceptions.
	except := rapid.Custom(func(t *rapid.T) automata.Expr {
		out := automata.And{leaf.Draw(t, "set")}
		for _, l := range rapid.SliceOfNDistinct(rapid.SampledFrom(langs[:3]), 1, 2, automata.Lang.String).Draw(t, "except") {
			out = append(out, automata.Not{X: automata.In{Lang: l}})
		}
		return out
	})
	if depth == 0 {
		return leaf
	}
	kids := rapid.SliceOfN(genSet(langs, depth-1), 0, 3)
	return rapid.OneOf(leaf, leaf, except, except, except,
		rapid.Map(kids, func(k []automata.Expr) automata.Expr { return automata.And(k) }),
		rapid.Map(kids, func(k []automata.Expr) automata.Expr { return automata.Or(k) }),
		rapid.Map(genSet(langs, depth-1), func(x automata.Expr) automata.Expr { return automata.Not{X: x} }),
		rapid.Map(rapid.Bool(), func(b bool) automata.Expr { return automata.Const(b) }),
		rapid.Custom(func(t *rapid.T) automata.Expr {
			l := automata.List{Default: uint8(rapid.IntRange(0, 1).Draw(t, "inner default"))}
			for _, x := range kids.Draw(t, "inner rules") {
				l.Rules = append(l.Rules, automata.Rule{When: x, Label: uint8(rapid.IntRange(0, 1).Draw(t, "inner label"))})
			}
			return automata.Is{List: &l, Label: 1}
		}),
	)
}

func mustRegex(t interface {
	Helper()
	Fatal(args ...any)
}, src string,
) *regex.Regex {
	t.Helper()
	r, err := regex.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
