package diag_test

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/ir/diag"
)

func TestGitHub(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		list diag.List
		want string
	}{
		{name: "empty", want: ""},
		{
			name: "all parts",
			list: diag.List{{
				Code:     diag.CodeUnknownName,
				Severity: diag.Error,
				Summary:  `unknown network mode "of"`,
				Detail:   "Write one of them.",
				Help:     "did you mean, perhaps: off?",
				Rule:     "network.mode",
				Target:   "linux",
				Subject:  at(t, network, `"of"`),
				Related: []diag.Related{
					{Message: "the block", Range: *at(t, network, "network")},
					{Message: "the file", Range: diag.Range{File: "x.hcl"}},
					{Message: "nowhere"},
				},
			}},
			want: `::error file=policy.hcl,line=3,col=10,endLine=3,title=SBC0002::unknown network mode "of"` +
				`%0AWrite one of them.%0Ahelp: did you mean, perhaps: off?%0Arule: network.mode%0Atarget: linux` +
				`%0Anote: the block (policy.hcl:2:1)%0Anote: the file (x.hcl)%0Anote: nowhere` + "\n",
		},
		{
			name: "levels",
			list: diag.List{
				{Severity: diag.Error, Code: "SBC0001", Summary: "a"},
				{Severity: diag.Security, Code: "SBC1008", Summary: "b"},
				{Severity: diag.Warning, Code: "SBC1001", Summary: "c"},
				{Severity: diag.Note, Code: "SBC2101", Summary: "d"},
			},
			want: `::error title=SBC0001::a
::warning title=SBC1008 (security)::b
::warning title=SBC1001::c
::notice title=SBC2101::d
`,
		},
		{
			name: "several lines have no column",
			list: diag.List{{
				Severity: diag.Error, Code: "SBC0001", Summary: "a", Subject: at(t, network, "network {\n  mode = \"of\"\n"),
			}},
			want: "::error file=policy.hcl,line=2,endLine=3,title=SBC0001::a\n",
		},
		{
			name: "the file as a whole",
			list: diag.List{{Severity: diag.Error, Code: "SBC0008", Summary: "a", Subject: &diag.Range{File: "p.hcl"}}},
			want: "::error file=p.hcl,title=SBC0008::a\n",
		},
		{
			name: "escapes",
			list: diag.List{{
				Severity: diag.Error, Code: "SBC0001", Summary: "100%\r\n::error::a,b:c\x1b",
				Subject: &diag.Range{File: "a,b:c%0A\n.hcl"},
			}},
			want: `::error file=a%2Cb%3Ac%250A\n.hcl,title=SBC0001::100%25\r\n::error::a,b:c\u001b` + "\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var b bytes.Buffer
			if err := diag.GitHub(&b, tt.list); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, b.String()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
