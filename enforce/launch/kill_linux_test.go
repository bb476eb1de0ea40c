package launch_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// children returns the children of a process.
func children(pid int) []int {
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	var out []int
	for _, name := range tasks {
		text, _ := os.ReadFile(name)
		for _, field := range strings.Fields(string(text)) {
			if n, err := strconv.Atoi(field); err == nil {
				out = append(out, n)
			}
		}
	}
	return out
}

// victim returns the process so many levels beneath the launcher as there are:
// the launcher, bwrap, init, the command.
func victim(launcher, depth int) int {
	pid := launcher
	for range depth {
		below := children(pid)
		if len(below) == 0 {
			break
		}
		pid = below[0]
	}
	return pid
}

// TestKill kills the launcher, bwrap, init or the command at random moments from
// the start on, 200 times, and holds that nothing survives.
func TestKill(t *testing.T) {
	t.Parallel()
	asUsers(t, func(t *testing.T, uid int) {
		start := begun(t, uid)
		next := make(chan int)
		var workers sync.WaitGroup
		for range 4 {
			workers.Go(func() {
				for i := range next {
					//nolint:gosec // G404: a moment to kill at is no secret
					killOnce(t, uid, i%4, time.Duration(rand.Int64N(int64(start*3/2))), nil)
				}
			})
		}
		for i := range 200 / len(users()) {
			next <- i
		}
		close(next)
		workers.Wait()
	})
}

// begun measures how long it takes until the command is there.
func begun(t *testing.T, uid int) time.Duration {
	t.Helper()
	mark := marker()
	p := prepare(t, uid, job{Command: []string{"/bin/sleep", mark}})
	start := time.Now()
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	one(t, mark)
	d := time.Since(start)
	_ = p.Process.Kill()
	_ = p.Wait()
	gone(t, mark)
	return d
}

func killOnce(t *testing.T, uid, depth int, after time.Duration, e *closing) {
	t.Helper()
	mark := marker()
	p := prepare(t, uid, job{Command: sh(background(mark) + "exec sleep " + mark), Closing: e})
	if err := p.Start(); err != nil {
		t.Error(err)
		return
	}
	time.Sleep(after)
	_ = syscall.Kill(victim(p.Process.Pid, depth), syscall.SIGKILL)
	done := time.AfterFunc(10*time.Second, func() {
		t.Errorf("the launcher goes on though its sandbox, %d levels down, was killed after %v", depth, after)
		_ = p.Process.Kill()
	})
	_ = p.Wait()
	done.Stop()
	gone(t, mark)
}

// TestKillWhileHeld kills the launcher while it holds the command. The control is
// what --block-fd does then: the pipe ends with the launcher, and the command runs.
func TestKillWhileHeld(t *testing.T) {
	t.Parallel()
	asUsers(t, func(t *testing.T, uid int) {
		dir := workDir(t, uid)
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		mark := marker()
		line := func(name string) []string { return sh("touch " + dir + "/" + name + "; exec sleep " + mark) }
		control := bare(t, uid, append([]string{
			"--bind", dir, dir, "--unshare-pid", "--die-with-parent", "--block-fd", "3", "--",
		}, line("control")...)...)
		control.ExtraFiles = []*os.File{r}
		if err := control.Start(); err != nil {
			t.Fatal(err)
		}
		_ = r.Close()
		var held []int
		for held == nil {
			held = children(control.Process.Pid)
		}
		// Until init reads the pipe it is not its own master's; then it sleeps.
		time.Sleep(50 * time.Millisecond)
		_ = control.Process.Kill()
		_ = control.Wait()
		_ = w.Close()
		kill(t, mark, 1)
		if _, err := os.Stat(filepath.Join(dir, "control")); err != nil {
			t.Errorf("the control does not run the command: %v", err)
		}

		p := prepare(t, uid, job{Command: line("ran"), Writable: []string{dir}, Held: "wait " + dir + "/held"})
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		for {
			if _, err := os.Stat(filepath.Join(dir, "held")); err == nil {
				break
			}
			time.Sleep(time.Millisecond)
		}
		_ = p.Process.Kill()
		_ = p.Wait()
		gone(t, mark)
		if _, err := os.Stat(filepath.Join(dir, "ran")); err == nil {
			t.Error("the command ran")
		}
	})
}

// TestKillWhileMade kills init when it has just made the command, and the launcher
// does not know of it yet, being stopped: the launcher must not wait forever for
// an init that cannot end before the command that nobody waits for.
func TestKillWhileMade(t *testing.T) {
	t.Parallel()
	asUsers(t, func(t *testing.T, uid int) {
		hit := 0
		for range 10 {
			mark := marker()
			p := prepare(t, uid, job{Command: []string{"/bin/sleep", mark}})
			if err := p.Start(); err != nil {
				t.Fatal(err)
			}
			init := awaitChild(awaitChild(p.Process.Pid, time.Minute), time.Minute)
			awaitRunning(init)
			_ = p.Process.Signal(syscall.SIGSTOP)
			command := awaitChild(init, 100*time.Millisecond) // none, if the launcher was stopped too soon
			if comm, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", command)); strings.TrimSpace(string(comm)) == "bwrap" {
				hit++ // and the launcher has not seen it, most times
			}
			_ = syscall.Kill(init, syscall.SIGKILL)
			_ = p.Process.Signal(syscall.SIGCONT)
			done := time.AfterFunc(10*time.Second, func() {
				t.Error("the launcher does not end")
				_ = p.Process.Kill()
			})
			_ = p.Wait()
			done.Stop()
			gone(t, mark)
		}
		if hit == 0 {
			t.Error("init was never killed in time")
		}
	})
}

// awaitChild waits for the first child of a process; -1 means that it had none.
func awaitChild(pid int, patience time.Duration) int {
	for end := time.Now().Add(patience); time.Now().Before(end); {
		if below := children(pid); len(below) > 0 {
			return below[0]
		}
	}
	return -1
}

// awaitRunning waits until a process is not held by its tracer.
func awaitRunning(pid int) {
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil || !strings.Contains(string(text), ") t ") {
			return
		}
	}
}
