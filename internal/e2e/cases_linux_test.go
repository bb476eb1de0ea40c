package e2e_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// everyday is how many cases are made for an ordinary test, for each user: three
// of each kind.
const everyday = 36

// made is how many cases to make: SBC_CONFORMANCE, if it is set.
func made() string {
	if n, err := strconv.Atoi(os.Getenv("SBC_CONFORMANCE")); err == nil {
		return strconv.Itoa(n)
	}
	return strconv.Itoa(everyday)
}

// verdict is what sbc verify --kernel prints as JSON.
type verdict struct {
	Cases  int
	Passed []string
	Failed []struct {
		Case     json.RawMessage
		Problems []string
		Runs     []struct {
			Name, Policy, Line string
			Outcome            struct {
				Exit           int
				Stdout, Stderr string
			}
		}
	}
	Skipped []struct{ ID, Text string }
}

// verify puts the shipped cases to the kernel and reports those that fail.
func (w *world) verify(args ...string) verdict {
	w.t.Helper()
	scratch := filepath.Join(w.home, "s")
	w.exec("mkdir", "-p", scratch)
	r := w.exec(shared.sbc, append([]string{"verify", "--kernel", "--scratch", scratch, "--format", "json"}, args...)...)
	var v verdict
	if err := json.Unmarshal([]byte(r.stdout), &v); err != nil {
		w.t.Fatalf("%v: %v", err, r)
	}
	for _, f := range v.Failed {
		var b strings.Builder
		fmt.Fprintf(&b, "%s\n%s", f.Case, strings.Join(f.Problems, "\n"))
		for _, run := range f.Runs {
			fmt.Fprintf(&b, "\n%s, status %d:\n%s\n%s\n1> %s\n2> %s", run.Name, run.Outcome.Exit, run.Policy, run.Line, run.Outcome.Stdout, run.Outcome.Stderr)
		}
		w.t.Error(b.String())
	}
	if (r.code == 0) != (len(v.Failed) == 0) || len(v.Passed)+len(v.Failed)+len(v.Skipped) != v.Cases {
		w.t.Errorf("status %d, %d cases: %d passed, %d failed, %d skipped", r.code, v.Cases, len(v.Passed), len(v.Failed), len(v.Skipped))
	}
	if left, err := os.ReadDir(scratch); err != nil || len(left) > 0 {
		w.t.Errorf("left behind: %v %v", left, err)
	}
	return v
}

// TestCases puts all shipped cases to the kernel. None is skipped for a missing
// program: what they run is installed where sbc is tested.
func TestCases(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		v := w.verify("--cases", made())
		for _, s := range v.Skipped {
			t.Errorf("%s was skipped: %s", s.ID, s.Text)
		}
		if v.Cases < 95 {
			t.Errorf("only %d cases", v.Cases)
		}
	})
}

// TestScriptCases puts the written cases about files, networks and processes to
// the kernel once more, by the scripts that sbc compile writes.
func TestScriptCases(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		v := w.verify("--through", "script", "--cases", "0", "--run", "^[WDRNX][0-9]+$")
		if len(v.Passed) != 49 {
			t.Errorf("%d of 49 cases passed, %d were skipped", len(v.Passed), len(v.Skipped))
		}
	})
}
