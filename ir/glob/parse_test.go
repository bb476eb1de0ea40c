package glob_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/ir/glob"
)

// seg makes a segment; strings in atoms stand for one Char each.
func seg(atoms ...any) glob.Segment {
	var s glob.Segment
	for _, a := range atoms {
		switch a := a.(type) {
		case string:
			s.Atoms = append(s.Atoms, glob.Char{Text: a})
		case glob.Atom:
			s.Atoms = append(s.Atoms, a)
		}
	}
	return s
}

func class(negated bool, bounds ...rune) glob.Class {
	c := glob.Class{Negated: negated}
	for i := 0; i < len(bounds); i += 2 {
		c.Ranges = append(c.Ranges, glob.Range{Lo: bounds[i], Hi: bounds[i+1]})
	}
	return c
}

var (
	anyDepth = glob.Segment{Doublestar: true}
	star     = glob.AnyRun{}
	question = glob.AnyChar{}
)

func TestParseTree(t *testing.T) {
	t.Parallel()
	type alts = []glob.Alternative
	for _, tc := range []struct {
		name, pattern string
		want          alts
	}{
		{"root", "/", alts{nil}},
		{"literal", "/w/.env", alts{{seg("w"), seg(".", "e", "n", "v")}}},
		{"wildcards", "/a*/?b", alts{{seg("a", star), seg(question, "b")}}},
		{"doublestar", "/w/**/x", alts{{seg("w"), anyDepth, seg("x")}}},
		{"doublestars in a row are one", "/**/**/x", alts{{anyDepth, seg("x")}}},
		{"class", "/[a-cx]", alts{{seg(class(false, 'a', 'c', 'x', 'x'))}}},
		{"negated class", "/[!a][^b]", alts{{seg(class(true, 'a', 'a'), class(true, 'b', 'b'))}}},
		{"ranges are sorted and joined", "/[x-zb-da-bw]", alts{{seg(class(false, 'a', 'd', 'w', 'z'))}}},
		{"a range within a range", "/[a-zc-d]", alts{{seg(class(false, 'a', 'z'))}}},
		{"slash is cut out of a range", "/[+-9]", alts{{seg(class(false, '+', '.', '0', '9'))}}},
		{"dash first, last and after a range", "/[-a][a-][a-c-e]", alts{{seg(
			class(false, '-', '-', 'a', 'a'), class(false, '-', '-', 'a', 'a'), class(false, '-', '-', 'a', 'c', 'e', 'e'))}}},
		{"escapes in a class", `/[\]\-\a-\c!]`, alts{{seg(class(false, '!', '!', '-', '-', ']', ']', 'a', 'c'))}}},
		{"meta characters in a class", "/[*?{},[]", alts{{seg(
			class(false, '*', '*', ',', ',', '?', '?', '[', '[', '{', '{', '}', '}'))}}},
		{"escapes", `/\*\?\[\{\}\\\a`, alts{{seg("*", "?", "[", "{", "}", `\`, "a")}}},
		{"comma and ] are literal outside", "/a,b]", alts{{seg("a", ",", "b", "]")}}},
		{"braces", "/{a,b}c", alts{{seg("a", "c")}, {seg("b", "c")}}},
		{"braces nest", "/{a,{b,c}d}", alts{{seg("a")}, {seg("b", "d")}, {seg("c", "d")}}},
		{"braces hold slashes", "/{a/b,**/}c", alts{{seg("a"), seg("b", "c")}, {anyDepth, seg("c")}}},
		{"braces hold the first slash", "{/a,/b}", alts{{seg("a")}, {seg("b")}}},
		{"an empty side", "/a{,b}{/x,}", alts{
			{seg("a"), seg("x")}, {seg("a")}, {seg("a", "b"), seg("x")}, {seg("a", "b")},
		}},
		{"equal alternatives are one", "/{a,b,a}", alts{{seg("a")}, {seg("b")}}},
		{"braces around one thing", "/{a}{}", alts{{seg("a")}}},
		{"a comma in a class in braces", "/{[,}],b}", alts{{seg(class(false, ',', ',', '}', '}'))}, {seg("b")}}},
		{"combining marks stay with their base", "/e\u0301x", alts{{seg("e\u0301", "x")}}},
		{"across an escape and a brace", "/e\\\u0301o{\u0302}", alts{{seg("e\u0301", "o\u0302")}}},
		{"jamo are one unit", "/\u1112\u1161\u11ab", alts{{seg("\u1112\u1161\u11ab")}}},
		{"bytes that are not UTF-8", "/\xff\xc3a\\\xfe", alts{{seg("\xff", "\xc3", "a", "\xfe")}}},
		{"a replacement character is itself", "/\ufffd[\ufffd]", alts{{seg("\ufffd", class(false, 0xfffd, 0xfffd))}}},
		{"dots that are no dot segment", "/.../a./.?", alts{{seg(".", ".", "."), seg("a", "."), seg(".", question)}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p, err := glob.Parse(tc.pattern)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, p.Alternatives()); diff != "" {
				t.Errorf("alternatives (-want +got):\n%s", diff)
			}
			if p.String() != tc.pattern {
				t.Errorf("String() = %q, want the source", p)
			}
			for _, a := range p.Alternatives() {
				again := glob.MustParse(a.String()).Alternatives()
				if diff := cmp.Diff([]glob.Alternative{a}, again); diff != "" {
					t.Errorf("%q parsed again (-want +got):\n%s", a, diff)
				}
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, pattern string
		offset        int
		msg           string
	}{
		{"empty", "", 0, "the pattern is not absolute"},
		{"relative", "a/b", 0, "the pattern is not absolute"},
		{"relative in braces", "{/a,b}", 4, "the pattern is not absolute"},
		{"home", "~/x", 0, "the pattern is not absolute"},
		{"two slashes", "/a//b", 3, "an empty segment"},
		{"only slashes", "//", 1, "an empty segment"},
		{"empty by an empty side", "/a/{,b}/c", 7, "an empty segment"},
		{"trailing slash", "/a/", 2, "/ at the end"},
		{"trailing by an empty side", "/a/{b,}", 2, "/ at the end"},
		{"dot", "/a/./b", 3, "a segment that is ."},
		{"dot dot", "/a/..", 3, "a segment that is .."},
		{"escaped dot", `/a/\.`, 3, "a segment that is ."},
		{"dot dot by braces", "/{.,x}.", 2, "a segment that is .."},
		{"doublestar after text", "/a**", 2, "** must be a whole segment"},
		{"doublestar before text", "/**a", 1, "** must be a whole segment"},
		{"doublestar by a brace", "/{**,b}c", 2, "** must be a whole segment"},
		{"stars that meet", "/{*,a}*", 6, "** must be a whole segment, and two * meet here"},
		{"three stars", "/***", 1, "more than two stars in a row"},
		{"unclosed class", "/a[bc", 2, "[ without a ]"},
		{"unclosed class before a slash", "/a[b/c", 2, "[ without a ]"},
		{"unclosed negation", "/[!", 1, "[ without a ]"},
		{"class that ends in a backslash", `/[a\`, 1, "[ without a ]"},
		{"class that ends in a range", `/[a-`, 1, "[ without a ]"},
		{"empty class", "/[]", 1, "a class that holds nothing"},
		{"] first", "/[]a]", 1, "a class that holds nothing"},
		{"empty negated class", "/[!]", 1, "a class that holds nothing"},
		{"slash in a class", "/[a/b]", 3, "/ in a class"},
		{"slash ends a range", "/[--/]", 4, "/ in a class"},
		{"reversed range", "/x[c-a]", 3, "the range c-a is reversed"},
		{"class with a byte that is not UTF-8", "/[a\xff]", 3, "a class cannot hold a byte that is not UTF-8"},
		{"class with NUL", "/[\x00]", 2, "a path cannot hold a NUL byte"},
		{"NUL", "/a\x00", 2, "a path cannot hold a NUL byte"},
		{"escaped NUL", "/a\\\x00", 2, "a path cannot hold a NUL byte"},
		{"unclosed brace", "/a{b,c", 2, "{ without a }"},
		{"unclosed inner brace", "/{a,{b}", 1, "{ without a }"},
		{"} alone", "/a}", 2, "} without a {"},
		{"backslash at the end", `/a\`, 2, `\ at the end`},
		{"escaped slash", `/a\/b`, 2, "/ cannot be escaped"},
		{"too many alternatives", "/x" + strings.Repeat("{a,b}", 9), 2, "the braces stand for more than 256 alternatives"},
		{"far too many alternatives", "/x" + strings.Repeat("{a,b}", 9000), 2, "the braces stand for more than 256 alternatives"},
		{"too deep", "/" + strings.Repeat("{", 100), 33, "braces nest deeper than 32"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, err := glob.Parse(tc.pattern)
			var e *glob.Error
			if !errors.As(err, &e) {
				t.Fatalf("error %v, want a *glob.Error", err)
			}
			got := glob.Error{Pattern: e.Pattern, Offset: e.Offset, Msg: e.Msg}
			want := glob.Error{Pattern: tc.pattern, Offset: tc.offset, Msg: tc.msg}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("error (-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseErrorText(t *testing.T) {
	t.Parallel()
	_, err := glob.Parse("/a**")
	want := `glob "/a**", byte 2: ** must be a whole segment (write * within a segment, or /**/ between slashes)`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestParseAtTheLimit(t *testing.T) {
	t.Parallel()
	p, err := glob.Parse("/x" + strings.Repeat("{a,b}", 8))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(p.Alternatives()); n != glob.MaxAlternatives {
		t.Errorf("%d alternatives, want %d", n, glob.MaxAlternatives)
	}
}

func TestMustParsePanics(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	glob.MustParse("x")
}

func TestQuote(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, path, want string }{
		{"plain", "/a b/c,d-]!^~é", "/a b/c,d-]!^~é"},
		{"special", `/*?[x]{a,b}\`, `/\*\?\[x]\{a,b\}\\`},
		{"root", "/", "/"},
		{"not UTF-8", "/\xff*", "/\xff\\*"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if got := glob.Quote(tc.path); got != tc.want {
				t.Errorf("Quote(%q) = %q, want %q", tc.path, got, tc.want)
			}
			if got, ok := glob.MustParse(tc.want).IsLiteral(); got != tc.path || !ok {
				t.Errorf("IsLiteral() = %q, %v, want %q", got, ok, tc.path)
			}
		})
	}
}

func TestHasMeta(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]bool{
		"": false, "/a": false, "/a*": true, "/?": true, "/[": true, "/{": true,
		`/a\*`: false, `/a\\*`: true, `/a\`: false, "/a]},": false, `\?\[\{`: false,
	} {
		if got := glob.HasMeta(s); got != want {
			t.Errorf("HasMeta(%q) = %v, want %v", s, got, want)
		}
	}
}

func TestEqual(t *testing.T) {
	t.Parallel()
	a, b, none := glob.MustParse("/a"), glob.MustParse("/b"), (*glob.Pattern)(nil)
	if !a.Equal(glob.Literal("/a")) || a.Equal(b) || a.Equal(none) || none.Equal(a) || !none.Equal(nil) {
		t.Error("Equal is not equality of the source text")
	}
}
