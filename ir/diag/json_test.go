package diag_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/ir/diag"
)

func TestJSON(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		list diag.List
		want string
	}{
		{name: "empty", want: `{
  "version": 1,
  "diagnostics": []
}
`},
		{
			name: "all parts, and none",
			list: diag.List{
				{
					Code:     diag.CodeLimit,
					Severity: diag.Security,
					Summary:  "summary <&>",
					Detail:   "Detail.",
					Help:     "help",
					Rule:     "limits.memory",
					Target:   "darwin",
					Subject:  at(t, network, "\"of\"\n"),
					Related:  []diag.Related{{Message: "the file", Range: diag.Range{File: "policy.hcl"}}},
				},
				{Code: diag.CodeStartFailed, Severity: diag.Note, Summary: "s", Subject: &diag.Range{}},
			},
			want: `{
  "version": 1,
  "diagnostics": [
    {
      "code": "SBC4010",
      "severity": "note",
      "summary": "s",
      "detail": "",
      "help": "",
      "rule": "",
      "target": "",
      "range": null,
      "related": []
    },
    {
      "code": "SBC2110",
      "severity": "security",
      "summary": "summary <&>",
      "detail": "Detail.",
      "help": "help",
      "rule": "limits.memory",
      "target": "darwin",
      "range": {
        "file": "policy.hcl",
        "start": {
          "line": 3,
          "column": 10,
          "byte": 31
        },
        "end": {
          "line": 4,
          "column": 1,
          "byte": 36
        }
      },
      "related": [
        {
          "message": "the file",
          "range": {
            "file": "policy.hcl",
            "start": null,
            "end": null
          }
        }
      ]
    }
  ]
}
`,
		},
		{
			name: "characters that do not show",
			list: diag.List{{Code: "SBC0001", Severity: diag.Error, Summary: "\xff\n\x1b\x7f\u009b\u202e\U000e0041日"}},
			want: `{
  "version": 1,
  "diagnostics": [
    {
      "code": "SBC0001",
      "severity": "error",
      "summary": "\ufffd\n\u001b\u007f\u009b\u202e\udb40\udc41日",
      "detail": "",
      "help": "",
      "rule": "",
      "target": "",
      "range": null,
      "related": []
    }
  ]
}
`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var b bytes.Buffer
			if err := diag.JSON(&b, tt.list); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, b.String()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
