package document_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/frontend/document"
	"github.com/sandboxc/sbc/ir/glob"
)

func TestLiteral(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, globText string }{
		{"nothing special", "/w/a b.go", "/w/a b.go"},
		{"every special character", `*?[]{}\!~`, `\*\?\[\]\{\}\\\!\~`},
		{"between other characters", "/w[1]/é*", `/w\[1\]/é\*`},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			lit := document.Literal(tt.in)
			if diff := cmp.Diff([]string{tt.in, tt.globText}, []string{document.Plain(lit), document.GlobText(lit)}); diff != "" {
				t.Errorf("Plain, GlobText (-want +got):\n%s", diff)
			}
			if got, want := document.HasMark(lit), tt.in != tt.globText; got != want {
				t.Errorf("HasMark = %v, want %v", got, want)
			}
		})
	}
}

// TestLiteralLaws holds what was marked literal to be itself as a text and, as
// a glob, to match itself alone.
func TestLiteralLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.RuneFrom([]rune(`*?[]{}\!~aé`))).Draw(t, "name")
		lit := document.Literal(s)
		if got := document.Plain(lit); got != s {
			t.Fatalf("Plain(Literal(%q)) = %q", s, got)
		}
		if got := document.Literal(lit); got != lit {
			t.Fatalf("Literal of %q again = %q", lit, got)
		}
		if s == "" {
			return
		}
		p, err := glob.Parse("/" + document.GlobText(lit))
		if err != nil {
			t.Fatalf("GlobText(Literal(%q)): %v", s, err)
		}
		if got, ok := p.IsLiteral(); !ok || got != "/"+s {
			t.Fatalf("the glob of %q matches %q, literal %v", s, got, ok)
		}
	})
}
