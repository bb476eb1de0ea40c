package ir_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/irtest"
)

// Whatever the names in a policy are, a rule is one line that shows.
func TestTextHasALineForEachRule(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := irtest.Full()
		before := strings.Count(p.Text(), "\n")
		name := rapid.String().Draw(t, "name") + string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"))
		p.Name, p.Workspace = name, name
		p.Files[0].Origin.Address, p.Files[0].Reason, p.Files[0].Guard = name, name, name
		p.Files[1].Match = ir.Path(name)
		p.Files[2].Match = ir.Subtree("/" + name)
		p.Files[3].Origin.Range.File, p.Files[3].Origin.Via = name, []string{name}
		p.Network.Allow[0].Host = name
		p.Env.Set[0].Name, p.Env.Set[0].Value = name, name
		p.Extras[0].Value, p.Accepts[0].Rule, p.Tests[0].Name = name, name, name
		p.Sources[0].File, p.Sources[0].Path = name, name
		text := p.Text()
		if after := strings.Count(text, "\n"); after != before {
			t.Fatalf("%d lines, then %d", before, after)
		}
		for _, r := range text {
			if r != '\n' && (!unicode.IsPrint(r) || r == unicode.ReplacementChar && !strings.ContainsRune(name, r)) {
				t.Fatalf("%U in the text", r)
			}
		}
	})
}

// No line depends on another one: without a rule, its line is gone and nothing
// else.
func TestTextLinesAreIndependent(t *testing.T) {
	t.Parallel()
	p := irtest.Full()
	lines := strings.SplitAfter(p.Text(), "\n")
	for i := range p.Files {
		q := irtest.Full()
		q.Files = slices.Delete(q.Files, i, i+1)
		at := 8 + i // behind the head and the titles
		want := strings.Join(slices.Delete(slices.Clone(lines), at, at+1), "")
		if diff := cmp.Diff(want, q.Text()); diff != "" {
			t.Errorf("without rule %d (-want +got):\n%s", i, diff)
		}
	}
}

func TestTextQuotes(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, want string }{
		{"plain", "plain"},
		{"/a/b\\*[x]{y}'", "/a/b\\*[x]{y}'"},
		{"caf\u00e9", "caf\u00e9"},
		{`a"b`, `a"b`},
		{`"a"`, `"\"a\""`},
		{"", `""`},
		{"a b", `"a b"`},
		{"a\nb\tc", `"a\nb\tc"`},
		{"a\x00", `"a\u0000"`},
		{"\x1b[31m", `"\u001b[31m"`},
		{"\u202e", `"\u202e"`},
		{"\u3164", `"\u3164"`},
		{"\U000e0001", `"\U000e0001"`},
		{"\xff", `"\xff"`},
		{"\ufffd", "\ufffd"},
		{"\u00a0", `"\u00a0"`},
	}
	for _, tt := range tests {
		first, _, _ := strings.Cut((&ir.Policy{Name: tt.name}).Text(), "\n")
		if got := strings.TrimPrefix(first, "policy "); got != tt.want {
			t.Errorf("%q is %s, want %s", tt.name, got, tt.want)
		}
	}
}
