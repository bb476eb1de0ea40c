package glob_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/ir/glob"
)

var seeds = []string{
	"/", "/a", "/w/**/.env", "/w/{a,b/{c,}}", "/[!a-z]?*", `/\*\\`, "/**", "/é/e\u0301", "/\xff\xc3*", "/[]", "/{a", "/a**", "/[+-9]", "{/a,/b}", "/[a-",
}

func clean(path string) bool {
	if path == "/" {
		return true
	}
	if !strings.HasPrefix(path, "/") || strings.ContainsRune(path, 0) {
		return false
	}
	for name := range strings.SplitSeq(path[1:], "/") {
		if name == "" || name == "." || name == ".." {
			return false
		}
	}
	return true
}

func FuzzParse(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if clean(s) {
			checkQuote(t, s)
		}
		p, err := glob.Parse(s)
		if err != nil {
			var e *glob.Error
			if !errors.As(err, &e) || e.Offset < 0 || e.Offset > len(s) || e.Msg == "" || e.Pattern != s {
				t.Fatalf("Parse(%q): %#v", s, err)
			}
			return
		}
		again, err := glob.Parse(p.String())
		if err != nil || p.String() != s {
			t.Fatalf("Parse(%q) has the text %q, which parses with error %v", s, p, err)
		}
		if diff := cmp.Diff(p.Alternatives(), again.Alternatives()); diff != "" {
			t.Fatalf("%q parsed again (-want +got):\n%s", s, diff)
		}
		for _, a := range p.Alternatives() {
			apart, err := glob.Parse(a.String())
			if err != nil {
				t.Fatalf("alternative %q of %q: %v", a, s, err)
			}
			if diff := cmp.Diff([]glob.Alternative{a}, apart.Alternatives()); diff != "" {
				t.Fatalf("alternative %q of %q parsed again (-want +got):\n%s", a, s, diff)
			}
		}
		if path, ok := p.IsLiteral(); ok && (!clean(path) || !p.Match(path, glob.Exact)) {
			t.Fatalf("%q is literally %q", s, path)
		}
		if !clean(p.Base()) {
			t.Fatalf("%q has the base %q", s, p.Base())
		}
		p.Leading()
		p.MoveSafe()
	})
}

func FuzzMatch(f *testing.F) {
	for _, s := range seeds {
		f.Add(s, "/w/a/.env")
		f.Add(s, "/é")
	}
	f.Fuzz(func(t *testing.T, pattern, path string) {
		p, err := glob.Parse(pattern)
		if err != nil || !clean(path) || len(pattern) > 200 || len(path) > 200 {
			return
		}
		got := p.Match(path, glob.Exact)
		if want := refMatch(p, path, glob.Exact); got != want {
			t.Fatalf("%q, path %q: match is %v, the reference says %v", p, path, got, want)
		}
		if got, want := p.Match(path, glob.Darwin), refMatch(p, path, glob.Darwin); got != want {
			t.Fatalf("%q, path %q, folded: match is %v, the reference says %v", p, path, got, want)
		}
		if want, ok := oracle(t, p, path); ok && got != want {
			t.Fatalf("%q, path %q: match is %v, doublestar says %v", p, path, got, want)
		}
	})
}
