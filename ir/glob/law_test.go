package glob_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/ir/glob"
)

var folds = []glob.Fold{glob.Exact, glob.Darwin}

// refMatch is the meaning of the tree, with all ways followed at once: the set
// of places in the path that are reached after each segment.
func refMatch(p *glob.Pattern, path string, fold glob.Fold) bool {
	var segs []string
	if path != "/" {
		segs = strings.Split(path[1:], "/")
	}
	return slices.ContainsFunc(p.Alternatives(), func(a glob.Alternative) bool {
		at := map[int]bool{0: true}
		for _, s := range a {
			next := map[int]bool{}
			for i := range at {
				switch {
				case s.Doublestar:
					for j := i; j <= len(segs); j++ {
						next[j] = true
					}
				case i < len(segs) && refSegment(s, segs[i], fold):
					next[i+1] = true
				}
			}
			at = next
		}
		return at[len(segs)]
	})
}

func refSegment(s glob.Segment, name string, fold glob.Fold) bool {
	at := map[int]bool{0: true}
	for _, a := range s.Atoms {
		next := map[int]bool{}
		for i := range at {
			rest := name[i:]
			r, size := utf8.DecodeRuneInString(rest)
			bad := r == utf8.RuneError && size == 1
			switch a := a.(type) {
			case glob.AnyRun:
				for j := 0; ; {
					next[i+j] = true
					if i+j == len(name) {
						break
					}
					_, n := utf8.DecodeRuneInString(rest[j:])
					j += n
				}
			case glob.AnyChar:
				if size > 0 {
					next[i+size] = true
				}
			case glob.Class:
				in := func(r rune) bool {
					return slices.ContainsFunc(a.Ranges, func(x glob.Range) bool { return x.Lo <= r && r <= x.Hi }) != a.Negated
				}
				other := r
				if len(rest) > 0 && fold == glob.Darwin && strings.ToUpper(rest[:1]) != strings.ToLower(rest[:1]) {
					other = r ^ 0x20
				}
				if size > 0 && (bad && a.Negated || !bad && (in(r) || in(other))) {
					next[i+size] = true
				}
			case glob.Char:
				forms := []string{a.Text}
				if fold == glob.Darwin {
					forms = a.Forms()
				}
				for _, f := range forms {
					if len(rest) < len(f) || !utf8.ValidString(f) && !bad {
						continue
					}
					if rest[:len(f)] == f || fold == glob.Darwin && asciiLower(rest[:len(f)]) == asciiLower(f) {
						next[i+len(f)] = true
					}
				}
			}
		}
		at = next
	}
	return at[len(name)]
}

func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

func TestMatchIsReference(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := glob.MustParse(genPattern(odd).Draw(t, "pattern"))
		for range 5 {
			path := genPathFor(p, odd).Draw(t, "path")
			for _, fold := range folds {
				if got, want := p.Match(path, fold), refMatch(p, path, fold); got != want {
					t.Fatalf("%q, path %q, %v: match is %v, the reference says %v", p, path, fold, got, want)
				}
			}
		}
	})
}

// Covers(path) = Match of path or of a directory above it.
func TestCoversIsMatchAbove(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := glob.MustParse(genPattern(odd).Draw(t, "pattern"))
		path := genPathFor(p, odd).Draw(t, "path")
		for _, fold := range folds {
			want := p.Match("/", fold)
			for i := 1; i <= len(path); i++ {
				if i == len(path) || path[i] == '/' {
					want = want || p.Match(path[:i], fold)
				}
			}
			if got := p.Covers(path, fold); got != want {
				t.Fatalf("%q covers %q, %v: %v, want %v", p, path, fold, got, want)
			}
		}
	})
}

// A pattern matches what one of its alternatives, parsed apart, matches.
func TestMatchIsAnyAlternative(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := glob.MustParse(genPattern(odd).Draw(t, "pattern"))
		path := genPathFor(p, odd).Draw(t, "path")
		for _, fold := range folds {
			want := slices.ContainsFunc(p.Alternatives(), func(a glob.Alternative) bool {
				return glob.MustParse(a.String()).Match(path, fold)
			})
			if got := p.Match(path, fold); got != want {
				t.Fatalf("%q, path %q, %v: %v, alternatives say %v", p, path, fold, got, want)
			}
		}
	})
}

// Match under Exact implies Match under Darwin.
func TestFoldOnlyAdds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := glob.MustParse(genPattern(odd).Draw(t, "pattern"))
		path := genPathFor(p, odd).Draw(t, "path")
		if p.Match(path, glob.Exact) && !p.Match(path, glob.Darwin) {
			t.Fatalf("%q matches %q only under Exact", p, path)
		}
	})
}

// A literal matches its path in either normal form and either case.
func TestFoldOfLiteral(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		path := genPath(plain).Draw(t, "path")
		p := glob.Literal(path)
		nfc, nfd := norm.NFC.String(path), norm.NFD.String(path)
		upper := norm.NFC.String(strings.Map(func(r rune) rune {
			if 'a' <= r && r <= 'z' {
				return r - 'a' + 'A'
			}
			return r
		}, nfd))
		for _, s := range []string{path, nfc, nfd, upper, norm.NFD.String(upper)} {
			if !p.Match(s, glob.Darwin) {
				t.Fatalf("%+q does not match %+q", path, s)
			}
			if got, want := p.Match(s, glob.Exact), s == path; got != want {
				t.Fatalf("%+q matches %+q under Exact: %v", path, s, got)
			}
		}
	})
}

// The units of a text are together the text, and so are their normal forms.
// No form is a prefix of another, case aside.
func TestCharsLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		runes := rapid.OneOf(
			rapid.Rune(), rapid.RuneFrom([]rune("eoAIÅ\u212b\u1112\u1161\u11ab가")),
			rapid.Int32Range(0x300, 0x345), rapid.Int32Range(0x1100, 0x11ff), rapid.Int32Range(0x900, 0xdff), rapid.Int32Range(0x1e00, 0x1fff),
		)
		text := rapid.StringOf(runes).Filter(func(s string) bool {
			return s != "" && s != "." && s != ".." && !strings.ContainsAny(s, "/\x00")
		}).Draw(t, "text")
		var all, nfc, nfd string
		for _, a := range glob.Literal("/" + text).Alternatives()[0][0].Atoms {
			c := a.(glob.Char)
			all += c.Text
			nfc += norm.NFC.String(c.Text)
			nfd += norm.NFD.String(c.Text)
			forms := c.Forms()
			for i, f := range forms {
				for j, g := range forms {
					if i != j && strings.HasPrefix(asciiLower(f), asciiLower(g)) {
						t.Fatalf("form %+q of %+q starts with %+q", f, c.Text, g)
					}
				}
			}
		}
		want := []string{text, norm.NFC.String(text), norm.NFD.String(text)}
		if diff := cmp.Diff(want, []string{all, nfc, nfd}); diff != "" {
			t.Fatalf("units of %+q (-want +got):\n%s", text, diff)
		}
	})
}

// Parse(Quote(path)) = Literal(path).
func TestQuoteLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		path := genPath(append([]string{`\`, "[", "]", "{", "}", ",", "?", "!"}, odd...)).Draw(t, "path")
		checkQuote(t, path)
	})
}

func checkQuote(t interface {
	Helper()
	Fatalf(string, ...any)
}, path string,
) {
	t.Helper()
	p, err := glob.Parse(glob.Quote(path))
	if err != nil {
		t.Fatalf("Quote(%q) = %q: %v", path, glob.Quote(path), err)
	}
	lit := glob.Literal(path)
	if diff := cmp.Diff(lit.Alternatives(), p.Alternatives()); diff != "" || p.String() != lit.String() {
		t.Fatalf("Parse(Quote(%q)) is not Literal (-want +got):\n%s", path, diff)
	}
	if got, ok := p.IsLiteral(); got != path || !ok || p.Base() != path {
		t.Fatalf("%q: IsLiteral() = %q, %v, Base() = %q, want %q", p, got, ok, p.Base(), path)
	}
	if !p.Match(path, glob.Exact) || !p.Match(path, glob.Darwin) || glob.HasMeta(p.String()) {
		t.Fatalf("%q does not match %q, or has wildcards", p, path)
	}
}

// Base is at or above everything that matches, and whatever lies beneath a
// match lies beneath a match of each leading part that is not beneath it.
func TestBaseAndLeadingLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := glob.MustParse(genPattern(odd).Draw(t, "pattern"))
		path := genPathFor(p, odd).Draw(t, "path")
		if !p.Match(path, glob.Exact) {
			return
		}
		if !glob.Literal(p.Base()).Covers(path, glob.Exact) {
			t.Fatalf("%q matches %q, which is not beneath its base %q", p, path, p.Base())
		}
		if len(p.Alternatives()) > 1 {
			return
		}
		for _, l := range p.Leading() {
			if diff := cmp.Diff(glob.MustParse(l.String()).Alternatives(), l.Alternatives()); diff != "" {
				t.Fatalf("%q is not what its text says (-want +got):\n%s", l, diff)
			}
			if !l.Covers(path, glob.Exact) {
				t.Fatalf("%q matches %q, which is not beneath its leading part %q", p, path, l)
			}
		}
	})
}

// Under(root, tail) are subsets of what tail means at the root of everything,
// and what tail matches beneath root is covered by them.
func TestUnderLaw(t *testing.T) {
	t.Parallel()
	ascii := []string{"a", "b", "c", "."}
	rapid.Check(t, func(t *rapid.T) {
		tail := "**/" + strings.TrimPrefix(genPattern(ascii).Draw(t, "tail"), "/")
		whole, err := glob.Parse("/" + tail)
		if err != nil {
			return
		}
		root := genPath(ascii).Draw(t, "root")
		path := strings.TrimSuffix(root, "/") + "/" + genName(ascii).Draw(t, "name") + strings.TrimSuffix(genPath(ascii).Draw(t, "rest"), "/")
		patterns, err := glob.Under(root, whole)
		if err != nil {
			t.Fatal(err)
		}
		got := slices.ContainsFunc(patterns, func(p *glob.Pattern) bool {
			again := glob.MustParse(p.String()) // LAW: Parse(text of p) = p
			if diff := cmp.Diff(again.Alternatives(), p.Alternatives()); diff != "" {
				t.Fatalf("root %q, tail %q: %q is not what its text says (-want +got):\n%s", root, tail, p, diff)
			}
			if p.Match(path, glob.Darwin) != again.Match(path, glob.Darwin) {
				t.Fatalf("%q and its text differ on %q", p, path)
			}
			return p.Match(path, glob.Darwin)
		})
		if want := whole.Match(path, glob.Darwin); got != want {
			t.Fatalf("root %q, tail %q, path %q: %q match %v, want %v", root, tail, path, patterns, got, want)
		}
	})
}
