package glob_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/ir/glob"
)

func TestBaseLeadingMoveSafe(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, pattern string
		base          string
		leading       []string
		moveSafe      bool
	}{
		{"root", "/", "/", nil, false},
		{"literal", `/w/a\*`, "/w/a*", []string{"/w"}, false},
		{"one segment", "/w", "/w", nil, false},
		{"move-safe", "/**/.env", "/", nil, true},
		{"move-safe with wildcards", "/**/*.[ab]?", "/", nil, true},
		{"move-safe alternatives", "/**/{.env,.npmrc}", "/", nil, true},
		{"one alternative is not", "/**/{.env,a/b}", "/", []string{"/**/a"}, false},
		{"everything", "/**", "/", nil, false},
		{"beneath a root", "/w/**/.env", "/w", []string{"/w"}, false},
		{"doublestar at the end", "/d/**", "/d", []string{"/d"}, false},
		{"hooks", "/w/**/.git/hooks", "/w", []string{"/w", "/w/**/.git"}, false},
		{"doublestar between", "/a/**/b/**", "/a", []string{"/a", "/a/**/b"}, false},
		{"the union, sorted", "/w/{z/*,a/b*/c}", "/w", []string{"/w", "/w/a", "/w/a/b*", "/w/z"}, false},
		{"base of alternatives", "/w/{a/b,a/c/d}", "/w/a", []string{"/w", "/w/a", "/w/a/c"}, false},
		{"one alternative is the base", "/w{,/a/b}", "/w", []string{"/w", "/w/a"}, false},
		{"a common part of a name is no base", "/w/{ab,ac}", "/w", []string{"/w"}, false},
		{"escapes stay in leading parts", `/\{a/[\]x]/b`, "/{a", []string{`/\{a`, `/\{a/[\]x]`}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p := glob.MustParse(tc.pattern)
			if got := p.Base(); got != tc.base {
				t.Errorf("Base() = %q, want %q", got, tc.base)
			}
			var leading []string
			for _, l := range p.Leading() {
				leading = append(leading, l.String())
				if diff := cmp.Diff(glob.MustParse(l.String()).Alternatives(), l.Alternatives()); diff != "" {
					t.Errorf("%q parsed again (-want +got):\n%s", l, diff)
				}
			}
			if diff := cmp.Diff(tc.leading, leading); diff != "" {
				t.Errorf("Leading() (-want +got):\n%s", diff)
			}
			if got := p.MoveSafe(); got != tc.moveSafe {
				t.Errorf("MoveSafe() = %v, want %v", got, tc.moveSafe)
			}
		})
	}
}

func TestIsLiteral(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, pattern, path string
		ok                  bool
	}{
		{"plain", "/a/b", "/a/b", true},
		{"escaped", `/\[a\]/\\`, `/[a]/\`, true},
		{"root", "/", "/", true},
		{"equal alternatives", "/{a,a}", "/a", true},
		{"star", "/a*", "", false},
		{"class of one", "/[a]", "", false},
		{"doublestar", "/a/**", "", false},
		{"alternatives", "/{a,b}", "", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if path, ok := glob.MustParse(tc.pattern).IsLiteral(); path != tc.path || ok != tc.ok {
				t.Errorf("IsLiteral() = %q, %v, want %q, %v", path, ok, tc.path, tc.ok)
			}
		})
	}
}

func TestUnder(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, root, tail string
		want             []string
	}{
		{"plain", "/w", "**/.env", []string{"/w/**/.env"}},
		{"root is /", "/", "**/.git/hooks", []string{"/**/.git/hooks"}},
		{"root is quoted", "/w[1]", "**/a/b*", []string{`/w\[1]/**/a/b*`}},
		{"root ends in the first segment", "/m/.git", "**/.git/hooks/*", []string{"/m/.git/**/.git/hooks/*", "/m/.git/hooks/*"}},
		{"root ends in two segments", "/m/.git/hooks", "**/.git/hooks/*", []string{"/m/.git/hooks/**/.git/hooks/*", "/m/.git/hooks/*"}},
		{"two ways", "/a/a", "**/a/a/b", []string{"/a/a/**/a/a/b", "/a/a/a/b", "/a/a/b"}},
		{"root is the whole tail", "/m/.git/hooks", "**/.git/hooks", []string{"/m/.git/hooks/**/.git/hooks"}},
		{"not in the middle of root", "/.git/m", "**/.git/hooks", []string{"/.git/m/**/.git/hooks"}},
		{"wildcards match root", "/m/x.d", "**/*.d/f", []string{"/m/x.d/**/*.d/f", "/m/x.d/f"}},
		{"case is folded", "/m/.GIT", "**/.git/hooks", []string{"/m/.GIT/**/.git/hooks", "/m/.GIT/hooks"}},
		{"root within a second doublestar", "/m/.git/modules/sub", "**/.git/modules/**/config", []string{
			"/m/.git/modules/sub/**/.git/modules/**/config", "/m/.git/modules/sub/**/config",
		}},
		{"root before a second doublestar", "/m/.git/modules", "**/.git/modules/**/config", []string{
			"/m/.git/modules/**/.git/modules/**/config", "/m/.git/modules/**/config",
		}},
		{"doublestar at the end", "/h/skills", "**/skills/**", []string{"/h/skills/**/skills/**", "/h/skills/**"}},
		{"alternatives", "/m/.git", "**/.git/{hooks/*,config}", []string{
			"/m/.git/**/.git/{hooks/*,config}", "/m/.git/hooks/*", "/m/.git/config",
		}},
		{"everything beneath", "/w", "**", []string{"/w/**"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got, err := glob.Under(tc.root, glob.MustParse("/"+tc.tail))
			if err != nil {
				t.Fatal(err)
			}
			var texts []string
			for _, p := range got {
				texts = append(texts, p.String())
				if diff := cmp.Diff(glob.MustParse(p.String()).Alternatives(), p.Alternatives()); diff != "" {
					t.Errorf("%s is not what its text says (-want +got):\n%s", p, diff)
				}
			}
			if diff := cmp.Diff(tc.want, texts); diff != "" {
				t.Errorf("Under (-want +got):\n%s", diff)
			}
		})
	}
}

func TestBeneath(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name  string
		roots []string
		tail  string
		want  []string
	}{
		{"one root", []string{"/w"}, "**/.env", []string{"/w/**/.env"}},
		{"roots are alternatives", []string{"/tmp", "/home/me/go"}, "**/.env", []string{"/{tmp,home/me/go}/**/.env"}},
		{"roots are quoted", []string{"/w[1]", "/a,b{c}"}, "**/x*", []string{`/{w\[1],a\,b\{c\}}/**/x*`}},
		{"braces in the tail", []string{"/a", "/b"}, "**/{x,y}", []string{"/{a,b}/**/{x,y}"}},
		{"the whole tree holds the others", []string{"/a", "/"}, "**/x", []string{"/**/x"}},
		{"a root ends in the tail", []string{"/m/.git", "/w", "/n/.git"}, "**/.git/config", []string{
			"/{m/.git,w,n/.git}/**/.git/config", "/m/.git/config", "/n/.git/config",
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got, err := glob.NewRoots(tc.roots).Beneath(glob.MustParse("/" + tc.tail))
			if err != nil {
				t.Fatal(err)
			}
			var texts []string
			for _, p := range got {
				texts = append(texts, p.String())
				if diff := cmp.Diff(glob.MustParse(p.String()).Alternatives(), p.Alternatives()); diff != "" {
					t.Errorf("%s is not what its text says (-want +got):\n%s", p, diff)
				}
			}
			if diff := cmp.Diff(tc.want, texts); diff != "" {
				t.Errorf("Beneath (-want +got):\n%s", diff)
			}
		})
	}
}

func TestBeneathManyRoots(t *testing.T) {
	t.Parallel()
	var roots []string
	for i := range 300 {
		roots = append(roots, fmt.Sprintf("/r%d", i))
	}
	got, err := glob.NewRoots(roots).Beneath(glob.MustParse("/**/{x,y}"))
	if err != nil {
		t.Fatal(err)
	}
	var sizes []int
	for _, p := range got {
		sizes = append(sizes, len(p.Alternatives()))
	}
	if diff := cmp.Diff([]int{256, 256, 88}, sizes); diff != "" {
		t.Errorf("alternatives (-want +got):\n%s", diff)
	}
}

func TestBases(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, pattern, base string
		want                []string
	}{
		{"one", "/w/**/x", "/w", []string{"/w"}},
		{"apart", "/{w,a/b}/**/x", "/", []string{"/a/b", "/w"}},
		{"one beneath the other", "/w/{b/c,**}/x", "/w", []string{"/w"}},
		{"beside, with the same beginning", "/w{,x}/*", "/", []string{"/w", "/wx"}},
		{"the root", "/{**/x,w/*}", "/", []string{"/"}},
		{"literals", "/{b,a}", "/", []string{"/a", "/b"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			p := glob.MustParse(tc.pattern)
			if got := p.Base(); got != tc.base {
				t.Errorf("Base() = %s, want %s", got, tc.base)
			}
			if diff := cmp.Diff(tc.want, p.Bases()); diff != "" {
				t.Errorf("Bases (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUnderErrors(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, tail string }{
		{"literal", "/.env"},
		{"root", "/"},
		{"one alternative is literal", "/{**/a,b}"},
		{"a wildcard", "/*/a"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			_, err := glob.Under("/w", glob.MustParse(tc.tail))
			want := "glob \"" + tc.tail + "\", byte 0: a pattern beneath write roots starts with **/"
			if err == nil || err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
			if e := (*glob.Error)(nil); !errors.As(err, &e) {
				t.Errorf("%T is no *glob.Error", err)
			}
		})
	}
}

func TestForms(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, text string
		want       []string
	}{
		{"ASCII", "e", []string{"e"}},
		{"composed", "\u00e9", []string{"\u00e9", "e\u0301", "\u00c9"}},
		{"decomposed", "e\u0301", []string{"e\u0301", "\u00e9", "\u00c9"}},
		{"capital", "\u00c9", []string{"\u00c9", "E\u0301", "\u00e9"}},
		{"no ASCII letter", "\u0439", []string{"\u0439", "\u0438\u0306"}},
		{"one form", "日", []string{"日"}},
		{"in neither form", "\u212b", []string{"\u212b", "\u00c5", "A\u030a", "\u00e5"}},
		{"marks in another order", "e\u0301\u0323", []string{"e\u0301\u0323", "\u1eb9\u0301", "e\u0323\u0301", "\u1eb8\u0301"}},
		{"byte", "\xff", []string{"\xff"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, glob.Char{Text: tc.text}.Forms()); diff != "" {
				t.Errorf("Forms() (-want +got):\n%s", diff)
			}
		})
	}
}
