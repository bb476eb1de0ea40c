package diag_test

import (
	"testing"

	"github.com/sandboxc/sbc/ir/diag"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	modes := []string{"none", "proxy", "full"}
	tests := []struct {
		name       string
		input      string
		candidates []string
		want       string
	}{
		{name: "insertion", input: "ful", candidates: modes, want: "full"},
		{name: "deletion", input: "proxyy", candidates: modes, want: "proxy"},
		{name: "replacement", input: "nine", candidates: modes, want: "none"},
		{name: "two edits", input: "porxy", candidates: modes, want: "proxy"},
		{name: "three edits", input: "prixyyy", candidates: modes, want: ""},
		{name: "case does not count", input: "FILESYSTEM", candidates: []string{"filesystem"}, want: "filesystem"},
		{name: "the nearest wins", input: "reads", candidates: []string{"red", "read"}, want: "read"},
		{name: "the first of equals wins", input: "bat", candidates: []string{"cat", "rat"}, want: "cat"},
		{name: "nothing left of the name", input: "x", candidates: []string{"rw", "y"}, want: ""},
		{name: "characters, not bytes", input: "日本", candidates: []string{"日木"}, want: "日木"},
		{name: "empty name", input: "", candidates: []string{"a"}, want: ""},
		{name: "no candidates", input: "a", want: ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := diag.Nearest(tt.input, tt.candidates); got != tt.want {
				t.Errorf("Nearest(%q) = %q, want %q", tt.input, got, tt.want)
			}
		})
	}
}
