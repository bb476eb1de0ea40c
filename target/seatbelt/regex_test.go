package seatbelt_test

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/target/seatbelt"
)

func TestRegex(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		pattern string
		exact   int // segments, -1 for an opening
		end     string
		want    string
		rough   bool
	}{
		{"a literal below an exact part", "/w/.env", 1, seatbelt.Covered, `^/w/\.[Ee][Nn][Vv](/|$)`, false},
		{"a literal in any case", "/w/.env", 0, seatbelt.Covered, `^/[Ww]/\.[Ee][Nn][Vv](/|$)`, false},
		{"an opening", "/dev/ttys[0-9]*", -1, seatbelt.Covered, `^/dev/ttys[0-9][^/]*(/|$)`, false},
		{"a run in a name", "/w/.env*", 1, seatbelt.Covered, `^/w/\.[Ee][Nn][Vv][^/]*(/|$)`, false},
		{"a run that is a name", "/w/*", 1, seatbelt.Covered, `^/w/[^/]+(/|$)`, false},
		{"any depth", "/w/**/.env", 1, seatbelt.Covered, `^/w(/[^/]+)*/\.[Ee][Nn][Vv](/|$)`, false},
		{"everywhere", "/**/.env", 0, seatbelt.Covered, `^(/[^/]+)*/\.[Ee][Nn][Vv](/|$)`, false},
		{"any depth at the end", "/w/**", 1, seatbelt.Covered, `^/w(/|$)`, false},
		{"any depth at the end, itself", "/w/**", 1, seatbelt.Itself, `^/w(/[^/]+)*$`, false},
		{"everything", "/**", 0, seatbelt.Covered, `^/`, false},
		{"everything, itself", "/**", 0, seatbelt.Itself, `^/`, false},
		{"beneath everything", "/**", 0, seatbelt.Beneath, `^/[^/]`, false},
		{"the root", "/", 0, seatbelt.Itself, `^/$`, false},
		{"itself", "/w/.git", 1, seatbelt.Itself, `^/w/\.[Gg][Ii][Tt]$`, false},
		{"beneath", "/w/.git", 1, seatbelt.Beneath, `^/w/\.[Gg][Ii][Tt]/`, false},
		{"a class", "/[a-c]", 0, seatbelt.Covered, `^/[A-Ca-c](/|$)`, false},
		{"a class with one member", "/[7]", 0, seatbelt.Covered, `^/7(/|$)`, false},
		{"a class with two", "/[78]", 0, seatbelt.Covered, `^/[78](/|$)`, false},
		{"a class over the slash", "/[+-9]", 0, seatbelt.Covered, `^/[+-.0-9](/|$)`, false},
		{"a class with delicate members", `/[\]\\\^\-x]`, 0, seatbelt.Covered, `^/([Xx]|\]|\\|\^|-)(/|$)`, false},
		{"a class with delicate edges", `/[Z-\]]`, 0, seatbelt.Covered, `^/([Zz]|\]|\\|\[)(/|$)`, false},
		{"delicate members within a range", `/["-~]`, 0, seatbelt.Covered, "^/[\"-.0-~](/|$)", false},
		{"a class beyond ASCII", "/[àé]", 0, seatbelt.Covered, `^/(à|é)(/|$)`, false},
		{"a large class beyond ASCII", "/[a一-鿿]", 0, seatbelt.Covered, `^/([Aa]|[^ -~][^ -~][^ -~]?[^ -~]?)(/|$)`, true},
		{"an opening with a large class", "/[a一-鿿]", -1, seatbelt.Covered, `^/a(/|$)`, true},
		{"an opening of which nothing is left", "/[一-鿿]", -1, seatbelt.Covered, `^//(/|$)`, true},
		{"any character", "/a?", 0, seatbelt.Covered, `^/[Aa]([^/]|[^ -~][^ -~][^ -~]?[^ -~]?)(/|$)`, true},
		{"an opening with any character", "/a?", -1, seatbelt.Covered, `^/a[ -.0-~](/|$)`, true},
		{"all but one, which has another case", "/[!a]", 0, seatbelt.Covered, `^/([^/]|[^ -~][^ -~][^ -~]?[^ -~]?)(/|$)`, true},
		{"all but a digit", "/[!0-9]", 0, seatbelt.Covered, `^/([^/0-9]|[^ -~][^ -~][^ -~]?[^ -~]?)(/|$)`, true},
		{"an opening with all but a digit", "/[!0-9]", -1, seatbelt.Covered, `^/[ -.:-~](/|$)`, true},
		{"special characters", `/a.b^$|+()\[\]\{\}\*\?\\`, -1, seatbelt.Covered, `^/a\.b\^\$\|\+\(\)\[\]\{\}\*\?\\(/|$)`, false},
		{"both normal forms", "/é", 0, seatbelt.Covered, "^/(é|[Ee]\u0301|É)(/|$)", false},
		{"one normal form", "/日", 0, seatbelt.Covered, "^/日(/|$)", false},
		{"not UTF-8", "/\xff", 0, seatbelt.Covered, "^/\xff(/|$)", false},
		{"not UTF-8, beside a run", "/\xff*", 0, seatbelt.Covered, "^/\xff[^/]*(/|$)", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			a := glob.MustParse(tt.pattern).Alternatives()[0]
			exact, closes := tt.exact, tt.exact >= 0
			if !closes {
				exact = len(a)
			}
			got, rough := seatbelt.Regex(a, exact, closes, tt.end)
			if got != tt.want || rough != tt.rough {
				t.Errorf("regex(%q) = %s, %t, want %s, %t", tt.pattern, got, rough, tt.want, tt.rough)
			}
		})
	}
}

// bytewise matches as the system does: byte by byte.
func bytewise(t rapid.TB, re, path string) bool {
	latin := func(s string) string {
		var b strings.Builder
		for i := range len(s) {
			b.WriteRune(rune(s[i]))
		}
		return b.String()
	}
	c, err := regexp.Compile(latin(re))
	if err != nil {
		t.Fatalf("%q: %v", re, err)
	}
	return c.MatchString(latin(path))
}

var pieces = []string{
	"a", "B", ".", "é", "e\u0301", "K", "\u212a", "日", "\xff", "\xc3", "\xa9", "-", "]", "^", "\\", "[", "(", "|", "$", "\n", "\x01", " ", "~", "{", "*", "?",
}

func TestRegexMatchesAsTheGlob(t *testing.T) {
	t.Parallel()
	wild := []string{"*", "?", "[a-c]", "[!a]", `[Z-\]x]`, "[é-ü]", `[!\\-é]`, "[ -~]", `[\--0]`}
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for range rapid.IntRange(1, 3).Draw(t, "segments") {
			b.WriteByte('/')
			if rapid.IntRange(0, 3).Draw(t, "any depth") == 0 {
				b.WriteString("**")
				continue
			}
			for range rapid.IntRange(1, 3).Draw(t, "atoms") {
				if rapid.Bool().Draw(t, "wild") {
					b.WriteString(rapid.SampledFrom(wild).Draw(t, "piece"))
				} else {
					b.WriteString(glob.Quote(rapid.SampledFrom(pieces).Draw(t, "text")))
				}
			}
		}
		text := strings.ReplaceAll(strings.ReplaceAll(b.String(), "**/**", "**"), "***", "**")
		p, err := glob.Parse(text)
		if err != nil {
			return // such as "." as a whole segment
		}
		a := p.Alternatives()[0]
		closing, roughClosing := seatbelt.Regex(a, 0, true, seatbelt.Covered)
		itself, _ := seatbelt.Regex(a, 0, true, seatbelt.Itself)
		opening, roughOpening := seatbelt.Regex(a, len(a), false, seatbelt.Covered)
		for range 10 {
			path := genName(t)
			for range rapid.IntRange(0, 2).Draw(t, "depth") {
				path += genName(t)
			}
			closes, opens := bytewise(t, closing, path), bytewise(t, opening, path)
			switch covers := p.Covers(path, glob.Darwin); {
			case covers && !closes:
				t.Fatalf("%q covers %q, but %q does not match", text, path, closing)
			case !covers && closes && !roughClosing:
				t.Fatalf("%q does not cover %q, but %q matches", text, path, closing)
			case p.Match(path, glob.Darwin) && !bytewise(t, itself, path):
				t.Fatalf("%q matches %q, but %q does not", text, path, itself)
			}
			switch covers := p.Covers(path, glob.Exact); {
			case !covers && opens:
				t.Fatalf("%q does not cover %q, but the opening %q matches", text, path, opening)
			case covers && !opens && !roughOpening:
				t.Fatalf("%q covers %q, but the opening %q does not match", text, path, opening)
			}
		}
	})
}

// genName draws a slash and a name that is neither "." nor "..".
func genName(t *rapid.T) string {
	n := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 3).Draw(t, "name"), "")
	if n == "." || n == ".." {
		n = "a"
	}
	return "/" + n
}
