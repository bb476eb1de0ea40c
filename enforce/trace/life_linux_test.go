package trace_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sandboxc/sbc/enforce/trace"
)

// processes returns the processes with the text in their command lines, other
// than bwrap's and zombies.
func processes(t *testing.T, text string) []int {
	t.Helper()
	list, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	var out []int
	for _, name := range list {
		line, err := os.ReadFile(name)
		if err == nil && strings.Contains(string(line), text) && !strings.Contains(string(line), "bwrap") {
			pid, err := strconv.Atoi(strings.Split(name, "/")[2])
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, pid)
		}
	}
	return out
}

func alive(t *testing.T, text string) bool { t.Helper(); return len(processes(t, text)) > 0 }

// eventually waits until something is so.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for range 600 {
		if is() {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("still not so: %s", what)
}

// TestKilledTracer: nothing of the tree is left when the process that traces is
// killed, although nothing else would end it.
func TestKilledTracer(t *testing.T) {
	t.Parallel()
	eachUser(t, func(t *testing.T, uid int) {
		mark := fmt.Sprintf("sleep %d", time.Now().UnixNano())
		t.Cleanup(func() { // where the test has failed
			for _, pid := range processes(t, mark) {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		})
		cmd, in, out := launch(t, uid)
		j := job{Command: []string{"/bin/sh", "-c", fmt.Sprintf("%[1]s/probe '%[2]s' & %[1]s/probe '%[2]s'", scratch, mark)}}
		if err := json.NewEncoder(in).Encode(j); err != nil {
			t.Fatal(err)
		}
		in.Close()
		eventually(t, "the tree runs", func() bool { return alive(t, mark) })
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := cmd.Wait(); err == nil {
			t.Fatalf("the launcher was not killed: %s", out)
		}
		eventually(t, "the tree is gone", func() bool { return !alive(t, mark) })
	})
}

// TestAttachFails: the error says what is wrong.
func TestAttachFails(t *testing.T) {
	t.Parallel()
	if _, err := trace.Attach(1<<22+1, trace.Options{}); err == nil || !strings.Contains(err.Error(), "there is no such process") {
		t.Errorf("no process: %v", err)
	}
	pid := grandchild(t)
	first, err := trace.Attach(pid, trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := trace.Attach(pid, trace.Options{}); err == nil || !strings.Contains(err.Error(), "another tracer has the process") {
		t.Errorf("traced already: %v", err)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := first.Wait(); err != nil {
		t.Errorf("a tree that was killed: %v", err)
	}
}

// grandchild starts a process that sleeps, and is no child of this one.
func grandchild(t *testing.T) int {
	t.Helper()
	cmd := exec.Command("sh", "-c", "sleep 3600 >/dev/null & echo $!; wait")
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	var pid int
	if _, err := fmt.Fscan(out, &pid); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(pid, syscall.SIGKILL)
		if err := cmd.Wait(); err != nil { // the tracer must not take away what belongs to others
			t.Errorf("the shell that waits for it: %v", err)
		}
	})
	return pid
}

// TestStopped: a process that is stopped can be attached to, and stays stopped.
func TestStopped(t *testing.T) {
	t.Parallel()
	pid := grandchild(t)
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	state := func() string {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Fields(string(stat))[2]
	}
	eventually(t, "it is stopped", func() bool { return state() == "T" })
	tr, err := trace.Attach(pid, trace.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if s := state(); strings.ToUpper(s) != "T" {
		t.Errorf("the state is %s", s)
	}
	if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it goes on", func() bool { return state() == "S" })
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if err := tr.Wait(); err != nil {
		t.Error(err)
	}
}
