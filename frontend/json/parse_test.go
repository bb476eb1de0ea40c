package json_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	jsonfront "github.com/sandboxc/sbc/frontend/json"
	"github.com/sandboxc/sbc/ir/diag"
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
	deep := func(n int) string { return `{"a": ` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + "}" }
	tests := []struct {
		name, src string
		want      []string
	}{
		{"good", `{"version": 1}`, nil},
		{"empty", "", []string{"SBC0008 0:0-0:0 the policy file is empty"}},
		{"white space alone", " \n", []string{"SBC0001 2:1-2:1 the text ends where a value is expected"}},
		{"byte order mark", "\ufeff{}", []string{"SBC0008 1:1-1:4 the policy file starts with a byte order mark"}},
		{"not UTF-8", "{\"a\": \"\xff\"}", []string{"SBC0008 1:8-1:9 the policy file is not UTF-8"}},
		{"a list", `[{"version": 1}]`, []string{"SBC0003 1:1-1:2 the policy is a list"}},
		{"a list behind white space", "\n [{}]", []string{"SBC0003 2:2-2:3 the policy is a list"}},
		{"a string", `"version"`, []string{"SBC0001 1:1-1:10 root value must be object"}},
		{"null", `{"a": null}`, []string{"SBC0003 1:7-1:11 null stands for nothing"}},
		{"null in a list", `{"a": [1, null]}`, []string{"SBC0003 1:11-1:15 null stands for nothing"}},
		{"null alone", `null`, []string{"SBC0003 1:1-1:5 null stands for nothing"}},
		{"duplicate key", `{"a": 1, "a": 2}`, []string{`SBC0004 1:10-1:13 duplicate key "a"`}},
		{"duplicate key, escaped", `{"a": 1, "\u0061": 2}`, []string{`SBC0004 1:10-1:18 duplicate key "a"`}},
		{"duplicate key, nested", `{"a": [{"b": {"c": 1, "c": 2}}]}`, []string{`SBC0004 1:23-1:26 duplicate key "c"`}},
		{"keys of two cases", `{"a": 1, "A": 2}`, nil},
		{"trailing text", `{"a": 1} x`, []string{"SBC0001 1:10-1:11 text after the end of the value"}},
		{"trailing comma", `{"a": 1,}`, []string{`SBC0001 1:9-1:10 "}" where a key in quotes is expected`}},
		{"comment of another language", `{"a": 1} // x`, []string{"SBC0001 1:10-1:14 text after the end of the value"}},
		{"decomposed", "{\"a\": \"e\u0301\"}", []string{"SBC0019 1:7-1:12 the string is not in Unicode normal form C"}},
		{"decomposed behind an escape", `{"a": "e\u0301"}`, []string{"SBC0019 1:7-1:16 the string is not in Unicode normal form C"}},
		{"decomposed key", "{\"e\u0301\": 1}", []string{"SBC0019 1:2-1:7 the string is not in Unicode normal form C"}},
		{"decomposed behind a template", `{"a": "${x}\u0301"}`, []string{"SBC0019 1:12-1:14 the string is not in Unicode normal form C"}},
		{"noncharacter behind an escape", `{"a": "\ufdd0"}`, []string{"SBC0019 1:7-1:15 the string is not in Unicode normal form C"}},
		{"nested as deep as may be", deep(100), nil},
		{"nested deeper", deep(101), []string{"SBC0009 1:106-1:107 nested deeper than 100 levels"}},
		{"template nested as deep as may be", `{"a": "${` + strings.Repeat("(", 99) + "1" + strings.Repeat(")", 99) + `}"}`, nil},
		{"template nested deeper", `{"a": "${` + strings.Repeat("(", 100) + "1" + strings.Repeat(")", 100) + `}"}`, []string{"SBC0009 1:109-1:110 the policy is nested deeper than 100 levels"}},
		{"template with many operators", `{"a": "${0` + strings.Repeat("+1", 1001) + `}"}`, []string{"SBC0009 1:2011-1:2012 an expression has more than 1000 operators"}},
		{"number", `{"a": 1e99}`, nil},
		{"exponent", `{"a": -1.5e-100}`, []string{"SBC0013 1:7-1:16 the exponent of the number is absurd"}},
		{"exponent of a template", `{"a": "${1e100}"}`, []string{"SBC0013 1:10-1:15 the exponent of the number is absurd"}},
		{"behind a number out of range", `{"a": 1` + strings.Repeat("0", 400) + `, "b": null}`, []string{"SBC0003 1:415-1:419 null stands for nothing"}},
		{"comments are not looked into", `{"//": ["${(((", null, 1e999, "e\u0301"], "a": 1}`, nil},
		{"but are JSON", `{"//": {"a": 1, "a": 2}}`, []string{`SBC0004 1:17-1:20 duplicate key "a"`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f, ds := jsonfront.Parse("p.json", []byte(tt.src))
			if diff := cmp.Diff(tt.want, problems(ds)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for _, d := range ds {
				if d.Detail == "" {
					t.Errorf("%s has no detail", d.Summary)
				}
			}
			if !ds.HasErrors() && f.Body == nil {
				t.Error("no body")
			}
		})
	}
}
