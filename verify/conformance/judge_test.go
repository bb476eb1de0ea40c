package conformance_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/zclconf/go-cty/cty"

	"github.com/sandboxc/sbc/verify/conformance"
)

func number(n int64) cty.Value { return cty.NumberIntVal(n) }

func text(s conformance.Text) *conformance.Text { return &s }

func TestProblems(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name    string
		expect  conformance.Expect
		outcome conformance.Outcome
		want    []string
	}{
		{"nothing is expected", conformance.Expect{}, conformance.Outcome{Exit: 3, Stdout: "x"}, nil},
		{"the status", conformance.Expect{Exit: "42"}, conformance.Outcome{Exit: 42}, nil},
		{"another status", conformance.Expect{Exit: "0"}, conformance.Outcome{Exit: 1}, []string{"exit 1, want 0"}},
		{"any failure", conformance.Expect{Exit: conformance.Failure}, conformance.Outcome{Exit: 125}, nil},
		{"no failure", conformance.Expect{Exit: conformance.Failure}, conformance.Outcome{}, []string{"exit 0, want another"}},
		{"the output", conformance.Expect{Out: []string{"a"}, Lack: []string{"b"}}, conformance.Outcome{Stdout: "a"}, nil},
		{"other output", conformance.Expect{Out: []string{"a"}, Lack: []string{"b"}}, conformance.Outcome{Stdout: "b"}, []string{`stdout lacks "a"`, `stdout holds "b"`}},
		{"no output", conformance.Expect{Empty: true}, conformance.Outcome{Stdout: "\n"}, []string{"stdout is not empty"}},
		{"a number", conformance.Expect{MaxInt: 3}, conformance.Outcome{Stdout: "3\n"}, nil},
		{"a greater number", conformance.Expect{MaxInt: 3}, conformance.Outcome{Stdout: "4\n"}, []string{"stdout is no number up to 3"}},
		{"no number", conformance.Expect{MaxInt: 3}, conformance.Outcome{}, []string{"stdout is no number up to 3"}},
		{
			"answers",
			conformance.Expect{Answers: conformance.Answers{"a": "yes", "b c": "no", "d": "either", "e": "either", "f": "no"}},
			conformance.Outcome{Stdout: "yes a\nyes b c\nyes d\nnoise\nno  f\n"},
			[]string{`"b c" was answered with yes, want no`, `no answer to "e"`, `no answer to "f"`},
		},
		{
			"the host",
			conformance.Expect{Host: map[string]*conformance.Text{"a": text("A"), "b": text("B"), "c": nil, "d": nil, "e": text("")}},
			conformance.Outcome{Host: map[string]*conformance.Text{"a": text("A"), "b": text("x"), "c": text("")}},
			[]string{`b holds "x" on the host, want "B"`, "c is on the host", "e is not on the host"},
		},
		{"changes", conformance.Expect{}, conformance.Outcome{Changed: conformance.Texts("p/x appeared")}, []string{`on the host: "p/x appeared"`}},
		{"files that are written to", conformance.Expect{Still: conformance.Texts("a", "b"), Moving: conformance.Texts("c")}, conformance.Outcome{Moving: conformance.Texts("b")}, []string{"b is written to after the end", "c is not written to after the end"}},
		{"it had to be ended", conformance.Expect{}, conformance.Outcome{Timeout: true}, []string{"it did not end by itself"}},
		{"a report instead", conformance.Expect{Exit: "0", OrStderr: []string{"gap"}}, conformance.Outcome{Exit: 1, Stderr: "the gap is"}, nil},
		{"another report", conformance.Expect{Exit: "0", OrStderr: []string{"gap"}}, conformance.Outcome{Exit: 1, Stderr: "no"}, []string{"exit 1, want 0"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, tc.expect.Problems(&tc.outcome), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}
