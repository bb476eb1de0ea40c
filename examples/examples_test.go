package examples_test

import (
	"bytes"
	"flag"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// policies are the example policies.
func policies(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, pattern := range []string{"*.hcl", "*.json"} {
		names, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, names...)
	}
	out = slices.DeleteFunc(out, func(n string) bool { return n == "sbc.golden.hcl" || n == "host.json" })
	if len(out) < 8 {
		t.Fatalf("%d examples; there are at least 8", len(out))
	}
	return out
}

// sbc builds the command and returns a function that runs it here.
func sbc(t *testing.T) func(args ...string) (status int, stdout, stderr string) {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "sbc")
	if out, err := exec.Command("go", "build", "-o", bin, "github.com/sandboxc/sbc/cmd/sbc").CombinedOutput(); err != nil {
		t.Fatalf("cannot build sbc: %v\n%s", err, out)
	}
	return func(args ...string) (int, string, string) {
		var stdout, stderr bytes.Buffer
		cmd := exec.Command(bin, args...)
		cmd.Env = []string{"HOME=/home/user"} // nothing of the machine's own
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		if err := cmd.Run(); cmd.ProcessState == nil {
			t.Errorf("sbc %v: %v", args, err)
			return -1, "", ""
		}
		return cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()
	}
}

// TestCompile: each example compiles for each target on the recorded machine,
// without a loss that it does not accept.
func TestCompile(t *testing.T) {
	t.Parallel()
	run := sbc(t)
	for _, policy := range policies(t) {
		for _, target := range []string{"darwin", "linux"} {
			t.Run(policy+"/"+target, func(t *testing.T) {
				t.Parallel()
				status, stdout, stderr := run("compile", policy, "--target", target, "--host", "host.json", "--workspace", "/home/user/app", "--user", "")
				if status != 0 || stdout == "" || strings.Contains(stderr, "error[") {
					t.Errorf("status %d, %d bytes of output\n%s", status, len(stdout), stderr)
				}
			})
		}
	}
}

// TestSnapshots: what the examples compile to is what was committed.
func TestSnapshots(t *testing.T) {
	t.Parallel()
	run := sbc(t)
	verb := "check"
	if *update {
		verb = "update"
	}
	if status, stdout, stderr := run("golden", verb); status != 0 {
		t.Errorf("sbc golden %s: status %d\n%s%s", verb, status, stdout, stderr)
	}
	snapshots, err := filepath.Glob("*.golden.txtar")
	if err != nil {
		t.Fatal(err)
	}
	if want := len(policies(t)); len(snapshots) != want {
		t.Errorf("%d snapshots of %d policies", len(snapshots), want)
	}
}

// TestTests: the test blocks of the examples hold on both targets.
func TestTests(t *testing.T) {
	t.Parallel()
	run := sbc(t)
	status, stdout, stderr := run(append([]string{"test", "--host", "host.json", "--workspace", "/home/user/app", "--user", ""}, policies(t)...)...)
	if status != 0 || stderr != "" {
		t.Errorf("status %d\n%s%s", status, stdout, stderr)
	}
	if got := strings.Count(stdout, "ok    "); got < 6 {
		t.Errorf("%d tests; there are at least 6:\n%s", got, stdout)
	}
}
