package strictjson_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/strictjson"
)

// lines returns each problem as "CODE line:column-column summary".
func lines(ds diag.List) []string {
	var out []string
	for _, d := range ds {
		s := d.Subject
		out = append(out, fmt.Sprintf("%s %d:%d-%d %s", d.Code, s.Start.Line, s.Start.Column, s.End.Column, d.Summary))
	}
	return out
}

func TestCheck(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		src  string
		want []string
	}{
		{"everything", " {\"a\" : [1, -0.5e+3, true, false, null, \"x\\u00e9\\ud83d\\ude00\\n\"], \"b\":{}, \"c\":[ ]}\n", nil},
		{"scalar", "7", nil},
		{"empty", "", []string{"SBC0001 1:1-1 the text ends where a value is expected"}},
		{"white space", " \n\t", []string{"SBC0001 2:2-2 the text ends where a value is expected"}},
		{"byte order mark", "\ufeff{}", []string{"SBC0001 1:1-4 the text starts with a byte order mark"}},
		{"not UTF-8", "{\n \"a\": \"x\xff\"}", []string{"SBC0001 2:9-10 the byte 0xff is not UTF-8"}},
		{"cut character", "\"\xc3", []string{"SBC0001 1:2-3 the byte 0xc3 is not UTF-8"}},
		{"trailing data", "{} {}", []string{"SBC0001 1:4-6 text after the end of the value"}},
		{"trailing bracket", "[]]", []string{"SBC0001 1:3-4 text after the end of the value"}},
		{"comment", "{} // x", []string{"SBC0001 1:4-8 text after the end of the value"}},
		{"trailing comma in array", "[1,]", []string{`SBC0001 1:4-5 "]" where a value is expected`}},
		{"trailing comma in object", `{"a":1,}`, []string{`SBC0001 1:8-9 "}" where a key in quotes is expected`}},
		{"leading comma", "[,1]", []string{`SBC0001 1:2-3 "," where a value is expected`}},
		{"no comma", "[1 2]", []string{`SBC0001 1:4-5 "2" where "," or "]" is expected`}},
		{"no comma in object", `{"a":1 "b":2}`, []string{`SBC0001 1:8-9 "\"" where "," or "}" is expected`}},
		{"no colon", `{"a" 1}`, []string{`SBC0001 1:6-7 "1" where ":" is expected`}},
		{"bare key", `{a:1}`, []string{`SBC0001 1:2-3 "a" where a key in quotes is expected`}},
		{"number as key", `{1:1}`, []string{`SBC0001 1:2-3 "1" where a key in quotes is expected`}},
		{"wrong bracket", `[}`, []string{`SBC0001 1:2-3 "}" where a value is expected`}},
		{"crossed brackets", `{"a":[1}]`, []string{`SBC0001 1:8-9 "}" where "," or "]" is expected`}},
		{"unclosed object", "{\n\"a\":1", []string{`SBC0001 2:6-6 the text ends where "," or "}" is expected`}},
		{"unclosed array", "[", []string{"SBC0001 1:2-2 the text ends where a value is expected"}},
		{"unclosed string", `["a]`, []string{"SBC0001 1:2-3 a string without an end"}},
		{"string cut in an escape", `"a\`, []string{"SBC0001 1:3-4 malformed escape in a string"}},
		{"newline in string", "\"a\nb\"", []string{"SBC0001 1:3-1 the control character U+000A in a string"}},
		{"unknown escape", `"\x"`, []string{"SBC0001 1:2-4 malformed escape in a string"}},
		{"short escape", `"\u12"`, []string{"SBC0001 1:2-7 malformed escape in a string"}},
		{"signed escape", `"\u+123"`, []string{"SBC0001 1:2-8 malformed escape in a string"}},
		{"lone high surrogate", `"\ud83d"`, []string{"SBC0001 1:2-8 malformed escape in a string"}},
		{"lone low surrogate", `"\ude00"`, []string{"SBC0001 1:2-8 malformed escape in a string"}},
		{"two high surrogates", `"\ud83d\ud83d"`, []string{"SBC0001 1:2-8 malformed escape in a string"}},
		{"leading zero", "01", []string{"SBC0001 1:1-3 malformed number 01"}},
		{"plus", "+1", []string{`SBC0001 1:1-2 "+" where a value is expected`}},
		{"minus alone", "-", []string{"SBC0001 1:1-2 malformed number -"}},
		{"no fraction", "1.", []string{"SBC0001 1:1-3 malformed number 1."}},
		{"no exponent", "1e", []string{"SBC0001 1:1-3 malformed number 1e"}},
		{"bare fraction", ".5", []string{`SBC0001 1:1-2 "." where a value is expected`}},
		{"hexadecimal", "0x1", []string{"SBC0001 1:2-4 text after the end of the value"}},
		{"infinity", "Infinity", []string{`SBC0001 1:1-2 "I" where a value is expected`}},
		{"word in capitals", "True", []string{`SBC0001 1:1-2 "T" where a value is expected`}},
		{"long word", "nulll", []string{"SBC0001 1:5-6 text after the end of the value"}},
		{"form feed", "\f1", []string{`SBC0001 1:1-2 "\f" where a value is expected`}},
		{"NUL", "1\x00", []string{"SBC0001 1:2-3 text after the end of the value"}},
		{"duplicate", `{"a":1,"a":2}`, []string{`SBC0004 1:8-11 duplicate key "a"`}},
		{"duplicate by escape", `{"a":1,"\u0061":2}`, []string{`SBC0004 1:8-16 duplicate key "a"`}},
		{"each duplicate", `{"a":1,"b":2,"a":3,"b":{"c":1,"c":2},"a":4}`, []string{
			`SBC0004 1:14-17 duplicate key "a"`,
			`SBC0004 1:20-23 duplicate key "b"`,
			`SBC0004 1:31-34 duplicate key "c"`,
			`SBC0004 1:38-41 duplicate key "a"`,
		}},
		{"same key in other objects", `{"a":{"a":1},"b":[{"a":1},{"a":2}]}`, nil},
		{"keys that differ in case", `{"a":1,"A":2}`, nil},
		{"duplicate before a syntax error", `{"a":1,"a":2,}`, []string{
			`SBC0004 1:8-11 duplicate key "a"`,
			`SBC0001 1:14-15 "}" where a key in quotes is expected`,
		}},
		{"deep enough", strings.Repeat("[", 5) + strings.Repeat("]", 5), nil},
		{"too deep", `{"a":[[[[[]]]]]}`, []string{"SBC0009 1:10-11 nested deeper than 5 levels"}},
		{"depth counts what is open", "[[],[[]],[[[[]]]]]", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, lines(strictjson.Check([]byte(tt.src), "x.json", 5))); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestCheckNamesTheFirstOfTwoKeys(t *testing.T) {
	t.Parallel()
	ds := strictjson.Check([]byte("{\n  \"key\": 1,\n  \"key\": 2\n}"), "x.json", 0)
	want := diag.List{{
		Code:     diag.CodeDuplicate,
		Severity: diag.Error,
		Summary:  `duplicate key "key"`,
		Detail:   "A key stands at most once in an object. Remove one of the two.",
		Subject: &diag.Range{
			File:  "x.json",
			Start: diag.Pos{Line: 3, Column: 3, Byte: 16},
			End:   diag.Pos{Line: 3, Column: 8, Byte: 21},
		},
		Related: []diag.Related{{
			Range: diag.Range{
				File:  "x.json",
				Start: diag.Pos{Line: 2, Column: 3, Byte: 4},
				End:   diag.Pos{Line: 2, Column: 8, Byte: 9},
			},
			Message: "the first one is here",
		}},
	}}
	if diff := cmp.Diff(want, ds); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestCheckTellsOfAHundredProblems(t *testing.T) {
	t.Parallel()
	src := `{"a":0` + strings.Repeat(`,"a":0`, 100_000) + `}`
	ds := strictjson.Check([]byte(src), "x.json", 0)
	if len(ds) != 101 {
		t.Fatalf("%d problems, want 101", len(ds))
	}
	if got, want := ds[100].Summary, "more than 100 problems"; got != want {
		t.Errorf("last summary = %q, want %q", got, want)
	}
	if got, want := ds[100].Code, diag.CodeSyntax; got != want {
		t.Errorf("last code = %s, want %s", got, want)
	}
}

// The limits are far above what these take, and far below what a recursive or
// quadratic reader would.
func TestCheckIsQuick(t *testing.T) {
	t.Parallel()
	const size = 4 << 20
	fill := func(head, part, tail string) string {
		return head + strings.Repeat(part, (size-len(head)-len(tail))/len(part)) + tail
	}
	var keys strings.Builder
	keys.WriteString(`{"":0`)
	for i := 0; keys.Len() < size; i++ {
		fmt.Fprintf(&keys, `,"%x":0`, i)
	}
	keys.WriteString("}")
	tests := []struct {
		name  string
		src   string
		depth int
		limit time.Duration
		want  []string
	}{
		{"10,000 deep", strings.Repeat("[", 10_000), 0, 200 * time.Millisecond, []string{"SBC0009 1:101-102 nested deeper than 100 levels"}},
		{"10,000 deep in objects", strings.Repeat(`{"a":`, 10_000), 0, 200 * time.Millisecond, []string{"SBC0009 1:501-502 nested deeper than 100 levels"}},
		{"a million deep and allowed", strings.Repeat("[", 1_000_000), 1 << 30, 5 * time.Second, []string{"SBC0001 1:1000001-1000001 the text ends where a value is expected"}},
		{"many arrays", fill("[[]", ",[]", "]"), 0, 5 * time.Second, nil},
		{"many objects", fill(`[{}`, `,{"a":0,"b":0}`, "]"), 0, 5 * time.Second, nil},
		{"many keys", keys.String(), 0, 5 * time.Second, nil},
		{"one string", fill(`"`, `\u0061`, `"`), 0, 5 * time.Second, nil},
		{"one number", fill(`1`, `0`, ``), 0, 5 * time.Second, nil},
		{"white space", fill(`1`, "\n", ``), 0, 5 * time.Second, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			start := time.Now()
			got := lines(strictjson.Check([]byte(tt.src), "x.json", tt.depth))
			if took := time.Since(start); took > tt.limit {
				t.Errorf("took %v, more than %v", took, tt.limit)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}
