package hcl_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	hclfront "github.com/sandboxc/sbc/frontend/hcl"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/profiles"
)

func problems(ds diag.List) []string {
	var out []string
	for _, d := range ds {
		at := ""
		if d.Subject != nil {
			at = fmt.Sprintf("%d:%d-%d:%d", d.Subject.Start.Line, d.Subject.Start.Column, d.Subject.End.Line, d.Subject.End.Column)
		}
		out = append(out, fmt.Sprintf("%s %s %s", d.Code, at, d.Summary))
	}
	return out
}

func TestParse(t *testing.T) {
	t.Parallel()
	deep := func(n int) string { return "a = " + strings.Repeat("[", n) + strings.Repeat("]", n) + "\n" }
	var many strings.Builder
	for i := range 500 {
		fmt.Fprintf(&many, "a%d = 0 + 1 + 1 + 1\n", i)
	}
	tests := []struct {
		name, src string
		want      []string
	}{
		{"good", "version = 1\n", nil},
		{"empty", "", []string{"SBC0008 0:0-0:0 the policy file is empty"}},
		{"not UTF-8", "a = \"é\xff\"\n", []string{"SBC0008 1:8-1:9 the policy file is not UTF-8"}},
		{"noncharacter", "# \uFDD0\n", []string{"SBC0008 1:3-1:6 the policy file holds the noncharacter U+FDD0"}},
		{"noncharacter behind an escape", "a = \"\\uFDD0\"\n", []string{"SBC0019 1:6-1:12 the string is not in Unicode normal form C"}},
		{"decomposed", "a = \"e\u0301\"\n", []string{"SBC0019 1:6-1:9 the string is not in Unicode normal form C"}},
		{"decomposed behind an escape", "a = \"e\\u0301\"\n", []string{"SBC0019 1:6-1:13 the string is not in Unicode normal form C"}},
		{"decomposed in a heredoc", "a = <<E\ne\u0301\nE\n", []string{"SBC0019 2:1-3:1 the string is not in Unicode normal form C"}},
		{"decomposed name", "e\u0301 = 1\n", []string{"SBC0019 1:1-1:4 the string is not in Unicode normal form C"}},
		{"a mark that would join what stands before it", "a = \"${b}\u0301\"\n", []string{"SBC0019 1:10-1:12 the string is not in Unicode normal form C"}},
		{"nested as deep as may be", deep(100), nil},
		{"nested deeper", deep(101), []string{"SBC0009 1:105-1:106 the policy is nested deeper than 100 levels"}},
		{"as many operators as may be", "a = 0" + strings.Repeat(" + 1", 1000) + "\n", nil},
		{"more operators", "a = 0" + strings.Repeat(" + 1", 1001) + "\n", []string{"SBC0009 1:4007-1:4008 an expression has more than 1000 operators"}},
		{"operators of many expressions", many.String(), nil},
		{"operators in the elements of a list", "a = [" + strings.Repeat("0 + 1,\n", 2000) + "]\n", nil},
		{"number", "a = 1e99\n", nil},
		{"exponent", "a = 1e100\n", []string{"SBC0013 1:5-1:10 the exponent of the number is absurd"}},
		{"duplicate key", "a = { b = 1, b = 2 }\n", []string{`SBC0004 1:14-1:15 duplicate key "b"`}},
		{"duplicate key, quoted", "a = { b = 1, \"b\" = 2 }\n", []string{`SBC0004 1:14-1:17 duplicate key "b"`}},
		{"duplicate key, escaped", "a = { b = 1, \"\\u0062\" = 2 }\n", []string{`SBC0004 1:14-1:22 duplicate key "b"`}},
		{"duplicate key, as a number", "a = { 1 = 1, \"1\" = 2 }\n", []string{`SBC0004 1:14-1:17 duplicate key "1"`}},
		{"duplicate key, nested", "a = [{ b = { c = 1, c = 2 } }]\n", []string{`SBC0004 1:21-1:22 duplicate key "c"`}},
		{"duplicate key in a block", "x {\n  a = { b = 1, b = 2 }\n}\n", []string{`SBC0004 2:16-2:17 duplicate key "b"`}},
		{"duplicate key in a call", "a = f({ b = 1, b = 2 })\n", []string{`SBC0004 1:16-1:17 duplicate key "b"`}},
		{"computed key that is read", "a = { b = 1, (c) = 2 }\n", nil},
		{"computed key that is read in a list", "a = [{ b = 1, (c) = 2 }]\n", nil},
		{"computed key alone", "a = f({ (c) = 2 })\n", nil},
		{"computed key beside another", "a = f({ b = 1, (c) = 2 })\n", []string{"SBC0004 1:16-1:19 a computed key stands beside other keys"}},
		{"computed key of a local", "locals {\n  a = { b = 1, (c) = 2 }\n}\n", []string{"SBC0004 2:16-2:19 a computed key stands beside other keys"}},
		{"template as a key", "a = f({ b = 1, \"${c}\" = 2 })\n", []string{"SBC0004 1:16-1:22 a computed key stands beside other keys"}},
		{"duplicate attribute", "a = 1\na = 2\n", []string{`SBC0004 2:1-2:2 duplicate attribute "a"`}},
		{"syntax", "a = \n", []string{"SBC0001 1:5-2:1 invalid expression"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f, ds := hclfront.Parse("p.hcl", []byte(tt.src))
			if diff := cmp.Diff(tt.want, problems(ds)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if !ds.HasErrors() && f.Body == nil {
				t.Error("no body")
			}
		})
	}
}

// TestBuiltin holds the files that come with sbc to the bounds that
// ParseBuiltin leaves out.
func TestBuiltin(t *testing.T) {
	t.Parallel()
	files := map[string]func(string) ([]byte, bool){}
	for _, n := range profiles.Names() {
		files["profile "+n] = func(string) ([]byte, bool) { return profiles.Source(n) }
	}
	for _, n := range profiles.Guards() {
		files["guard "+n] = func(string) ([]byte, bool) { return profiles.GuardSource(n) }
	}
	for _, n := range profiles.Floors() {
		files["floor "+n] = func(string) ([]byte, bool) { return profiles.FloorSource(n) }
	}
	for name, source := range files {
		src, ok := source(name)
		if !ok {
			t.Errorf("%s does not exist", name)
			continue
		}
		if _, ds := hclfront.Parse(name, src); len(ds) > 0 {
			t.Errorf("%s: %v", name, problems(ds))
		}
	}
}
