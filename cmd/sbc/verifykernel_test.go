package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/enforce/kernel"
	"github.com/sandboxc/sbc/verify/conformance"
)

// TestKernelFailure: a failure is printed with what is needed to repeat it, and
// nothing of it reaches the terminal as a control character.
func TestKernelFailure(t *testing.T) {
	t.Parallel()
	cases, err := conformance.Read([]byte(`[{"id": "X1", "about": "nothing is written", "setup": [["file", "p/caf\u0000e9", "x"]], "policy": {"write": ["W/p"]},
  "probe": ["echo a", "echo b"], "expect": {"exit": 1}}]`))
	if err != nil {
		t.Fatal(err)
	}
	out := &bytes.Buffer{}
	a := newApp(strings.NewReader(""), out, out)
	k := kernelAnswer{User: 7, Through: "run", Seed: 3, made: 5}
	k.add(kernel.Result{Case: conformance.Case{ID: "X3"}})
	k.add(kernel.Result{Case: conformance.Case{ID: "X2"}, Skipped: "no talent"})
	k.add(kernel.Result{Case: conformance.Case{ID: "X4"}, Unshown: "it is refused anyway"})
	k.add(kernel.Result{Case: cases[0], Problems: []string{"exit 0, want 1"}, Records: []kernel.Record{
		{Name: "run", Policy: "version = 1\n", Dir: "/w/p", Line: "echo a\necho b", Outcome: conformance.Outcome{Stdout: "a\x1b[31m\nb\n", Stderr: "x"}},
		{Name: "control", Dir: "/w/p", Line: "true", Outcome: conformance.Outcome{Exit: 3}},
	}})
	k.sort()
	if status := a.finish(a.printKernel(&k, "text")); status != exitNo {
		t.Errorf("status %d", status)
	}
	const want = `FAIL X1: nothing is written
  exit 0, want 1
  set-up:
    "dir" "home"
    "dir" "p"
    "file" "p/pub.txt" "PUB\n"
    "dir" "out"
    "file" "out/o.txt" "OUT\n"
    "file" "p/caf\xe9" "x"
  run, in /w/p:
    echo a
    echo b
   under the policy
    version = 1
   ended with status 0, and said
    1> a�[31m
    1> b
    2> x
  control, in /w/p:
    true
   without a sandbox
   ended with status 3, and said
  again: sbc verify --kernel --through run --seed 3 --cases 5 -run '^X1$'
skipped X2: no talent
held, but not shown, X4: it is refused anyway
4 cases as user 7: 2 passed, 1 failed, 1 skipped
`
	if diff := cmp.Diff(want, a.out.String()); diff != "" {
		t.Errorf("output (-want +got):\n%s", diff)
	}
	k.Failed = nil
	if status := a.finish(a.printKernel(&k, "json")); status != exitOK {
		t.Errorf("without a failure: status %d", status)
	}
}

func TestCasePath(t *testing.T) {
	t.Parallel()
	for own, want := range map[string]string{
		"":                                   "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin",
		"/usr/bin:/opt/go/bin/:.:x:/bin":     "/usr/bin:/opt/go/bin:/bin:/usr/local/bin:/usr/local/sbin:/usr/sbin:/sbin",
		"/root/.pyenv/shims:/home/u/bin:/a:": "/a:/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin",
	} {
		if got := casePath(own); got != want {
			t.Errorf("%q gives %q, want %q", own, got, want)
		}
	}
}
