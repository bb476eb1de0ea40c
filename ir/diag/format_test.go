package diag_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/ir/diag"
)

func TestParseFormat(t *testing.T) {
	t.Parallel()
	for _, f := range diag.Formats() {
		got, err := diag.ParseFormat(string(f))
		if got != f || err != nil {
			t.Errorf("ParseFormat(%q) = %q, %v", f, got, err)
		}
	}
	tests := []struct{ name, input, want string }{
		{name: "near miss", input: "sarfi", want: `unknown format "sarfi" (did you mean "sarif"?): use text, json, sarif or github`},
		{name: "case", input: "JSON", want: `unknown format "JSON" (did you mean "json"?): use text, json, sarif or github`},
		{name: "empty", input: "", want: `unknown format "": use text, json, sarif or github`},
		{name: "unknown", input: "yaml", want: `unknown format "yaml": use text, json, sarif or github`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := diag.ParseFormat(tt.input)
			if err == nil {
				t.Fatal("no error")
			}
			if diff := cmp.Diff(tt.want, err.Error()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
