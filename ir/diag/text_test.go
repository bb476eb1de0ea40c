package diag_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/ir/diag"
)

const network = `version = 1
network {
  mode = "of"
}
`

// at returns the range of the first occurrence of part in text.
func at(t *testing.T, text, part string) *diag.Range {
	t.Helper()
	i := strings.Index(text, part)
	if i < 0 {
		t.Fatalf("%q is not in the text", part)
	}
	r := diag.NewSource([]byte(text)).Range("policy.hcl", i, i+len(part))
	return &r
}

func render(t *testing.T, l diag.List, opts diag.TextOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := diag.Text(&b, l, opts); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestTextSnippet shows one range of one file.
func TestTextSnippet(t *testing.T) {
	t.Parallel()
	list := "read = [\n  \"a\",\n\n  \"b\",\n  \"c\",\n  \"d\",\n  \"e\",\n]\n"
	tests := []struct {
		name   string
		text   string
		part   string // marked; the end of the text when empty
		around string // the context, if any
		want   string
	}{
		{
			name: "one line", text: network, part: `"of"`, want: `
 --> policy.hcl:3:10
  |
3 |   mode = "of"
  |          ^^^^
`,
		},
		{
			name: "context", text: network, part: `"of"`, around: "network {\n  mode = \"of\"\n}", want: `
 --> policy.hcl:3:10
  |
2 | network {
3 |   mode = "of"
  |          ^^^^
4 | }
`,
		},
		{
			name: "long context", text: "deny {\n" + list + "x = z\n1\n2\n}\n", part: "z", around: "deny {\n" + list + "x = z\n1\n2\n}", want: `
  --> policy.hcl:10:5
   |
 1 | deny {
...
10 | x = z
   |     ^
`,
		},
		{
			name: "context beside the subject", text: network, part: `"of"`, around: "version", want: `
 --> policy.hcl:3:10
  |
3 |   mode = "of"
  |          ^^^^
`,
		},
		{
			name: "several lines", text: list, part: "[\n  \"a\",\n\n  \"b\",\n", want: `
 --> policy.hcl:1:8
  |
1 | read = [
  |        ^
2 |   "a",
  |   ^^^^
3 |
4 |   "b",
  |   ^^^^
`,
		},
		{
			name: "many lines", text: list, part: strings.TrimSpace(list), want: `
 --> policy.hcl:1:1
  |
1 | read = [
  | ^^^^^^^^
2 |   "a",
  |   ^^^^
3 |
...
8 | ]
  | ^
`,
		},
		{
			name: "wide characters", text: "a = \"日本\" + é\n", part: "é", want: `
 --> policy.hcl:1:16
  |
1 | a = "日本" + é
  |              ^
`,
		},
		{
			name: "marks under wide characters", text: "a = \"日本\"\n", part: "日本", want: `
 --> policy.hcl:1:6
  |
1 | a = "日本"
  |      ^^^^
`,
		},
		{
			name: "combining mark", text: "e\u0301 = x\n", part: "x", want: `
 --> policy.hcl:1:7
  |
1 | ` + "e\u0301" + ` = x
  |     ^
`,
		},
		{
			name: "half of a character", text: "é = 1\n", part: "\xa9", want: `
 --> policy.hcl:1:2
  |
1 | é = 1
  | ^
`,
		},
		{
			name: "tabs", text: "\tmode\t= \"of\"\n", part: `"of"`, want: `
 --> policy.hcl:1:9
  |
1 |     mode    = "of"
  |               ^^^^
`,
		},
		{
			name: "CRLF", text: "mode = \"of\"\r\nx = 1\r\n", part: "\"of\"\r\n", want: `
 --> policy.hcl:1:8
  |
1 | mode = "of"
  |        ^^^^
`,
		},
		{
			name: "escape sequences", text: "a = \"\x1b[2J\u009b\u202e\xff\" # b\n", part: "b", want: `
 --> policy.hcl:1:20
  |
1 | a = "\u001b[2J\u009b\u202e\xff" # b
  |                                   ^
`,
		},
		{
			name: "the end of the file", text: "a = [", want: `
 --> policy.hcl:1:6
  |
1 | a = [
  |      ^
`,
		},
		{
			name: "behind the last newline", text: "a = [\n", want: `
 --> policy.hcl:2:1
  |
2 |
  | ^
`,
		},
		{
			name: "an empty file", text: "", want: `
 --> policy.hcl:1:1
  |
1 |
  | ^
`,
		},
		{
			name: "a newline", text: "a = 1\nb = 2\n", part: "\n", want: `
 --> policy.hcl:1:6
  |
1 | a = 1
  |      ^
`,
		},
		{
			name: "a long line", text: `a = "` + strings.Repeat("x", 150) + "HERE" + strings.Repeat("y", 1000) + `"`, part: "HERE", want: `
 --> policy.hcl:1:156
  |
1 | ...` + strings.Repeat("x", 133) + "HERE" + strings.Repeat("y", 60) + `...
  | ` + strings.Repeat(" ", 136) + `^^^^
`,
		},
		{
			name: "a long range", text: strings.Repeat("x", 10_000), part: strings.Repeat("x", 10_000), want: `
 --> policy.hcl:1:1
  |
1 | ` + strings.Repeat("x", 200) + `...
  | ` + strings.Repeat("^", 200) + `
`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := diag.Diagnostic{Code: diag.CodeSyntax, Severity: diag.Error, Summary: "wrong", Subject: at(t, tt.text, tt.part)}
			if tt.part == "" {
				end := diag.NewSource([]byte(tt.text)).Range("policy.hcl", len(tt.text), len(tt.text))
				d.Subject = &end
			}
			if tt.around != "" {
				d.Context = at(t, tt.text, tt.around)
			}
			sources := diag.SourceSet{"policy.hcl": []byte(tt.text)}
			got := render(t, diag.List{d}, diag.TextOptions{Sources: sources.Source})
			if diff := cmp.Diff("error[SBC0001]: wrong"+tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestText shows everything but the snippet.
func TestText(t *testing.T) {
	t.Parallel()
	subject := at(t, network, `"of"`)
	full := diag.Diagnostic{
		Code:     diag.CodeUnknownName,
		Severity: diag.Error,
		Summary:  `unknown network mode "of"`,
		Detail:   `The mode is one of "none", "proxy" and "full". Write one of them.`,
		Help:     `did you mean "off"?`,
		Rule:     "network.mode",
		Target:   "linux",
		Subject:  subject,
		Related: []diag.Related{
			{Range: *at(t, network, "network"), Message: "the block starts here"},
			{Message: "no place"},
		},
	}
	wrong := func(change func(d *diag.Diagnostic)) diag.List {
		d := diag.Diagnostic{Code: diag.CodeSyntax, Severity: diag.Error, Summary: "wrong", Subject: subject}
		change(&d)
		return diag.List{d}
	}
	sources := diag.SourceSet{"policy.hcl": []byte(network)}.Source
	tests := []struct {
		name string
		list diag.List
		opts diag.TextOptions
		want string
	}{
		{name: "empty", opts: diag.TextOptions{Color: true, Width: 80}, want: ""},
		{
			name: "all parts", list: diag.List{full}, opts: diag.TextOptions{Sources: sources}, want: `
error[SBC0002]: unknown network mode "of"
 --> policy.hcl:3:10
  |
3 |   mode = "of"
  |          ^^^^
  |
  The mode is one of "none", "proxy" and "full". Write one of them.
  = help: did you mean "off"?
  = rule: network.mode
  = target: linux
note: the block starts here
 --> policy.hcl:2:1
  |
2 | network {
  | -------
note: no place
`,
		},
		{
			name: "wrapped, without source", list: diag.List{full}, opts: diag.TextOptions{Width: 27}, want: `
error[SBC0002]: unknown network mode "of"
 --> policy.hcl:3:10
  The mode is one of
  "none", "proxy" and
  "full". Write one of
  them.
  = help: did you mean "off"?
  = rule: network.mode
  = target: linux
note: the block starts here
 --> policy.hcl:2:1
note: no place
`,
		},
		{
			name: "hanging indent",
			list: wrong(func(d *diag.Diagnostic) { d.Help = "one two three four five six seven"; d.Subject = nil }),
			opts: diag.TextOptions{Width: 30}, want: `
error[SBC0001]: wrong
  = help: one two three four
          five six seven
`,
		},
		{
			name: "rule and target that the summary names",
			list: wrong(func(d *diag.Diagnostic) {
				d.Summary, d.Rule, d.Target, d.Subject = "limits.cpu is dropped on darwin", "limits.cpu", "darwin", nil
			}),
			want: `
error[SBC0001]: limits.cpu is dropped on darwin
`,
		},
		{
			name: "the byte offset is the truth",
			list: wrong(func(d *diag.Diagnostic) {
				r := *subject
				r.Start.Line, r.Start.Column, r.End.Line, r.End.Column = 1, 99, 1, 100
				d.Subject = &r
			}),
			opts: diag.TextOptions{Sources: sources}, want: `
error[SBC0001]: wrong
 --> policy.hcl:3:10
  |
3 |   mode = "of"
  |          ^^^^
`,
		},
		{
			name: "offsets of another text",
			list: wrong(func(d *diag.Diagnostic) {
				d.Subject = &diag.Range{
					File:  "policy.hcl",
					Start: diag.Pos{Line: 90, Column: 2, Byte: 900}, End: diag.Pos{Line: 90, Column: 3, Byte: 901},
				}
			}),
			opts: diag.TextOptions{Sources: sources}, want: `
error[SBC0001]: wrong
 --> policy.hcl:90:2
`,
		},
		{
			name: "a start behind the text, no end",
			list: wrong(func(d *diag.Diagnostic) {
				d.Subject = &diag.Range{File: "policy.hcl", Start: diag.Pos{Line: 90, Column: 2, Byte: 900}}
			}),
			opts: diag.TextOptions{Sources: sources}, want: `
error[SBC0001]: wrong
 --> policy.hcl:90:2
`,
		},
		{
			name: "the file as a whole",
			list: wrong(func(d *diag.Diagnostic) { d.Subject = &diag.Range{File: "policy.hcl"} }),
			opts: diag.TextOptions{Sources: sources}, want: `
error[SBC0001]: wrong
 --> policy.hcl
`,
		},
		{
			name: "no file",
			list: wrong(func(d *diag.Diagnostic) { d.Subject, d.Detail = &diag.Range{}, "Do it." }),
			want: `
error[SBC0001]: wrong
  Do it.
`,
		},
		{
			name: "the gutter fits all places",
			list: wrong(func(d *diag.Diagnostic) {
				d.Subject = at(t, strings.Repeat("\n", 10)+"x", "x")
				d.Related = []diag.Related{{Range: *at(t, "\n", "\n"), Message: "related"}}
			}),
			opts: diag.TextOptions{Sources: diag.SourceSet{"policy.hcl": []byte(strings.Repeat("\n", 10) + "x")}.Source}, want: `
error[SBC0001]: wrong
  --> policy.hcl:11:1
   |
11 | x
   | ^
note: related
  --> policy.hcl:1:1
   |
 1 |
   | -
`,
		},
		{
			name: "forged text",
			list: wrong(func(d *diag.Diagnostic) {
				d.Summary = "a\nerror[SBC0000]: b\x1b[2J"
				d.Detail = "c\r\nd\u202e\u200b\u00a0\ufe0f\u3164\xff\U000e0041"
				d.Help, d.Rule, d.Target = "\x07", "\x08", "\x7f"
				d.Code = "SBC\n"
				d.Subject = &diag.Range{File: "p\n\x1b]0;x\x07.hcl"}
				d.Related = []diag.Related{{Message: "\x85", Range: diag.Range{File: "\u2028"}}}
			}),
			want: `
error[SBC\n]: a\nerror[SBC0000]: b\u001b[2J
 --> p\n\u001b]0;x\u0007.hcl
  c\r\nd\u202e\u200b\u00a0\ufe0f\u3164\xff\U000e0041
  = help: \u0007
  = rule: \u0008
  = target: \u007f
note: \x85
 --> \u2028
`,
		},
		{
			name: "sorted, deduplicated, with every severity",
			list: diag.List{
				{Severity: diag.Note, Code: "SBC2101", Summary: "d"},
				{Severity: diag.Warning, Code: "SBC1001", Summary: "c"},
				{Severity: diag.Security, Code: "SBC1008", Summary: "b"},
				{Severity: diag.Error, Code: "SBC0001", Summary: "a"},
				{Severity: diag.Error, Code: "SBC0001", Summary: "a"},
			},
			want: `
error[SBC0001]: a

security[SBC1008]: b

warning[SBC1001]: c

note[SBC2101]: d
`,
		},
		{
			name: "colour", list: diag.List{full}, opts: diag.TextOptions{Sources: sources, Color: true}, want: "\n" +
				"\x1b[1;31merror[SBC0002]\x1b[0m\x1b[1m: unknown network mode \"of\"\x1b[0m\n" +
				" \x1b[1;34m-->\x1b[0m policy.hcl:3:10\n" +
				"  \x1b[1;34m|\x1b[0m\n" +
				"\x1b[1;34m3 |\x1b[0m   mode = \"of\"\n" +
				"  \x1b[1;34m|\x1b[0m \x1b[1;31m         ^^^^\x1b[0m\n" +
				"  \x1b[1;34m|\x1b[0m\n" +
				"  The mode is one of \"none\", \"proxy\" and \"full\". Write one of them.\n" +
				"  = help: did you mean \"off\"?\n" +
				"  = rule: network.mode\n" +
				"  = target: linux\n" +
				"\x1b[1;36mnote\x1b[0m: the block starts here\n" +
				" \x1b[1;34m-->\x1b[0m policy.hcl:2:1\n" +
				"  \x1b[1;34m|\x1b[0m\n" +
				"\x1b[1;34m2 |\x1b[0m network {\n" +
				"  \x1b[1;34m|\x1b[0m \x1b[1;34m-------\x1b[0m\n" +
				"\x1b[1;36mnote\x1b[0m: no place\n",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := render(t, tt.list, tt.opts)
			if diff := cmp.Diff(strings.TrimPrefix(tt.want, "\n"), got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
