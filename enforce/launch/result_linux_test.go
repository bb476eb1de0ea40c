package launch_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sandboxc/sbc/enforce/launch"
)

// TestResult holds what is said of commands that ran.
func TestResult(t *testing.T) {
	t.Parallel()
	sure := certain(t)
	// What cannot be told apart without the kernel's word counts as a signal.
	guess := func(sig int) int {
		if sure {
			return 0
		}
		return sig
	}
	for _, tt := range []struct {
		line string
		want launch.Result
	}{
		{"exit 0", launch.Result{}},
		{"exit 1", launch.Result{Code: 1}},
		{"exit 125", launch.Result{Code: 125}},
		{"exit 143", launch.Result{Code: 143, Signal: guess(15)}},
		{"exit 255", launch.Result{Code: 255}},
		{"kill -9 $$", launch.Result{Code: 137, Signal: 9}},
		{"kill -SEGV $$", launch.Result{Code: 139, Signal: 11}},
	} {
		tt.want.Certain = sure
		asUsers(t, func(t *testing.T, uid int) {
			_, out := run(t, uid, job{Command: sh(tt.line)})
			if out.Error != "" {
				t.Fatal(out.Error)
			}
			if diff := cmp.Diff(&tt.want, out.Result, cmpopts.IgnoreFields(launch.Result{}, "Usage")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.line, diff)
			}
		})
	}
}

// TestStartErrors holds the errors of commands that did not run.
func TestStartErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		job  job
		want outcome
	}{
		{
			"no program",
			job{Command: []string{"/usr/missing"}},
			outcome{Error: "cannot execute /usr/missing in the sandbox: No such file or directory", Kind: "*launch.ExecError", Is: "missing"},
		},
		{
			"no permission",
			job{Command: []string{"/etc/passwd"}},
			outcome{Error: "cannot execute /etc/passwd in the sandbox: Permission denied", Kind: "*launch.ExecError", Is: "permission"},
		},
		{
			"no directory",
			job{Command: []string{"/bin/true"}, Dir: "/missing"},
			outcome{
				Error: "bubblewrap cannot make the sandbox: Can't chdir to /missing: No such file or directory; the command did not run",
				Kind:  "*launch.BwrapError",
			},
		},
		{
			"no source",
			job{Command: []string{"/bin/true"}, Missing: "/missing"},
			outcome{
				Error: "bubblewrap cannot make the sandbox: Can't find source path /missing: No such file or directory; the command did not run",
				Kind:  "*launch.BwrapError",
			},
		},
	} {
		asUsers(t, func(t *testing.T, uid int) {
			_, out := run(t, uid, tt.job)
			if diff := cmp.Diff(tt.want, out); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.name, diff)
			}
		})
	}
}

// TestStatusIsNoStartError holds that a command which exits as bubblewrap does
// after an error, with its words, is a command that ran.
func TestStatusIsNoStartError(t *testing.T) {
	t.Parallel()
	asUsers(t, func(t *testing.T, uid int) {
		text, out := run(t, uid, job{Command: sh("echo 'bwrap: execvp /bin/sh: No such file or directory' >&2; exit 1")})
		if out.Error != "" || out.Result.Code != 1 || !strings.HasPrefix(text, "bwrap: execvp") {
			t.Errorf("%+v, %q", out, text)
		}
	})
}

// TestWall holds that a command is told to end and then ended.
func TestWall(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, line string
		output     string
		want       launch.Result
	}{
		{"ends when told", `trap 'echo told; exit 9' TERM; sleep 60 & wait`, "told\n", launch.Result{Code: 9, TimedOut: true}},
		{"dies of it", "exec sleep 60", "", launch.Result{Code: 143, Signal: 15, TimedOut: true}},
		{"is stopped", "kill -STOP $$", "", launch.Result{Code: 143, Signal: 15, TimedOut: true}},
		{
			"does not care", `trap '' TERM; (setsid sh -c 'trap "" TERM; sleep 60' &); while :; do sleep 60; done`, "",
			launch.Result{Code: 137, Signal: 9, TimedOut: true, Killed: true},
		},
		{"is done before", "echo done", "done\n", launch.Result{}},
	} {
		wall, grace := 300*time.Millisecond, time.Minute
		if reflect.ValueOf(tt.want).IsZero() {
			wall = time.Minute
		}
		if tt.want.Killed {
			grace = 300 * time.Millisecond
		}
		tt.want.Certain = certain(t)
		asUsers(t, func(t *testing.T, uid int) {
			text, out := run(t, uid, job{Command: sh(tt.line), Wall: wall, Grace: grace})
			if diff := cmp.Diff(&tt.want, out.Result, cmpopts.IgnoreFields(launch.Result{}, "Usage")); diff != "" || text != tt.output {
				t.Errorf("%s: %q, %s (-want +got):\n%s", tt.name, text, out.Error, diff)
			}
		})
	}
}

// TestUsage holds that processor time and memory are those of the command and
// its children, and not those of making the sandbox or of the launcher.
func TestUsage(t *testing.T) {
	t.Parallel()
	const burn = "import time\nwhile time.process_time() < 0.3:\n  for i in range(10000): pass\n"
	for _, tt := range []struct {
		name     string
		command  []string
		min, max time.Duration
		mib      int64
	}{
		{"idle", sh("sleep 0.1"), 1, 100 * time.Millisecond, 1},
		{"busy", []string{"/usr/bin/python3", "-c", burn}, 300 * time.Millisecond, 3 * time.Second, 4},
		{"busy child", sh("python3 -c '" + burn + "'; true"), 300 * time.Millisecond, 3 * time.Second, 4},
		{"large", []string{"/usr/bin/python3", "-c", "x = b'x' * (100 << 20)"}, 1, 3 * time.Second, 100},
	} {
		asUsers(t, func(t *testing.T, uid int) {
			_, out := run(t, uid, job{Command: tt.command})
			use := out.Result.Usage
			if use.CPU < tt.min || use.CPU > tt.max || use.Wall <= 0 {
				t.Errorf("%s: processor time %v in %v, want %v to %v", tt.name, use.CPU, use.Wall, tt.min, tt.max)
			}
			if got := use.MaxRSS >> 20; got < tt.mib || got > tt.mib+30 {
				t.Errorf("%s: memory %d MiB, want at least %d and less than 30 more", tt.name, got, tt.mib)
			}
		})
	}
}

// TestNothingLeft holds that many runs in one process, failed ones too, leave no
// descriptor, no child and no zombie.
func TestNothingLeft(t *testing.T) {
	t.Parallel()
	asUsers(t, func(t *testing.T, uid int) {
		for _, j := range []job{
			{Command: []string{"/bin/true"}},
			{Command: []string{"/missing"}},
			{Command: []string{"/bin/true"}, Missing: "/missing"},
			{Command: []string{"/bin/true"}, Held: "fail"},
			{Command: sh("(setsid sleep 60 &) ; exit 1")},
		} {
			j.Repeat, j.Census = 5, true
			_, out := run(t, uid, j)
			if diff := cmp.Diff(out.Before, out.After); diff != "" || out.Before == "" {
				t.Errorf("%v: descriptors and children after one run and after five more (-want +got):\n%s", j.Command, diff)
			}
		}
	})
}

// TestMasks holds that closed files come from streams, and that a file without
// one is open.
func TestMasks(t *testing.T) {
	t.Parallel()
	asUsers(t, func(t *testing.T, uid int) {
		dir := workDir(t, uid)
		var files []string
		for _, name := range []string{"a", "b", "c"} {
			files = append(files, filepath.Join(dir, name))
			if err := os.WriteFile(files[len(files)-1], []byte(name+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		line := "for f in a b c; do cat $f 2>/dev/null || echo closed; done; ls /proc/self/fd | paste -sd ' '"
		text, _ := run(t, uid, job{Command: sh(line), Dir: dir, Masks: files[:2]})
		if want := "closed\nclosed\nc\n0 1 2 3\n"; text != want { // 3 is the directory that ls reads
			t.Errorf("%q, want %q", text, want)
		}
	})
}
