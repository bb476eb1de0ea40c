package kernel_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sandboxc/sbc/enforce/kernel"
	"github.com/sandboxc/sbc/verify/conformance"
)

const path = "/usr/bin:/bin"

// ask runs cases by a runner and returns the results in the order of the cases.
// Nothing may be left behind.
func ask(t *testing.T, runner kernel.Runner, cases ...conformance.Case) []kernel.Result {
	t.Helper()
	return askWith(t, kernel.Options{Runner: runner, Parallel: 2}, cases...)
}

func askWith(t *testing.T, o kernel.Options, cases ...conformance.Case) []kernel.Result {
	t.Helper()
	o.Parent, o.Path = t.TempDir(), path
	out := make([]kernel.Result, len(cases))
	n := 0
	kernel.Run(t.Context(), cases, o, func(r kernel.Result) {
		n++
		out[slices.IndexFunc(cases, func(c conformance.Case) bool { return c.ID == r.Case.ID })] = r
	})
	if n != len(cases) {
		t.Errorf("%d results of %d cases", n, len(cases))
	}
	if left, err := os.ReadDir(o.Parent); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
	return out
}

// read reads cases as they are written.
func read(t *testing.T, text string) []conformance.Case {
	t.Helper()
	cases, err := conformance.Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// refuse is a runner that runs nothing.
func refuse(context.Context, kernel.Job) (int, error) { return 125, nil }

func problems(t *testing.T, r kernel.Result, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, r.Problems, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s: problems (-want +got):\n%s", r.Case.ID, diff)
	}
}

const denial = `[{"id": "D", "policy": {"write": ["W/p"]}, "probe": "echo x > W/out/n", "expect": {"exit": "!0", "host": {"out/n": null}},
  "control": {"policy": {"write": ["W/p", "W/out"]}, "expect": {"exit": 0, "host": {"out/n": "x\n"}}}}]`

// TestNoSandbox: a runner that confines nothing is found out, and one that runs
// nothing by the control.
func TestNoSandbox(t *testing.T) {
	t.Parallel()
	r := ask(t, kernel.Bare, read(t, denial)...)[0]
	problems(t, r, "exit 0, want another", "out/n is on the host")
	if len(r.Records) != 1 || r.Records[0].Name != "run" || !strings.Contains(r.Records[0].Policy, "write = [") || !strings.HasPrefix(r.Records[0].Line, "echo x > /") {
		t.Errorf("the record is %+v", r.Records)
	}
	r = ask(t, refuse, read(t, denial)...)[0]
	problems(t, r, "control: exit 125, want 0", "control: out/n is not on the host")
	if len(r.Records) != 2 || r.Records[1].Name != "control" || r.Records[1].Policy == r.Records[0].Policy || r.Records[1].Dir == r.Records[0].Dir {
		t.Errorf("the records are %+v", r.Records)
	}
	// One that knows the rule passes both.
	r = ask(t, func(ctx context.Context, j kernel.Job) (int, error) {
		if text, err := os.ReadFile(j.Policy); err != nil || !strings.Contains(string(text), "/out") {
			return 1, err
		}
		return kernel.Bare(ctx, j)
	}, read(t, denial)...)[0]
	problems(t, r)
}

func TestControls(t *testing.T) {
	t.Parallel()
	const text = `[
  {"id": "A", "policy": {}, "probe": "false", "expect": {"exit": "!0"}, "control": {"optional": true, "expect": {"exit": 0}}},
  {"id": "B", "policy": {}, "probe": "false", "expect": {"exit": "!0"}, "control": {"expect": {"exit": 0}}},
  {"id": "C", "policy": {}, "probe": "false", "expect": {"exit": "!0"}, "control": {"probe": "test $FOO_TOKEN = s3cret", "expect": {"exit": 0}}}
]`
	r := ask(t, kernel.Bare, read(t, text)...)
	problems(t, r[0])
	if want := "this system refuses it without a sandbox too: exit 1, want 0"; r[0].Unshown != want {
		t.Errorf("unshown: %q, want %q", r[0].Unshown, want)
	}
	problems(t, r[1], "control: exit 1, want 0")
	problems(t, r[2])
	// A control without a policy does not come to the runner.
	problems(t, ask(t, refuse, r[2].Case)[0])
	if r[2].Unshown != "" || r[2].Records[1].Policy != "" {
		t.Errorf("the control is %+v", r[2])
	}
}

func TestSkipped(t *testing.T) {
	t.Parallel()
	cases := read(t, `[
  {"id": "A", "needs": ["bash", "no-such-program"], "policy": {}, "probe": "false", "expect": {"exit": 0}},
  {"id": "B", "arch": "pdp11", "policy": {}, "probe": "false", "expect": {"exit": 0}},
  {"id": "C", "needs": ["sbc run"], "policy": {}, "probe": "false", "expect": {"exit": 0}},
  {"id": "D", "needs": ["bash", "a talent"], "policy": {}, "probe": "true", "expect": {"exit": 0}}
]`)
	var got []string
	for _, r := range askWith(t, kernel.Options{Runner: kernel.Bare, Lacks: []string{"sbc run"}}, cases...) {
		problems(t, r)
		got = append(got, r.Skipped)
	}
	if want := []string{"no-such-program is not installed", "it is for pdp11", "it needs sbc run", ""}; !cmp.Equal(want, got) {
		t.Errorf("skipped (-want +got):\n%s", cmp.Diff(want, got))
	}
}

// TestSetup: each kind of step makes what it says.
func TestSetup(t *testing.T) {
	t.Parallel()
	cases := read(t, `[{"id": "S", "setup": [
    ["dir", "p/a/b"], ["file", "p/f", "in W/p\n"], ["mode", "p/f", "600"], ["fifo", "p/fifo"], ["link", "p/abs", "W/out"], ["link", "p/rel", "../out"],
    ["hard", "p/hard", "p/f"], ["file", "p/from", ""], ["rename", "p/from", "p/to"], ["file", "p/gone/x", ""], ["remove", "p/gone"],
    ["git", "p/a"], ["sock", "p/sock"], ["dgram", "p/dgram"], ["sock", "@p/abstract"], ["tcp", "port"], ["sh", "echo $PWD W/ > p/sh"], ["file", "p/caf\u0000e9", "\u0000ff"], ["dir", "p/closed"], ["mode", "p/closed", "0"]],
  "policy": {}, "stdin": "IN", "probe": [
    "set -e; [[ $PWD == W/p && $HOME == W/home ]]",
    "[[ -d a/b && -p fifo && -S sock && -S dgram && ! -e from && ! -e gone && -e to ]]",
    "[[ $(< f) == \"in W/p\" && $(stat -c %a:%h f) == 600:2 && $(readlink abs) == W/out && $(readlink rel) == ../out ]]",
    "[[ $(git -C a -c safe.directory=* log --format=%s) == m && $(< sh) == \"$(cd ..; pwd) W/\" && $(cat $'caf\\xe9') == $'\\xff' ]]",
    "grep -q '@W/p/abstract' /proc/net/unix; exec 3<> /dev/tcp/127.0.0.1/$(< W/port)",
    "[[ $(cat) == IN && $(< W/p/pub.txt) == PUB && $(< W/out/o.txt) == OUT ]]"],
  "expect": {"exit": 0, "empty": true, "same": ["p"]}}]`)
	r := ask(t, kernel.Bare, cases...)[0]
	if problems(t, r); len(r.Problems) > 0 {
		t.Logf("%+v", r.Records)
	}
	for _, tc := range []struct{ step, want string }{
		{`["hard", "p/x", "p/none"]`, `cannot set up: ["hard" "p/x" "p/none"]: `},
		{`["mode", "p", "9"]`, `cannot set up: ["mode" "p" "9"]: `},
		{`["sh", "echo said; false"]`, `cannot set up: ["sh" "echo said; false"]: exit status 1: said`},
	} {
		r := ask(t, kernel.Bare, read(t, `[{"id": "S", "setup": [`+tc.step+`], "policy": {}, "probe": "true", "expect": {}}]`)...)[0]
		if len(r.Problems) != 1 || !strings.HasPrefix(r.Problems[0], tc.want) || len(r.Records) != 0 {
			t.Errorf("%s: %q, want %q", tc.step, r.Problems, tc.want)
		}
	}
}

// TestHost: what differs on the host afterwards is found.
func TestHost(t *testing.T) {
	t.Parallel()
	r := ask(t, kernel.Bare, read(t, `[
  {"id": "A", "policy": {}, "probe": "echo x > new; echo x >> pub.txt; rm W/out/o.txt; ln -s nowhere W/out/l; chmod 700 W/out", "expect": {"same": ["p", "out"]}},
  {"id": "B", "policy": {}, "probe": "ln -s nowhere l; mkdir d", "expect": {"host": {"p/l": null, "p/d": null, "p/pub.txt/x": null, "p/pub.txt": "PUB\n"}}}
]`)...)
	var got []string
	for _, c := range r[0].Records[0].Outcome.Changed {
		name, rest, _ := strings.Cut(string(c), " ")
		verb, _, _ := strings.Cut(rest, " ")
		got = append(got, name+" "+verb)
	}
	if want := []string{"out changed", "out/l appeared", "p/new appeared", "p/pub.txt changed", "out/o.txt vanished"}; !cmp.Equal(want, got) {
		t.Errorf("changed (-want +got):\n%s", cmp.Diff(want, got))
	}
	problems(t, r[1], "p/d is on the host", "p/l is on the host")
}

// TestMeanwhile: while the command waits, the host changes and others run; then
// it goes on.
func TestMeanwhile(t *testing.T) {
	t.Parallel()
	r := ask(t, kernel.Bare, read(t, `[
  {"id": "A", "meanwhile": [["file", "p/later", "L\n"]], "beside": [{"policy": {"write": ["W/p"]}, "cwd": "W/out", "probe": "cat W/p/later o.txt; echo y > W/p/other", "expect": {"exit": 0, "out": ["L\nOUT\n"]}}, {"policy": {}, "probe": "exit 3", "expect": {"exit": 0}}],
   "policy": {}, "probe": "ls; echo READY; read -r line; echo \"$line\"; cat later other", "expect": {"exit": 0, "out": ["pub.txt\nREADY\ngo on\nL\ny\n"]}},
  {"id": "B", "meanwhile": [["remove", "p"]], "policy": {}, "probe": "exit 4", "expect": {"exit": 4}},
  {"id": "C", "meanwhile": [["rename", "p/none", "p/x"]], "policy": {}, "probe": "echo READY; cat", "expect": {"exit": 0}}
]`)...)
	problems(t, r[0], "beside 2: exit 3, want 0")
	if want := []string{"beside 1", "beside 2", "run"}; !cmp.Equal(want, names(r[0])) {
		t.Errorf("it ran %q", names(r[0]))
	}
	if len(r[2].Problems) != 1 || !strings.HasPrefix(r[2].Problems[0], `meanwhile: ["rename" "p/none" "p/x"]: `) {
		t.Errorf("problems %q", r[2].Problems)
	}
	problems(t, r[1], "the command did not wait")
}

func names(r kernel.Result) []string {
	var out []string
	for _, rec := range r.Records {
		out = append(out, rec.Name)
	}
	return out
}

// TestCopies: copies run at the same time, in one directory.
func TestCopies(t *testing.T) {
	t.Parallel()
	r := ask(t, kernel.Bare, read(t, `[{"id": "A", "copies": 3, "policy": {}, "probe": "echo x >> W/all; until [[ $(wc -l < W/all) == 3 ]]; do sleep 0.01; done", "expect": {"exit": 0, "host": {"all": "x\nx\nx\n"}}}]`)...)[0]
	problems(t, r)
	got := names(r)
	slices.Sort(got)
	if want := []string{"run", "run 2", "run 3"}; !cmp.Equal(want, got) {
		t.Errorf("it ran %q", got)
	}
}

// TestSwap: both states are seen.
func TestSwap(t *testing.T) {
	t.Parallel()
	r := ask(t, kernel.Bare, read(t, `[{"id": "A", "setup": [["file", "p/a", "A\n"], ["file", "p/b", "B\n"]], "swap": ["p/a", "p/b"], "policy": {},
  "probe": "until [[ $(< a) == A ]]; do [[ $SECONDS -lt 60 ]] || exit 1; done; until [[ $(< a) == B ]]; do [[ $SECONDS -lt 60 ]] || exit 1; done", "expect": {"exit": 0}}]`)...)[0]
	problems(t, r)
}

// TestDescriptors: files are handed on, and who writes after the end is seen.
func TestDescriptors(t *testing.T) {
	t.Parallel()
	r := ask(t, kernel.Bare, read(t, `[
  {"id": "A", "inherit": ["out/o.txt", "p"], "policy": {}, "probe": "cat <&3; ls /dev/fd/4/", "expect": {"exit": 0, "out": ["OUT\npub.txt\n"]}},
  {"id": "B", "inherit": ["none"], "policy": {}, "probe": "true", "expect": {}},
  {"id": "C", "policy": {}, "probe": "echo x > beat; (for i in {1..40}; do echo x >> beat; sleep 0.05; done) > /dev/null 2>&1 < /dev/null &", "expect": {"still": ["p/beat", "p/pub.txt"]}, "control": {"expect": {}}},
  {"id": "D", "policy": {}, "probe": "true", "expect": {"moving": ["p/pub.txt"]}}
]`)...)
	problems(t, r[0])
	if len(r[1].Problems) != 1 || !strings.HasSuffix(r[1].Problems[0], "no such file or directory") {
		t.Errorf("problems %q", r[1].Problems)
	}
	problems(t, r[2], "p/beat is written to after the end")
	problems(t, r[3], "p/pub.txt is not written to after the end")
}

// TestTimeout: a command that does not end is ended, with all that it started.
func TestTimeout(t *testing.T) {
	t.Parallel()
	cases := read(t, `[{"id": "A", "policy": {}, "probe": "sleep 1000 & echo $!; sleep 1000", "expect": {"exit": 0}}]`)
	r := askWith(t, kernel.Options{Runner: kernel.Bare, Timeout: 500 * time.Millisecond}, cases...)[0]
	problems(t, r, "it did not end by itself")
	pid, err := strconv.Atoi(strings.TrimSpace(string(r.Records[0].Outcome.Stdout)))
	if err != nil {
		t.Fatalf("it printed %q", r.Records[0].Outcome.Stdout)
	}
	for alive := true; alive; { // until it is gone, or the test takes too long
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		alive = err == nil && !strings.Contains(string(stat), ") Z ")
		if alive && !strings.Contains(string(stat), "(sleep)") {
			break // the number is another's by now
		}
		if err := t.Context().Err(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestInterrupted: a cancelled run ends, and leaves nothing.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var cases []conformance.Case
	for _, id := range []string{"A", "B", "C", "D"} {
		cases = append(cases, read(t, `[{"id": "`+id+`", "policy": {}, "probe": "sleep 1000", "expect": {}}]`)...)
	}
	parent := t.TempDir()
	var once sync.Once
	n := 0
	kernel.Run(ctx, cases, kernel.Options{Parent: parent, Path: path, Runner: func(ctx context.Context, j kernel.Job) (int, error) {
		once.Do(cancel)
		return kernel.Bare(ctx, j)
	}}, func(kernel.Result) { n++ })
	if n > 2 {
		t.Errorf("%d cases were run after the end", n)
	}
	if left, err := filepath.Glob(parent + "/*"); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}
