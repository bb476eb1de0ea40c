package glob_test

import (
	"strings"
	"testing"
	"time"

	"github.com/sandboxc/sbc/ir/glob"
)

func TestMatchExact(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, pattern string
		match         []string // whole path
		covers        []string // not matched, but beneath
		not           []string
	}{
		{
			"literal", "/w/.env",
			[]string{"/w/.env"},
			[]string{"/w/.env/x", "/w/.env/x/y"},
			[]string{"/w", "/", "/w/.envx", "/w/.en", "/x/w/.env", "", "w/.env", "/W/.env"},
		},
		{"root", "/", []string{"/"}, []string{"/a", "/a/b"}, []string{"", "a"}},
		{
			"doublestar in the middle", "/w/**/.env",
			[]string{"/w/.env", "/w/a/.env", "/w/a/b/.env", "/w/.env/.env"},
			[]string{"/w/a/.env/x"},
			[]string{"/w", "/w/a", "/.env", "/w/a.env"},
		},
		{
			"doublestar at the end", "/d/**",
			[]string{"/d", "/d/a", "/d/a/b"},
			nil,
			[]string{"/", "/dd", "/x/d"},
		},
		{"everything", "/**", []string{"/", "/a", "/a/b"}, nil, []string{"", "a"}},
		{
			"two doublestars", "/**/a/**/b",
			[]string{"/a/b", "/x/a/b", "/a/x/b", "/a/a/b/b", "/x/a/y/z/b"},
			[]string{"/a/b/c"},
			[]string{"/b/a", "/a", "/b", "/"},
		},
		{
			"star", "/w/*.env",
			[]string{"/w/.env", "/w/a.env", "/w/..env"},
			[]string{"/w/a.env/b"},
			[]string{"/w/a/.env", "/w/.envx", "/w"},
		},
		{"star alone is a segment", "/*", []string{"/a", "/.a"}, []string{"/a/b"}, []string{"/"}},
		{"stars", "/a*b*c", []string{"/abc", "/axbxc", "/abcbc", "/abbcc"}, nil, []string{"/acb", "/ab", "/abcx"}},
		{"overlapping affixes", "/aba*aba", []string{"/abaaba", "/abaxaba"}, nil, []string{"/aba", "/ababa"}},
		{
			"question mark", "/?",
			[]string{"/a", "/é", "/日", "/\xff", "/.", "/\U0001f600"},
			[]string{"/a/b"},
			[]string{"/", "/ab", "/e\u0301", "/\xff\xff", "/\xc3\xa9\xa9"},
		},
		{"class", "/[a-cé]", []string{"/a", "/c", "/é"}, nil, []string{"/d", "/A", "/\xff", "/ab"}},
		{"negated class", "/[!a-c]", []string{"/d", "/é", "/\xff", "/-"}, nil, []string{"/a", "/b", "/"}},
		{"a class never matches a slash", "/a[!x]b", []string{"/ayb"}, nil, []string{"/a/b", "/axb"}},
		{"a range never matches a slash", "/a[+-9]b", []string{"/a.b", "/a0b"}, nil, []string{"/a/b"}},
		{"replacement character", "/[\ufffd]", []string{"/\ufffd"}, nil, []string{"/\xff"}},
		{"replacement character, literal", "/\ufffd", []string{"/\ufffd"}, nil, []string{"/\xff"}},
		{"a byte is not a part of a character", "/\xc3*", []string{"/\xc3", "/\xc3a", "/\xc3\xc3"}, nil, []string{"/é", "/\xc4"}},
		{"nor at the end", "/*\xa9", []string{"/\xa9", "/a\xa9", "/é\xa9"}, nil, []string{"/é"}},
		{"normal forms differ", "/é", []string{"/é"}, nil, []string{"/e\u0301", "/É"}},
		{"a star may split a unit", "/e*", []string{"/e", "/e\u0301"}, nil, []string{"/é"}},
		{
			"alternatives", "/w/{a/b,c*}/x",
			[]string{"/w/a/b/x", "/w/c/x", "/w/cc/x"},
			[]string{"/w/c/x/y"},
			[]string{"/w/a/x", "/w/a/b", "/w/b/x"},
		},
		{"escaped", `/\*\\`, []string{`/*\`}, nil, []string{`/a\`, "/*"}},
		{"a leading dot is nothing special", "/**/*rc", []string{"/.npmrc", "/.a/.b/rc"}, nil, []string{"/.npmrcs"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p := glob.MustParse(tc.pattern)
			check := func(paths []string, match, covers bool) {
				for _, path := range paths {
					if got := p.Match(path, glob.Exact); got != match {
						t.Errorf("Match(%q) = %v, want %v", path, got, match)
					}
					if got := p.Covers(path, glob.Exact); got != covers {
						t.Errorf("Covers(%q) = %v, want %v", path, got, covers)
					}
				}
			}
			check(tc.match, true, true)
			check(tc.covers, false, true)
			check(tc.not, false, false)
		})
	}
}

func TestMatchDarwin(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, pattern string
		match, not    []string
	}{
		{"ASCII case", "/w/**/.env", []string{"/W/.ENV", "/w/A/.eNv"}, []string{"/w/.envx", "/v/.env"}},
		{"affixes", "/Ab*yZ", []string{"/aByz", "/ABxYZ"}, []string{"/abz", "/bayz"}},
		{"overlapping affixes", "/aba*ABA", []string{"/ABAaba"}, []string{"/ababA"}},
		{"normal forms", "/caf\u00e9", []string{"/caf\u00e9", "/cafe\u0301", "/CAFE\u0301", "/CAF\u00c9"}, []string{"/cafe", "/cafe\u0300"}},
		{"from NFD", "/cafe\u0301s*", []string{"/caf\u00e9s", "/CAF\u00c9Sx"}, []string{"/cafes"}},
		{"other letters keep their case", "/я", []string{"/я"}, []string{"/Я"}},
		{"a base letter alone", "/e", []string{"/E"}, []string{"/é", "/e\u0301"}},
		{"not in normal form", "/\u212b", []string{"/\u212b", "/\u00c5", "/A\u030a", "/\u00e5"}, []string{"/A"}},
		{"hangul", "/한", []string{"/\u1112\u1161\u11ab", "/한"}, []string{"/\u1112\u1161"}},
		{"class", "/[a-c]", []string{"/a", "/B"}, []string{"/d", "/\xff"}},
		{"the ends of the alphabet", "/[AZ]", []string{"/a", "/z", "/A", "/Z"}, []string{"/b", "/@", "/["}},
		{"lower-case ends of the alphabet", "/[az]é", []string{"/AÉ", "/Zé"}, []string{"/`é", "/{é"}},
		{"class of capitals", "/[X]", []string{"/x", "/X"}, []string{"/y"}},
		{"a negated class only grows", "/[!a]", []string{"/a", "/A", "/b", "/\xff"}, nil},
		{"a negated class of both cases", "/[!aA]", []string{"/b"}, []string{"/a", "/A"}},
		{"what is no letter has no other case", "/[@[{`]", []string{"/@", "/[", "/{"}, []string{"/`x", "/A"}},
		{"one code point", "/?", []string{"/é"}, []string{"/e\u0301"}},
		{"bytes", "/\xc3*", []string{"/\xc3A"}, []string{"/é"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p := glob.MustParse(tc.pattern)
			for _, path := range tc.match {
				if !p.Match(path, glob.Darwin) {
					t.Errorf("Match(%q) = false, want true", path)
				}
			}
			for _, path := range tc.not {
				if p.Match(path, glob.Darwin) {
					t.Errorf("Match(%q) = true, want false", path)
				}
			}
		})
	}
}

func TestFoldString(t *testing.T) {
	t.Parallel()
	if glob.Exact.String() != "exact" || glob.Darwin.String() != "darwin" || glob.Fold(7).String() != "invalid fold" {
		t.Error("the names of folds are exact, darwin and invalid fold")
	}
}

// A matcher that tries all ways would not end within years.
func TestMatchHostile(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, pattern, path string }{
		{"stars", "/" + strings.Repeat("a*", 200) + "b", "/" + strings.Repeat("a", 4000)},
		{"stars with units", "/" + strings.Repeat("?é*", 100) + "b", "/" + strings.Repeat("e\u0301", 1000)},
		{"doublestars", strings.Repeat("/**/a", 100) + "/b", strings.Repeat("/a", 2000)},
		{"both", strings.Repeat("/**/*a*a*", 50) + "/b", strings.Repeat("/aaaaaaa", 500)},
		{"alternatives", strings.Repeat("/**/{*a*,*a*a*}", 8) + "/b", strings.Repeat("/aaaaaaa", 500)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p := glob.MustParse(tc.pattern)
			for _, fold := range []glob.Fold{glob.Exact, glob.Darwin} {
				start := time.Now()
				if p.Match(tc.path, fold) || p.Covers(tc.path, fold) {
					t.Errorf("%v: matched", fold)
				}
				if d := time.Since(start); d > 5*time.Second {
					t.Errorf("%v: took %v", fold, d)
				}
			}
		})
	}
}
