package launch_test

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// bare starts bubblewrap as it comes, with options and a command, as a user: the
// control for what the launcher does more.
func bare(t *testing.T, uid int, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("/usr/bin/bwrap", append([]string{"--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--unshare-user"}, args...)...)
	cmd.Env = []string{"PATH=/usr/bin:/bin", "SECRET=of the launcher"}
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	if uid != os.Getuid() {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}
	}
	return cmd
}

// TestDescriptors holds that the command has the standard streams alone, though
// the launcher was started with another one open. That bubblewrap itself passes
// it on is the control.
func TestDescriptors(t *testing.T) {
	t.Parallel()
	line := sh("echo /proc/self/fd/*; cat /proc/self/fd/7/passwd 2>&1 | head -c 5")
	asUsers(t, func(t *testing.T, uid int) {
		etc, err := os.Open("/etc")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = etc.Close() })
		control := bare(t, uid, append([]string{"--"}, line...)...)
		p := prepare(t, uid, job{Command: line})
		var got [2]string
		for i, cmd := range []*exec.Cmd{control, p.Cmd} {
			cmd.ExtraFiles = slices.Repeat([]*os.File{etc}, 5)
			text, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			list, read, _ := strings.Cut(strings.ReplaceAll(string(text), "/proc/self/fd/", ""), "\n")
			if i == 0 { // what else is open is the business of whoever runs the test
				list = fmt.Sprint(slices.Contains(strings.Fields(list), "7"))
			}
			got[i] = list + ", " + read
		}
		// 3 is the directory that the shell reads for the pattern.
		want := [2]string{"true, root:", "0 1 2 3, cat: "}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("bubblewrap and the launcher (-want +got):\n%s", diff)
		}
	})
}

// TestProcOne holds that process 1 of the sandbox shows the command and its
// environment, and neither the launcher's environment nor the policy. Bubblewrap
// with --clearenv shows both.
func TestProcOne(t *testing.T) {
	t.Parallel()
	line := sh("cat /proc/1/environ /proc/1/cmdline | tr '\\0' ' '")
	asUsers(t, func(t *testing.T, uid int) {
		control, err := bare(t, uid, append([]string{"--unshare-pid", "--clearenv", "--"}, line...)...).Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{"SECRET=of the launcher", "--ro-bind / /"} {
			if !strings.Contains(string(control), secret) {
				t.Errorf("the control does not show %q: %q", secret, control)
			}
		}
		text, _ := run(t, uid, job{Command: line, Env: []string{"A=1", "PATH=/usr/bin:/bin"}})
		if want := "A=1 PATH=/usr/bin:/bin bwrap --args 4 -- " + strings.Join(line, " ") + " "; text != want {
			t.Errorf("%q, want %q", text, want)
		}
	})
}

// background leaves processes behind in every way that a shell knows, with a mark.
func background(mark string) string {
	return fmt.Sprintf("sleep %[1]s & nohup sleep %[1]s >/dev/null 2>&1 & setsid sleep %[1]s & "+
		"(sleep %[1]s &) ; (setsid sh -c 'trap \"\" TERM HUP; sleep %[1]s' &); ", mark)
}

// TestSurvivors holds that nothing is left when the command has ended, and that
// it is gone when the launcher says so. Without a process namespace it stays.
func TestSurvivors(t *testing.T) {
	t.Parallel()
	asUsers(t, func(t *testing.T, uid int) {
		mark := marker()
		control := bare(t, uid, append([]string{"--die-with-parent", "--"}, sh(background(mark))...)...)
		if err := control.Run(); err != nil {
			t.Fatal(err)
		}
		kill(t, mark, 5)
		mark = marker()
		run(t, uid, job{Command: sh(background(mark) + "exit 0")})
		if left := found("", mark); len(left) > 0 {
			t.Errorf("%d processes are left", len(left))
		}
	})
}

// kill ends what a control has left behind, which are at least n processes.
func kill(t *testing.T, mark string, n int) {
	t.Helper()
	left := found("sleep", mark)
	for end := time.Now().Add(5 * time.Second); len(left) < n && time.Now().Before(end); left = found("sleep", mark) {
		time.Sleep(5 * time.Millisecond)
	}
	if len(left) < n {
		t.Errorf("the control leaves %d processes, want %d", len(left), n)
	}
	for _, pid := range left {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// gone waits until no process has a mark.
func gone(t *testing.T, mark string) {
	t.Helper()
	left := found("", mark)
	for end := time.Now().Add(10 * time.Second); len(left) > 0; left = found("", mark) {
		if time.Now().After(end) {
			for _, pid := range left {
				name, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
				t.Errorf("%d survives: %s", pid, name)
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
			return
		}
		time.Sleep(2 * time.Millisecond)
	}
}
