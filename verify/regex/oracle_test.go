package regex_test

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/verify/regex"
)

// sources draws expressions that mean the same to Go, if bytes are written as
// the characters with their numbers.
func sources() *rapid.Generator[string] {
	atom := rapid.SampledFrom([]string{
		"a", "b", "/", `\.`, ".", "[ab]", "[^/]", "[^a]", "[a-c]", `[-a]`, `[]a]`, `[\w/]`, `\d`, `\S`, "$", "()", "\xc3", "[^\xa9]", "\n",
	})
	quantified := rapid.Custom(func(t *rapid.T) string {
		return atom.Draw(t, "atom") + rapid.SampledFrom([]string{"", "", "", "*", "+", "?", "{2}", "{0,2}", "{1,}", "*?"}).Draw(t, "quantifier")
	})
	var alternatives func(depth int) *rapid.Generator[string]
	alternatives = func(depth int) *rapid.Generator[string] {
		return rapid.Custom(func(t *rapid.T) string {
			var alts []string
			for range rapid.IntRange(1, 3).Draw(t, "alternatives") {
				var b strings.Builder
				b.WriteString(rapid.SampledFrom([]string{"", "", "^"}).Draw(t, "start"))
				for range rapid.IntRange(0, 3).Draw(t, "parts") {
					if depth > 0 && rapid.Bool().Draw(t, "group") {
						b.WriteString("(" + alternatives(depth-1).Draw(t, "group") + ")")
						b.WriteString(rapid.SampledFrom([]string{"", "*", "+", "?"}).Draw(t, "repeat"))
						continue
					}
					b.WriteString(quantified.Draw(t, "part"))
				}
				alts = append(alts, b.String())
			}
			return strings.Join(alts, "|")
		})
	}
	return alternatives(2)
}

func latin(s string) string {
	var b strings.Builder
	for i := range len(s) {
		b.WriteRune(rune(s[i]))
	}
	return b.String()
}

func agreesWithGo(t *rapid.T) {
	src := sources().Draw(t, "expression")
	oracle, err := regexp.Compile("(?s)" + latin(src))
	if err != nil {
		t.Fatalf("Go does not take %q: %v", src, err)
	}
	re, err := regex.Parse(src)
	if err != nil {
		t.Fatal(err)
	}
	piece := rapid.SampledFrom([]string{"a", "b", "c", "/", ".", "-", "]", "1", "\n", "\xc3", "\xa9", "\xff"})
	for range 8 {
		path := strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "path"), "")
		if got, want := re.Match(path), oracle.MatchString(latin(path)); got != want {
			t.Errorf("%q matches %q = %v, want %v", src, path, got, want)
		}
	}
}

func TestAgreesWithGo(t *testing.T) {
	t.Parallel()
	rapid.Check(t, agreesWithGo)
}

func FuzzAgreesWithGo(f *testing.F) { f.Fuzz(rapid.MakeFuzz(agreesWithGo)) }

// FuzzParse holds that no text makes the reader panic, and that what it takes
// can be matched.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`^/w/(.*/)?\.env$`, `[^/]{2,3}`, `(?:a)`, `((a*)*)*`, `[\w-]`, `\`, `[`, `a{1`} {
		f.Add(s, "/w/a")
	}
	f.Fuzz(func(t *testing.T, src, path string) {
		re, err := regex.Parse(src)
		if err != nil {
			return
		}
		re.Match(path)
		if re.String() != src {
			t.Errorf("String = %q, want %q", re.String(), src)
		}
	})
}
