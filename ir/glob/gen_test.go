package glob_test

import (
	"strings"

	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/ir/glob"
)

// The generators draw from few letters, so that patterns and paths meet.

// plain are letters that every matcher reads in the same way; odd adds bytes
// that are not UTF-8.
var (
	plain = []string{"a", "b", "A", ".", "é", "e\u0301", "É", "E\u0301", "e", "日", "-", "*"}
	odd   = append([]string{"\xff", "\xc3", "\ufffd"}, plain...)
)

func genName(letters []string) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		name := strings.Join(rapid.SliceOfN(rapid.SampledFrom(letters), 1, 4).Draw(t, "name"), "")
		if name == "." || name == ".." {
			return "a"
		}
		return name
	})
}

func genPath(letters []string) *rapid.Generator[string] {
	return rapid.Map(rapid.SliceOfN(genName(letters), 0, 5), func(names []string) string {
		return "/" + strings.Join(names, "/")
	})
}

// genPattern draws a pattern that can be parsed.
func genPattern(letters []string) *rapid.Generator[string] {
	return rapid.Custom(func(t *rapid.T) string {
		for range 20 {
			s := "/" + genExpr(letters, 2).Draw(t, "pattern")
			if _, err := glob.Parse(s); err == nil {
				return s
			}
		}
		return "/a*"
	})
}

func genExpr(letters []string, depth int) *rapid.Generator[string] {
	wild := []string{"*", "*", "?", "[a-c]", "[!a]", "[^a-bé]", `[é日\]-]`, "[+-9]", "[A]", "/", "/"}
	if depth == 2 {
		wild = append(wild, "/**/", "/**/", "/**/")
	}
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		for range rapid.IntRange(1, 6).Draw(t, "pieces") {
			switch k := rapid.IntRange(0, 9).Draw(t, "kind"); {
			case k < 4:
				b.WriteString(glob.Quote(rapid.SampledFrom(letters).Draw(t, "letter")))
			case k == 9 && depth > 0:
				sides := rapid.SliceOfN(genExpr(letters, depth-1), 1, 3).Draw(t, "sides")
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
func genPathFor(p *glob.Pattern, letters []string) *rapid.Generator[string] {
	near := rapid.Custom(func(t *rapid.T) string {
		var names []string
		for _, s := range rapid.SampledFrom(p.Alternatives()).Draw(t, "alternative") {
			if s.Doublestar {
				names = append(names, rapid.SliceOfN(genName(letters), 0, 2).Draw(t, "names")...)
				continue
			}
			name := ""
			for _, a := range s.Atoms {
				switch a := a.(type) {
				case glob.Char:
					form := rapid.SampledFrom(append(a.Forms(), a.Text, a.Text)).Draw(t, "form")
					if rapid.IntRange(0, 5).Draw(t, "case") == 0 {
						form = asciiLower(form)
					}
					name += form
				case glob.AnyRun:
					name += strings.Join(rapid.SliceOfN(rapid.SampledFrom(letters), 0, 3).Draw(t, "run"), "")
				case glob.AnyChar, glob.Class:
					name += rapid.SampledFrom(letters).Draw(t, "one")
				}
			}
			if name == "" || name == "." || name == ".." {
				name = "a"
			}
			names = append(names, name)
		}
		return "/" + strings.Join(names, "/")
	})
	return rapid.OneOf(near, near, genPath(letters))
}
