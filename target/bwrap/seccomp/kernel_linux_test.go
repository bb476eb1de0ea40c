package seccomp_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sandboxc/sbc/target/bwrap/seccomp"

	"github.com/sandboxc/sbc/internal/program"
)

// The tests of this file ask the kernel: bwrap runs this test binary again
// under a filter, as root (if the tests are) and as an ordinary user, and the
// binary makes one call and prints how it went. Every call is made without a
// filter too, to show that it is the filter that refuses it.

// probeVar holds the name of the probe in the environment of the copy.
const probeVar = "SBC_SECCOMP_PROBE"

func TestMain(m *testing.M) {
	if name := os.Getenv(probeVar); name != "" {
		os.Exit(runProbe(name))
	}
	code := m.Run()
	if dir, err := shared(); err == nil {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// shared makes a directory that every user can enter, with a copy of this
// binary, once.
var shared = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "sbc-seccomp-")
	if err != nil {
		return "", err
	}
	exe, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		return "", err
	}
	return dir, errors.Join(program.Write(filepath.Join(dir, "probe"), exe), os.Chmod(dir, 0o755))
})

// user is whom bwrap runs as.
type user struct {
	name string
	cred *syscall.Credential
}

// users returns root and an ordinary user, or just the present user, if the
// tests do not run as root.
func users() []user {
	if os.Getuid() != 0 {
		return []user{{name: "user"}}
	}
	return []user{{name: "root"}, {name: "user", cred: &syscall.Credential{Uid: 65534, Gid: 65534}}}
}

// job is one run of bwrap.
type job struct {
	user   user
	filter seccomp.Program // nil: none
	caps   []string        // capabilities to keep, for controls that need them
	pipe   bool            // hand the filter over in a pipe instead of a file
	tty    *os.File        // controlling terminal
	env    []string
	args   []string // the command
}

// run runs a command in bwrap and returns what it printed and its status.
func (j job) run(t *testing.T) (string, int) {
	t.Helper()
	bwrap, err := exec.LookPath("bwrap")
	if err != nil {
		t.Fatalf("these tests need bubblewrap: %v", err)
	}
	args := []string{"--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-ipc", "--die-with-parent", "--cap-drop", "ALL"}
	if len(j.caps) > 0 { // root inside: a second user namespace would come between the capabilities and the mounts
		args = append(args, "--uid", "0", "--gid", "0")
	}
	for _, c := range j.caps {
		args = append(args, "--cap-add", c)
	}
	args = append(args, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp")
	dir, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	args = append(args, "--ro-bind", dir, dir, "--chdir", "/tmp")
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, bwrap)
	if j.filter != nil {
		f := j.handOver(t)
		defer f.Close()
		cmd.ExtraFiles = []*os.File{f}
		args = append(args, "--seccomp", "3")
	}
	cmd.Args = append(append(cmd.Args, args...), j.args...)
	cmd.Env = append([]string{
		"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/tmp",
		"GORACE=atexit_sleep_ms=0", // a second at the end of each probe otherwise, if the tests run with -race
	}, j.env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: j.user.cred}
	if j.tty != nil {
		cmd.Stdin = j.tty
		cmd.SysProcAttr.Setsid, cmd.SysProcAttr.Setctty = true, true
	}
	var out, talk bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &talk
	err = cmd.Run()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	if talk.Len() > 0 {
		t.Logf("%s: %s", j.args[0], &talk)
	}
	return strings.TrimSpace(out.String()), cmd.ProcessState.ExitCode()
}

// handOver returns the filter as a file at its start or as a pipe.
func (j job) handOver(t *testing.T) *os.File {
	t.Helper()
	if j.pipe {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
		if _, err := w.Write(j.filter.Encode()); err != nil {
			t.Fatal(err)
		}
		return r
	}
	fd, err := unix.MemfdCreate("filter", unix.MFD_CLOEXEC)
	if err != nil {
		t.Fatal(err)
	}
	f := os.NewFile(uintptr(fd), "filter")
	if _, err := f.Write(j.filter.Encode()); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	return f
}

// native returns the filter for the machine that the test runs on.
func native(t *testing.T, o seccomp.Options) seccomp.Program {
	t.Helper()
	a, ok := seccomp.ArchOf(runtime.GOARCH)
	if !ok {
		t.Fatalf("no filter for %s", runtime.GOARCH)
	}
	return seccomp.Build(a, o)
}

// kernelCase is a probe with what it prints without a filter, under the closed
// one, and under the one with the option that opens it.
type kernelCase struct {
	probe   string
	caps    []string
	control []string // any of these; more than one where a kernel's settings matter
	closed  string
	opens   seccomp.Options // zero: nothing does
	tty     bool
}

func kernelCases() []kernelCase {
	ok := []string{"ok"}
	admin := []string{"CAP_SYS_ADMIN"}
	return []kernelCase{
		{probe: "ptrace", control: ok, closed: "EPERM", opens: traces},
		{probe: "process_vm_readv", control: ok, closed: "EPERM", opens: traces},
		{probe: "process_vm_writev", control: ok, closed: "EPERM", opens: traces},
		{probe: "process_madvise", control: ok, closed: "EPERM", opens: traces},
		{probe: "kcmp", control: ok, closed: "EPERM", opens: traces},
		{probe: "pidfd_getfd", control: ok, closed: "EPERM", opens: traces},

		{probe: "clone NEWUSER", control: ok, closed: "EPERM", opens: spaces},
		{probe: "unshare NEWUSER", control: ok, closed: "EPERM", opens: spaces},
		{probe: "unshare NEWUTS", caps: admin, control: ok, closed: "EPERM", opens: spaces},
		{probe: "setns", caps: admin, control: ok, closed: "EPERM", opens: spaces},
		{probe: "mount", caps: admin, control: ok, closed: "EPERM", opens: spaces},
		{probe: "umount2", caps: admin, control: ok, closed: "EPERM", opens: spaces},
		{probe: "pivot_root", caps: admin, control: ok, closed: "EPERM", opens: spaces},
		{probe: "chroot", caps: []string{"CAP_SYS_CHROOT"}, control: ok, closed: "EPERM", opens: spaces},
		{probe: "open_tree", caps: admin, control: ok, closed: "EPERM", opens: spaces},
		{probe: "open_tree_attr", caps: admin, control: []string{"ok", "ENOSYS"}, closed: "EPERM", opens: spaces},
		{probe: "move_mount", caps: admin, control: ok, closed: "EPERM", opens: spaces},
		{probe: "mount_setattr", caps: admin, control: ok, closed: "EPERM", opens: spaces},
		{probe: "fsopen", caps: admin, control: ok, closed: "EPERM", opens: spaces},
		{probe: "fspick", caps: admin, control: ok, closed: "EPERM", opens: spaces},
		{probe: "fsconfig", caps: admin, control: []string{"EINVAL"}, closed: "EPERM", opens: spaces},
		{probe: "fsmount", caps: admin, control: []string{"EBADF"}, closed: "EPERM", opens: spaces},
		{probe: "sethostname", caps: admin, control: ok, closed: "EPERM", opens: spaces},

		{probe: "io_uring_setup", control: []string{"ok", "EPERM"}, closed: "ENOSYS"},
		{probe: "clone3", control: ok, closed: "ENOSYS"},
		{probe: "add_key", control: ok, closed: "EPERM"},
		{probe: "request_key", control: []string{"ENOKEY"}, closed: "EPERM"},
		{probe: "keyctl", control: ok, closed: "EPERM"},
		{probe: "bpf", control: []string{"EINVAL"}, closed: "EPERM"},
		{probe: "perf_event_open", control: []string{"EINVAL"}, closed: "EPERM"},
		{probe: "userfaultfd", control: ok, closed: "EPERM"},
		{probe: "open_by_handle_at", control: []string{"EFAULT", "EBADF"}, closed: "EPERM"},
		{probe: "fanotify_init", control: ok, closed: "EPERM"},
		{probe: "quotactl", control: []string{"ENODEV"}, closed: "EPERM"},
		{probe: "quotactl_fd", control: []string{"EBADF"}, closed: "EPERM"},

		{probe: "TIOCSTI", tty: true, control: []string{"ok", "EIO"}, closed: "EPERM", opens: term},
		{probe: "TIOCSTI high half", tty: true, control: []string{"ok", "EIO"}, closed: "EPERM", opens: term},
		{probe: "TIOCLINUX", tty: true, control: []string{"ENOTTY"}, closed: "EPERM", opens: term},
		{probe: "TIOCLINUX high half", tty: true, control: []string{"ENOTTY"}, closed: "EPERM", opens: term},
		{probe: "TIOCSETD", tty: true, control: ok, closed: "EPERM"},
		{probe: "TCGETS", tty: true, control: ok, closed: "ok"},

		{probe: "socket UNIX", control: ok, closed: "EAFNOSUPPORT", opens: unixOn},
		{probe: "socket UNIX high half", control: ok, closed: "EAFNOSUPPORT", opens: unixOn},
		{probe: "socket VSOCK", control: []string{"ok", "EAFNOSUPPORT"}, closed: "EAFNOSUPPORT"},
		{probe: "socket PACKET", caps: []string{"CAP_NET_RAW"}, control: ok, closed: "EAFNOSUPPORT"},
		{probe: "socket INET SOCK_PACKET", caps: []string{"CAP_NET_RAW"}, control: ok, closed: "EAFNOSUPPORT"},
		{probe: "socket NETLINK generic", control: ok, closed: "EPROTONOSUPPORT"},
		{probe: "socket NETLINK uevent", control: ok, closed: "EPROTONOSUPPORT"},
		{probe: "socket NETLINK route", control: ok, closed: "ok"},
		{probe: "socket INET", control: ok, closed: "ok"},
		{probe: "socket INET6", control: ok, closed: "ok"},
		{probe: "loopback", control: ok, closed: "ok"},
		{probe: "interfaces", control: ok, closed: "ok"},
		{probe: "connect stream path", control: ok, closed: "EAFNOSUPPORT", opens: unixOn},

		{probe: "socketpair dgram", control: ok, closed: "EPERM", opens: unixOn},
		{probe: "socketpair raw", control: ok, closed: "EPERM", opens: unixOn},
		{probe: "socketpair INET", control: []string{"ENOTSUP"}, closed: "EAFNOSUPPORT"},
		{probe: "dgram pair to path", control: ok, closed: "EPERM", opens: unixOn},
		{probe: "raw pair to path", control: ok, closed: "EPERM", opens: unixOn},
		{probe: "stream pair works", control: ok, closed: "ok"},
		{probe: "seqpacket pair works", control: ok, closed: "ok"},
		{probe: "pair passes descriptors", control: ok, closed: "ok"},
		{probe: "stream pair to path", control: []string{"EISCONN EISCONN EISCONN EISCONN"}, closed: "EISCONN EISCONN EISCONN EISCONN"},
		{probe: "seqpacket pair to path", control: []string{"EISCONN EISCONN EISCONN EISCONN"}, closed: "EISCONN EISCONN EISCONN EISCONN"},

		{probe: "fork and threads", control: ok, closed: "ok"},
		{probe: "inotify", control: ok, closed: "ok"},
		{probe: "filtered", control: []string{"EINVAL"}, closed: "ok"},
	}
}

func TestKernel(t *testing.T) {
	t.Parallel()
	dir := listeners(t)
	for _, u := range users() {
		for _, tc := range append(kernelCases(), foreignCase()...) {
			t.Run(u.name+"/"+tc.probe, func(t *testing.T) {
				t.Parallel()
				ask := func(filter seccomp.Program) string {
					j := job{user: u, filter: filter, caps: tc.caps, env: []string{probeVar + "=" + tc.probe, "SOCKETS=" + dir}}
					d, err := shared()
					if err != nil {
						t.Fatal(err)
					}
					j.args = []string{filepath.Join(d, "probe")}
					if tc.tty {
						j.tty = terminal(t)
					}
					out, code := j.run(t)
					if code != 0 {
						return fmt.Sprintf("status %d", code)
					}
					return out
				}
				control := ask(nil)
				if !slices.Contains(tc.control, control) {
					t.Errorf("without a filter: %s, want one of %q", control, tc.control)
				}
				if got := ask(native(t, seccomp.Options{})); got != tc.closed {
					t.Errorf("closed: %s, want %s", got, tc.closed)
				}
				if tc.opens != (seccomp.Options{}) {
					if got := ask(native(t, tc.opens)); got != control {
						t.Errorf("under %+v: %s, want %s as without a filter", tc.opens, got, control)
					}
				}
			})
		}
	}
}

// listeners makes sockets of each type in a directory that the sandbox sees.
func listeners(t *testing.T) string {
	t.Helper()
	dir, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	for name, listen := range map[string]func(path string) (io.Closer, error){
		"stream":    func(p string) (io.Closer, error) { return net.Listen("unix", p) },
		"seqpacket": func(p string) (io.Closer, error) { return net.Listen("unixpacket", p) },
		"dgram": func(p string) (io.Closer, error) {
			c, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Net: "unixgram", Name: p})
			if err == nil {
				go io.Copy(io.Discard, c) // or the queue fills and senders wait
			}
			return c, err
		},
	} {
		p := filepath.Join(dir, name)
		c, err := listen(p)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close(); os.Remove(p) })
		if err := os.Chmod(p, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// terminal opens a new pseudo terminal and returns its user's end.
func terminal(t *testing.T) *os.File {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { master.Close() })
	if err := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { slave.Close() })
	return slave
}

// TestKernelAcceptsEveryProgram: each combination of options loads, from a file
// and from a pipe, and a command runs under it.
func TestKernelAcceptsEveryProgram(t *testing.T) {
	t.Parallel()
	for i := range 16 {
		o := seccomp.Options{UnixSockets: i&1 != 0, Ptrace: i&2 != 0, Namespaces: i&4 != 0, Terminal: i&8 != 0}
		out, code := job{user: users()[0], filter: native(t, o), pipe: i%2 == 0, args: []string{"/bin/sh", "-c", "echo $((6*7))"}}.run(t)
		if out != "42" || code != 0 {
			t.Errorf("%+v: %q, status %d", o, out, code)
		}
	}
}

// TestKernelKillsForeign: the filter of the other architecture loads here and
// kills the first call.
func TestKernelKillsForeign(t *testing.T) {
	t.Parallel()
	for _, a := range append(seccomp.Arches(), 0) {
		if a.String() == runtime.GOARCH {
			continue
		}
		out, code := job{user: users()[0], filter: seccomp.Build(a, seccomp.Options{}), args: []string{"/bin/echo", "alive"}}.run(t)
		if out != "" || code == 0 {
			t.Errorf("%s: %q, status %d; want it killed", a, out, code)
		}
	}
}
