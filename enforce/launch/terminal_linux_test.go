package launch_test

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// screen is the other side of a terminal: what a person types and sees.
type screen struct {
	master *os.File
	tty    *os.File

	mu   sync.Mutex
	text bytes.Buffer
	seen int
}

// newScreen opens a pseudo terminal (pty(7)) that a user owns.
func newScreen(t *testing.T, uid int) *screen {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = master.Close() })
	number := 0
	raw, err := master.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	if err := raw.Control(func(fd uintptr) {
		if err = unix.IoctlSetPointerInt(int(fd), unix.TIOCSPTLCK, 0); err == nil {
			number, err = unix.IoctlGetInt(int(fd), unix.TIOCGPTN)
		}
	}); err != nil {
		t.Fatal(err)
	}
	name := "/dev/pts/" + strconv.Itoa(number)
	if err := os.Chown(name, uid, uid); err != nil {
		t.Fatal(err)
	}
	tty, err := os.OpenFile(name, os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tty.Close() })
	s := &screen{master: master, tty: tty}
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := master.Read(buf)
			s.mu.Lock()
			s.text.Write(buf[:n])
			s.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	return s
}

// start starts a launcher with the terminal as the controlling one of a session
// of its own.
func (s *screen) start(t *testing.T, p *process) {
	t.Helper()
	p.Stdin, p.Stdout, p.Stderr = s.tty, s.tty, s.tty
	p.SysProcAttr.Setsid, p.SysProcAttr.Setctty = true, true
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Process.Kill() })
}

func (s *screen) enter(t *testing.T, keys string) {
	t.Helper()
	if _, err := s.master.WriteString(keys); err != nil {
		t.Fatal(err)
	}
}

// expect waits until a text appears behind what was expected before.
func (s *screen) expect(t *testing.T, want string) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		s.mu.Lock()
		at := strings.Index(s.text.String()[s.seen:], want)
		if at >= 0 {
			s.seen += at + len(want)
		}
		s.mu.Unlock()
		if at >= 0 {
			return
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t.Fatalf("%q does not appear; the screen:\n%s", want, s.text.String())
}

const (
	interrupt = "\x03"
	suspend   = "\x1a"
)

// bash is an interactive shell whose prompt is "$ ".
var bash = []string{"/usr/bin/env", "PS1=$ ", "/bin/bash", "--norc", "--noprofile", "--noediting", "-i"}

// TestJobControl holds that an interactive shell in the sandbox has everything
// that it has outside: jobs, keys, the window's size.
func TestJobControl(t *testing.T) {
	t.Parallel()
	asUsers(t, func(t *testing.T, uid int) {
		s := newScreen(t, uid)
		mark := marker()
		p := prepare(t, uid, job{Command: bash, Terminal: true})
		s.start(t, p)
		s.expect(t, "$ ")

		s.enter(t, "tty >/dev/null && echo a terminal: $?\n")
		s.expect(t, "a terminal: 0")
		s.enter(t, "sleep "+mark+"\n")
		one(t, mark)
		s.enter(t, interrupt)
		s.expect(t, "$ ")
		s.enter(t, "echo status $?\n")
		s.expect(t, "status 130")

		s.enter(t, "sleep "+mark+"\n")
		sleep := one(t, mark)
		s.enter(t, suspend)
		s.expect(t, "Stopped")
		states(t, "T", sleep)
		s.enter(t, "fg\n")
		s.expect(t, "sleep "+mark)
		states(t, "S", sleep)
		s.enter(t, interrupt)
		s.expect(t, "$ ")
		s.enter(t, "sleep "+mark+" & jobs\n")
		s.expect(t, "Running")
		s.enter(t, "kill %1; wait %1; echo killed $?\n")
		s.expect(t, "killed 143")

		s.enter(t, `sh -c 'trap "stty size; exit" WINCH; echo look"ing"; while :; do sleep 0.01; done'`+"\n")
		s.expect(t, "looking")
		size := &unix.Winsize{Row: 33, Col: 77}
		raw, err := s.master.SyscallConn()
		if err != nil {
			t.Fatal(err)
		}
		if err := raw.Control(func(fd uintptr) { err = unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, size) }); err != nil {
			t.Fatal(err)
		}
		s.expect(t, "33 77")

		s.enter(t, "exit 9\n")
		if err := p.Wait(); err != nil {
			t.Fatal(err)
		}
		if out := p.outcome(t); out.Result == nil || out.Result.Code != 9 {
			t.Errorf("%+v", out)
		}
	})
}

// TestKeys holds that the keys of the terminal reach a command that knows nothing
// of jobs, and neither bwrap nor the launcher, and that the terminal is given
// back. The launcher is the job of a shell.
func TestKeys(t *testing.T) {
	t.Parallel()
	asUsers(t, func(t *testing.T, uid int) {
		s := newScreen(t, uid)
		line := `trap "echo caught; exit 7" INT; trap "echo quit" QUIT; echo runn"ing"; while :; do sleep 0.1; echo al"ive"; done`
		p := prepare(t, uid, job{Command: sh(line), Terminal: true})
		launcher := p.Path
		p.Path, p.Args = "/bin/bash", []string{"bash", "--norc", "--noprofile", "--noediting", "-i"}
		p.Env = append(p.Env, "PS1=$ ", "PATH=/usr/bin:/bin")
		s.start(t, p)
		s.expect(t, "$ ")

		s.enter(t, launcher+"\n")
		s.expect(t, "running")
		s.enter(t, "\x1c")
		s.expect(t, "quit")
		for range 2 {
			s.enter(t, suspend)
			s.expect(t, "Stopped")
			s.expect(t, "$ ")
			s.enter(t, "fg\n")
			s.expect(t, launcher)
			s.expect(t, "alive")
		}
		s.enter(t, interrupt)
		s.expect(t, "caught")
		s.expect(t, "$ ")
		s.enter(t, "echo groups $(ps -o pgid=,tpgid= -p $$ | awk '{ print ($1 == $2) }')\n")
		s.expect(t, "groups 1")
		s.enter(t, "exit\n")
		_ = p.Wait()
		if out := p.outcome(t); out.Result == nil || out.Result.Code != 7 {
			t.Errorf("%+v", out)
		}
	})
}

// TestTerminalReturned holds that the command has the terminal, if it is given
// one, and may read it in any case; and that the launcher's group has it again
// afterwards.
func TestTerminalReturned(t *testing.T) {
	t.Parallel()
	asUsers(t, func(t *testing.T, uid int) {
		for _, terminal := range []bool{true, false} {
			s := newScreen(t, uid)
			line := "ps -o tpgid= -p $$ | awk '{ print \"a terminal:\", ($1 >= 0) }'; read line; echo read $line"
			p := prepare(t, uid, job{Command: sh(line), Terminal: terminal})
			p.Args = []string{"sh", "-c", `"$0"; ps -o pgid=,tpgid= -p $$ | awk '{ print "outside", ($1 == $2) }'`, p.Path}
			p.Path = "/bin/sh"
			p.Env = append(p.Env, "PATH=/usr/bin:/bin")
			s.start(t, p)
			s.expect(t, map[bool]string{true: "a terminal: 1", false: "a terminal: 0"}[terminal])
			s.enter(t, "keys\n")
			s.expect(t, "read keys")
			s.expect(t, "outside 1")
			_ = p.Wait()
		}
	})
}

// TestTIOCSTI holds that nobody in the sandbox types for the person outside, by
// either form of the call. The controls are the same sandbox with a seccomp
// program that permits everything, where the first form works, and without a
// session of its own.
func TestTIOCSTI(t *testing.T) {
	t.Parallel()
	const probe = `
import ctypes, errno, os
libc = ctypes.CDLL(None, use_errno=True)
out = []
for request in 0x5412, 0x5412 | 1 << 32:
    libc.ioctl.argtypes = [ctypes.c_int, ctypes.c_ulong, ctypes.c_char_p]
    ok = libc.ioctl(0, request, b"x") == 0
    out.append("typed" if ok else errno.errorcode[ctypes.get_errno()])
print("answers", *out)
`
	// Root may always do it; others if the kernel is set to the old way, which is
	// the default of Linux before 6.2.
	legacy, err := os.ReadFile("/proc/sys/dev/tty/legacy_tiocsti")
	allowed := os.IsNotExist(err) || strings.TrimSpace(string(legacy)) == "1"
	asUsers(t, func(t *testing.T, uid int) {
		for _, tt := range []struct {
			name                string
			terminal, noSeccomp bool
			want                string
		}{
			{"a session of its own", false, false, "EPERM EPERM"},
			{"a session of its own, no seccomp", false, true, "EPERM EPERM"},
			{"the terminal", true, false, "EPERM EPERM"},
			{"the terminal, no seccomp", true, true, "typed typed"},
		} {
			if tt.want == "typed typed" && !allowed {
				tt.want = "EIO EIO"
			}
			s := newScreen(t, uid)
			p := prepare(t, uid, job{Command: []string{"/usr/bin/python3", "-c", probe}, Terminal: tt.terminal, NoSeccomp: tt.noSeccomp})
			s.start(t, p)
			s.expect(t, "answers ")
			if err := p.Wait(); err != nil {
				t.Fatal(err)
			}
			s.mu.Lock()
			got, _, _ := strings.Cut(s.text.String()[s.seen:], "\r\n")
			s.mu.Unlock()
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.name, diff)
			}
		}
	})
}

// TestNoTerminal holds that a command whose policy closes the terminal cannot be
// given one, nor a file that is none.
func TestNoTerminal(t *testing.T) {
	t.Parallel()
	asUsers(t, func(t *testing.T, uid int) {
		p := prepare(t, uid, job{Command: sh("echo ran"), Terminal: true})
		if text, err := p.CombinedOutput(); err != nil || len(text) > 0 {
			t.Errorf("%q, %v", text, err)
		}
		want := "use the terminal /dev/stdin: inappropriate ioctl for device"
		if got := p.outcome(t).Error; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	})
}
