package launch_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// held is the hook of a job.
func (j *job) held() func(int) error {
	verb, path, _ := strings.Cut(j.Held, " ")
	switch verb {
	case "fail":
		return func(int) error { return errors.New("no") }
	case "kill":
		return func(pid int) error { return unix.Kill(pid, unix.SIGKILL) }
	case "wait":
		return func(int) error {
			if err := os.WriteFile(path, nil, 0o644); err != nil {
				return err
			}
			select {}
		}
	case "describe":
		return func(pid int) error { return os.WriteFile(path, []byte(about(pid)), 0o644) }
	case "trace":
		return func(pid int) error { return trace(pid, path) }
	}
	return nil
}

// about is what the kernel says of a held process: its program, whether it has
// more seccomp programs than this one, its number in the sandbox.
func about(pid int) string {
	fields := func(pid string) map[string]string {
		status, err := os.ReadFile("/proc/" + pid + "/status")
		if err != nil {
			panic(err)
		}
		out := map[string]string{}
		for line := range strings.Lines(string(status)) {
			key, value, _ := strings.Cut(line, ":")
			out[key] = strings.TrimSpace(value)
		}
		return out
	}
	its, mine := fields(strconv.Itoa(pid)), fields("self")
	numbers := strings.Fields(its["NSpid"])
	return fmt.Sprintf("%s, filtered %t, process %s", its["Name"],
		its["Seccomp_filters"] != mine["Seccomp_filters"], numbers[len(numbers)-1])
}

// trace attaches a tracer that notes the execution of the command's program and
// then lets it go.
func trace(pid int, path string) error {
	attached := make(chan error)
	go func() {
		const options = unix.PTRACE_O_EXITKILL | unix.PTRACE_O_TRACEEXEC
		runtime.LockOSThread() // ends with the goroutine, and with it the tracing
		if _, _, e := unix.Syscall6(unix.SYS_PTRACE, unix.PTRACE_SEIZE, uintptr(pid), 0, options, 0, 0); e != 0 {
			attached <- e
			return
		}
		close(attached)
		for {
			var status unix.WaitStatus
			if _, err := unix.Wait4(pid, &status, unix.WALL, nil); err != nil || status.Exited() || status.Signaled() {
				return
			}
			if status.TrapCause() == unix.PTRACE_EVENT_EXEC {
				_ = os.WriteFile(path, []byte("executed"), 0o644)
				_ = unix.PtraceDetach(pid)
				return
			}
			_ = unix.PtraceCont(pid, 0)
		}
	}()
	return <-attached
}

// TestHeld holds when the hook is called: when the sandbox is made, and before
// the seccomp program and the command's own are loaded.
func TestHeld(t *testing.T) {
	t.Parallel()
	asUsers(t, func(t *testing.T, uid int) {
		path := filepath.Join(workDir(t, uid), "about")
		text, _ := run(t, uid, job{Command: sh("grep ^Name: /proc/self/status"), Held: "describe " + path})
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want := [2]string{"Name:\tgrep\n", "bwrap, filtered false, process 2"}
		if diff := cmp.Diff(want, [2]string{text, string(got)}); diff != "" {
			t.Errorf("the command and the hook (-want +got):\n%s", diff)
		}
	})
}

// TestHeldFails holds that a command does not run if something could not be done
// to it before; that it would have run is the control.
func TestHeldFails(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		held string
		want outcome
		ran  bool
	}{
		{"", outcome{}, true},
		{"fail", outcome{Error: "cannot prepare the command: no; the command did not run", Kind: "*launch.HoldError"}, false},
		{"kill", outcome{Error: "bubblewrap cannot make the sandbox: it was killed; the command did not run", Kind: "*launch.BwrapError"}, false},
	} {
		asUsers(t, func(t *testing.T, uid int) {
			dir := workDir(t, uid)
			_, out := run(t, uid, job{Command: sh("touch " + dir + "/ran"), Writable: []string{dir}, Held: tt.held})
			out.Result = nil
			if diff := cmp.Diff(tt.want, out); diff != "" {
				t.Errorf("hook %q (-want +got):\n%s", tt.held, diff)
			}
			_, err := os.Stat(filepath.Join(dir, "ran"))
			if got := err == nil; got != tt.ran {
				t.Errorf("hook %q: the command ran: %t, want %t", tt.held, got, tt.ran)
			}
		})
	}
}

// TestAttach holds that a hook can attach a tracer of its own, which then sees
// the command's program being loaded, and that a start failure is known.
func TestAttach(t *testing.T) {
	t.Parallel()
	asUsers(t, func(t *testing.T, uid int) {
		path := filepath.Join(workDir(t, uid), "traced")
		text, out := run(t, uid, job{Command: sh("grep ^TracerPid: /proc/self/status; exit 3"), Held: "trace " + path, Attach: true})
		note, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got := []any{text, out.Result.Code, string(note)}
		if diff := cmp.Diff([]any{"TracerPid:\t0\n", 3, "executed"}, got); diff != "" {
			t.Errorf("output, status, what the tracer saw (-want +got):\n%s", diff)
		}
		_, out = run(t, uid, job{Command: []string{"/missing"}, Held: "trace " + path, Attach: true})
		want := outcome{Error: "cannot execute /missing in the sandbox: No such file or directory", Kind: "*launch.ExecError", Is: "missing"}
		if diff := cmp.Diff(want, out); diff != "" {
			t.Errorf("a program that is missing (-want +got):\n%s", diff)
		}
	})
}
