package diag_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/sandboxc/sbc/ir/diag"
)

// FuzzRender states what holds for any text in any place of a problem:
// text and GitHub output contain no control or format character but newline;
// a problem is one line of GitHub output; JSON and SARIF parse.
func FuzzRender(f *testing.F) {
	f.Add("version = 1\n", "summary", "detail", "policy.hcl", 2, 5, 40)
	f.Add("\x1b[31m\u202e\n\tx\r\n\xff", "a\nerror[SBC0000]: b", "\x07\x9b\u009b", "p\n\x1b]0;x\x07", 0, 99, 0)
	f.Add("日本\U0001f600e\u0301", "%0A::error::x", "[a](http://b) {0}", "::error file=x", 3, 4, 1)
	f.Add("", "", "", "", 0, 0, -1)
	f.Add(strings.Repeat("\t\x00", 300), "\u2028", "\u3164\ufe0f", "a,b:c%", 299, 301, 80)
	f.Fuzz(func(t *testing.T, text, summary, detail, file string, start, end, width int) {
		src := diag.NewSource([]byte(text))
		r := src.Range(file, start, end)
		stale := r
		stale.Start.Byte, stale.End.Byte = start, end
		l := diag.List{
			{
				Code: diag.CodeSyntax, Severity: diag.Error, Summary: summary, Detail: detail, Help: detail,
				Rule: file, Target: summary, Subject: &r, Context: &stale,
				Related: []diag.Related{{Range: stale, Message: summary}},
			},
			{Code: diag.Code(summary), Severity: diag.Security, Summary: detail, Subject: &stale},
		}
		sources := diag.SourceSet{file: []byte(text)}.Source

		var b bytes.Buffer
		if err := diag.Text(&b, l, diag.TextOptions{Sources: sources, Width: width}); err != nil {
			t.Fatal(err)
		}
		mustShow(t, b.String())

		b.Reset()
		if err := diag.GitHub(&b, l); err != nil {
			t.Fatal(err)
		}
		mustShow(t, b.String())
		for line := range strings.Lines(b.String()) {
			if !strings.HasPrefix(line, "::") {
				t.Fatalf("not a command: %q", line)
			}
		}
		if got := strings.Count(b.String(), "\n"); got != len(l.Sorted()) {
			t.Fatalf("%d lines, want %d", got, len(l.Sorted()))
		}

		b.Reset()
		if err := diag.JSON(&b, l); err != nil {
			t.Fatal(err)
		}
		mustShow(t, b.String())
		var back struct {
			Diagnostics []struct{ Summary string }
		}
		if err := json.Unmarshal(b.Bytes(), &back); err != nil {
			t.Fatal(err)
		}
		for i, d := range l.Sorted() {
			want := strings.ToValidUTF8(d.Summary, "\ufffd")
			if utf8.ValidString(d.Summary) && back.Diagnostics[i].Summary != want {
				t.Fatalf("summary %q, want %q", back.Diagnostics[i].Summary, want)
			}
		}

		b.Reset()
		if err := diag.SARIF(&b, l, summary, sources); err != nil {
			t.Fatal(err)
		}
		mustShow(t, b.String())
		if !json.Valid(b.Bytes()) {
			t.Fatal("SARIF is not JSON")
		}
	})
}

func mustShow(t *testing.T, out string) {
	t.Helper()
	if !utf8.ValidString(out) {
		t.Fatalf("not UTF-8: %q", out)
	}
	for i, r := range out {
		if r != '\n' && !unicode.IsPrint(r) {
			t.Fatalf("character %U at byte %d of %q", r, i, out)
		}
	}
}
