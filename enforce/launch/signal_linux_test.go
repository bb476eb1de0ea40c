package launch_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// begin starts a launcher and returns when the command has printed its first
// line, with the rest of its output.
func begin(t *testing.T, p *process) *bufio.Reader {
	t.Helper()
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	p.Stderr = os.Stderr
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Process.Kill() })
	r := bufio.NewReader(out)
	if _, err := r.ReadString('\n'); err != nil {
		t.Fatalf("the command does not begin: %v", err)
	}
	return r
}

// finish reads the rest of the output and waits for the launcher.
func finish(t *testing.T, p *process, r *bufio.Reader) string {
	t.Helper()
	var rest strings.Builder
	if _, err := r.WriteTo(&rest); err != nil {
		t.Error(err)
	}
	if err := p.Wait(); err != nil {
		t.Errorf("the launcher: %v", err)
	}
	return rest.String()
}

// TestSignals holds that what the launcher is sent reaches the command and the
// processes of its group, and that the launcher waits for them.
func TestSignals(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		sig  syscall.Signal
	}{{"INT", unix.SIGINT}, {"TERM", unix.SIGTERM}, {"HUP", unix.SIGHUP}, {"QUIT", unix.SIGQUIT}, {"WINCH", unix.SIGWINCH}} {
		asUsers(t, func(t *testing.T, uid int) {
			line := fmt.Sprintf(`trap 'echo command; wait $child; exit 5' %[1]s
				env --default-signal bash -c "trap 'echo child; exit' %[1]s; echo ready; while :; do sleep 0.01; done" & child=$!
				while :; do sleep 0.01; done`, tt.name)
			p := prepare(t, uid, job{Command: []string{"/bin/bash", "-c", line}})
			r := begin(t, p)
			if err := p.Process.Signal(tt.sig); err != nil {
				t.Fatal(err)
			}
			got := strings.Fields(finish(t, p, r))
			if len(got) != 2 || got[0] == got[1] || p.outcome(t).Result.Code != 5 {
				t.Errorf("%s: %q, %+v", tt.name, got, p.outcome(t))
			}
		})
	}
}

// TestIgnoredSignals holds that what the launcher was started to ignore, as by
// nohup, is not passed on to a command that would hear it.
func TestIgnoredSignals(t *testing.T) {
	t.Parallel()
	const line = `
import signal, time
before = signal.signal(signal.SIGHUP, lambda *a: print("heard"))
print(before == signal.SIG_IGN, flush=True)
time.sleep(0.3)
print("end")
`
	asUsers(t, func(t *testing.T, uid int) {
		for _, ignore := range []bool{true, false} {
			p := prepare(t, uid, job{Command: []string{"/usr/bin/python3", "-c", line}})
			if ignore {
				p.Args = append([]string{"sh", "-c", `trap '' HUP; exec "$0"`}, p.Path)
				p.Path = "/bin/sh"
			}
			r := begin(t, p)
			if err := p.Process.Signal(unix.SIGHUP); err != nil {
				t.Fatal(err)
			}
			want := "heard\nend\n"
			if ignore {
				want = "end\n"
			}
			if got := finish(t, p, r); got != want {
				t.Errorf("ignored %t: %q, want %q; %+v", ignore, got, want, p.outcome(t))
			}
		}
	})
}

// TestStopAndContinue holds that the launcher, stopped as by a key, stops the
// command, and continues it.
func TestStopAndContinue(t *testing.T) {
	t.Parallel()
	asUsers(t, func(t *testing.T, uid int) {
		mark := marker()
		p := prepare(t, uid, job{Command: sh("echo ready; exec sleep " + mark)})
		p.SysProcAttr.Setpgid = true // not orphaned, as this test is in the session and not in the group
		r := begin(t, p)
		command := one(t, mark)
		_ = p.Process.Signal(unix.SIGTSTP)
		states(t, "T", command, p.Process.Pid)
		_ = p.Process.Signal(unix.SIGCONT)
		states(t, "S", command, p.Process.Pid)
		_ = p.Process.Signal(unix.SIGTSTP) // a second time
		states(t, "T", command, p.Process.Pid)
		_ = p.Process.Signal(unix.SIGCONT)
		states(t, "S", command, p.Process.Pid)
		_ = p.Process.Signal(unix.SIGTERM)
		finish(t, p, r)
		if got := p.outcome(t).Result.Code; got != 143 {
			t.Errorf("status %d, want 143", got)
		}
	})
}

var marks atomic.Int32

// marker returns an argument for sleep(1) that no other process has.
func marker() string {
	return fmt.Sprintf("60.%d%04d", os.Getpid(), marks.Add(1))
}

// found returns the processes that have a mark in their command line, and are no
// zombies; a name narrows it to one program.
func found(name, mark string) []int {
	entries, _ := os.ReadDir("/proc")
	var out []int
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		line, err := os.ReadFile("/proc/" + e.Name() + "/cmdline")
		if err != nil || !strings.Contains(string(line), mark) {
			continue
		}
		if comm, _ := os.ReadFile("/proc/" + e.Name() + "/comm"); name == "" || strings.TrimSpace(string(comm)) == name {
			out = append(out, pid)
		}
	}
	return out
}

// one waits for the one sleep(1) with a mark.
func one(t *testing.T, mark string) int {
	t.Helper()
	for range 1000 {
		if pids := found("sleep", mark); len(pids) == 1 {
			return pids[0]
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("sleep %s does not run once: %v", mark, found("sleep", mark))
	return 0
}

// states waits until processes are in a state.
func states(t *testing.T, want string, pids ...int) {
	t.Helper()
	for range 1000 {
		if !slices.ContainsFunc(pids, func(pid int) bool { return state(pid) != want }) {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	for _, pid := range pids {
		t.Errorf("process %d is in state %s, want %s", pid, state(pid), want)
	}
	t.FailNow()
}

// state is a process's state, as ps(1) shows it.
func state(pid int) string {
	text, _ := exec.Command("ps", "-o", "s=", "-p", strconv.Itoa(pid)).Output()
	return strings.TrimSpace(string(text))
}
