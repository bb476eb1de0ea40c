// Command probe does what its arguments say, one after the other, and prints
// "ok" or the error's name for each.
package main

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

func main() {
	for _, arg := range os.Args[1:] {
		op, rest, _ := strings.Cut(arg, " ")
		err := do(op, strings.Split(rest, " "))
		var e syscall.Errno
		switch {
		case err == nil:
			fmt.Println("ok")
		case errors.As(err, &e):
			fmt.Println(unix.ErrnoName(e))
		default:
			fmt.Println(err)
		}
	}
}

func do(op string, a []string) error {
	arg := func(i int) string {
		if i < len(a) {
			return a[i]
		}
		return ""
	}
	switch op {
	case "read":
		return open(arg(0), unix.O_RDONLY)
	case "write":
		return open(arg(0), unix.O_WRONLY)
	case "create":
		return open(arg(0), unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL)
	case "nofollow":
		return open(arg(0), unix.O_RDONLY|unix.O_NOFOLLOW)
	case "openat":
		d, err := unix.Open(arg(0), unix.O_RDONLY|unix.O_DIRECTORY, 0)
		if err != nil {
			return err
		}
		_, err = unix.Openat(d, arg(1), unix.O_RDONLY, 0)
		return err
	case "openat2":
		_, err := unix.Openat2(unix.AT_FDCWD, arg(0), &unix.OpenHow{Flags: unix.O_WRONLY})
		return err
	case "chdir":
		return unix.Chdir(arg(0))
	case "stat":
		return unix.Stat(arg(0), &unix.Stat_t{})
	case "access":
		return unix.Access(arg(0), unix.W_OK)
	case "exec":
		return unix.Exec(arg(0), []string{arg(0)}, nil)
	case "mkdir":
		return unix.Mkdir(arg(0), 0o755)
	case "rmdir":
		return unix.Rmdir(arg(0))
	case "unlink":
		return unix.Unlink(arg(0))
	case "rename":
		return unix.Rename(arg(0), arg(1))
	case "link":
		return unix.Link(arg(0), arg(1))
	case "symlink":
		return unix.Symlink(arg(0), arg(1))
	case "mknod":
		return unix.Mknod(arg(0), unix.S_IFIFO|0o600, 0)
	case "chmod":
		return unix.Chmod(arg(0), 0o600)
	case "chown":
		return unix.Lchown(arg(0), 1, 1)
	case "truncate":
		return unix.Truncate(arg(0), 0)
	case "utimes":
		return unix.UtimesNanoAt(unix.AT_FDCWD, arg(0), make([]unix.Timespec, 2), 0)
	case "setxattr":
		return unix.Setxattr(arg(0), "user.x", []byte("x"), 0)
	}
	return special(op, arg)
}

func open(name string, flags int) error {
	fd, err := unix.Open(name, flags, 0o644)
	if err == nil {
		unix.Close(fd)
	}
	return err
}

func special(op string, arg func(int) string) error {
	n, _ := strconv.Atoi(arg(0))
	switch op {
	case "connect", "sendto", "sendmsg":
		return reach(op, arg(0))
	case "connectunix":
		fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		if err != nil {
			return err
		}
		return unix.Connect(fd, &unix.SockaddrUnix{Name: arg(0)})
	case "bindunix":
		fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
		if err != nil {
			return err
		}
		return unix.Bind(fd, &unix.SockaddrUnix{Name: arg(0)})
	case "socket": // of the family
		_, err := unix.Socket(n, unix.SOCK_STREAM, 0)
		return err
	case "badpointer":
		_, _, e := unix.RawSyscall(unix.SYS_OPENAT, uintptr(0xffffffffffffff9c), 8, 0)
		return e
	case "edge": // a path that ends with the last byte of a page before one that is not there
		return edge(arg(0))
	case "threads": // each of n threads reads a path of its own beneath
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() {
				runtime.LockOSThread() // ends with the goroutine
				for range 5 {
					_ = open(fmt.Sprintf("%s/t%d", arg(1), i), unix.O_RDONLY)
				}
			})
		}
		wg.Wait()
		return nil
	case "threadexec": // a thread that is not the first executes this program again
		done := make(chan error)
		go func() {
			for runtime.LockOSThread(); unix.Gettid() == unix.Getpid(); {
				go func() { select {} }()
				runtime.UnlockOSThread()
				time.Sleep(time.Millisecond)
				runtime.LockOSThread()
			}
			done <- unix.Exec("/proc/self/exe", []string{"probe", "read " + arg(0)}, nil)
		}()
		return <-done
	case "children": // n children, by vfork, each reads the path
		for range n {
			if out, err := exec.Command(os.Args[0], "read "+arg(1)).Output(); err != nil || string(out) != arg(2)+"\n" {
				return fmt.Errorf("%q, %v", out, err)
			}
		}
		return nil
	case "die": // n children that open in a loop are killed at once
		var wg sync.WaitGroup
		for range n {
			wg.Go(func() {
				c := exec.Command(os.Args[0], "forever "+arg(1))
				if c.Start() == nil {
					time.Sleep(time.Duration(n) * time.Millisecond / 4)
					c.Process.Kill()
					c.Wait()
				}
			})
		}
		wg.Wait()
		return nil
	case "forever":
		for {
			_ = open(arg(0), unix.O_RDONLY)
		}
	case "sleep":
		time.Sleep(time.Hour)
		return nil
	case "signals":
		return signals(n)
	case "jobcontrol":
		return jobControl(arg(0))
	}
	return fmt.Errorf("no such operation: %s", op)
}

func reach(op, addr string) error {
	to, err := netip.ParseAddrPort(addr)
	if err != nil {
		return err
	}
	family, sa := unix.AF_INET, unix.Sockaddr(&unix.SockaddrInet4{Port: int(to.Port()), Addr: [4]byte(to.Addr().AsSlice())})
	if to.Addr().Is6() {
		family, sa = unix.AF_INET6, &unix.SockaddrInet6{Port: int(to.Port()), Addr: to.Addr().As16()}
	}
	kind := unix.SOCK_DGRAM
	if op == "connect" {
		kind = unix.SOCK_STREAM
	}
	fd, err := unix.Socket(family, kind, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	switch op {
	case "sendto":
		return unix.Sendto(fd, []byte("x"), 0, sa)
	case "sendmsg":
		_, err := unix.SendmsgN(fd, []byte("x"), nil, sa, 0)
		return err
	}
	return unix.Connect(fd, sa)
}

func edge(name string) error {
	page := os.Getpagesize()
	m, err := unix.Mmap(-1, 0, 2*page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return err
	}
	if err := unix.Mprotect(m[page:], unix.PROT_NONE); err != nil {
		return err
	}
	at := page - len(name) - 1
	copy(m[at:], name)
	_, _, e := unix.RawSyscall(unix.SYS_OPENAT, uintptr(0xffffffffffffff9c), uintptr(unsafe.Pointer(&m[at])), 0)
	if e != 0 {
		return e
	}
	return nil
}

// signals counts n signals with values that it sends itself, one by one.
func signals(n int) error {
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, unix.SIGUSR1, unix.SIGTRAP, unix.SIGCHLD)
	for i := range n {
		want := []unix.Signal{unix.SIGUSR1, unix.SIGTRAP, unix.SIGCHLD}[i%3]
		if err := unix.Kill(os.Getpid(), want); err != nil {
			return err
		}
		if got := <-ch; got != want {
			return fmt.Errorf("sent %v, got %v", want, got)
		}
	}
	return nil
}

// still checks that all threads of a process are stopped, and stay so. The last
// ones may be on their way when the process counts as stopped.
func still(pid int) error {
	stopped := func() bool {
		files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
		for _, file := range files {
			stat, _ := os.ReadFile(file)
			_, rest, _ := strings.Cut(string(stat), ") ") // the state follows the name, see proc(5)
			if !strings.HasPrefix(rest, "T") && !strings.HasPrefix(rest, "t") {
				return false
			}
		}
		return len(files) > 0
	}
	for range 60_000 {
		if stopped() {
			time.Sleep(60 * time.Millisecond)
			if !stopped() {
				return errors.New("it runs although it is stopped")
			}
			return nil
		}
		time.Sleep(time.Millisecond)
	}
	return errors.New("it does not stop within a minute")
}

// waitFor is wait4 that gives up some day, so that what goes wrong is said.
func waitFor(pid, options int) (ws unix.WaitStatus, err error) {
	for range 60_000 {
		if got, err := unix.Wait4(pid, &ws, options|unix.WNOHANG, nil); got == pid || err != nil {
			return ws, err
		}
		time.Sleep(time.Millisecond)
	}
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	return ws, fmt.Errorf("nothing happens within a minute:\n%s", stat)
}

// jobControl stops a child, sees it stopped, continues it, sees that too, and
// ends it.
func jobControl(path string) error {
	c := exec.Command(os.Args[0], "forever "+path)
	// In an orphaned process group, such as that of a script in the background,
	// SIGTSTP stops nobody (POSIX, "Orphaned Process Group").
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := c.Start(); err != nil {
		return err
	}
	defer c.Process.Kill() // it would keep the sandbox
	for range 3 {
		for _, step := range []struct {
			send    unix.Signal
			options int
			seen    func(unix.WaitStatus) bool
		}{
			{unix.SIGSTOP, unix.WUNTRACED, func(w unix.WaitStatus) bool { return w.Stopped() && w.StopSignal() == unix.SIGSTOP }},
			{unix.SIGCONT, unix.WCONTINUED, unix.WaitStatus.Continued},
			{unix.SIGTSTP, unix.WUNTRACED, func(w unix.WaitStatus) bool { return w.Stopped() && w.StopSignal() == unix.SIGTSTP }},
			{unix.SIGCONT, unix.WCONTINUED, unix.WaitStatus.Continued},
		} {
			if err := c.Process.Signal(step.send); err != nil {
				return err
			}
			ws, err := waitFor(c.Process.Pid, step.options)
			if err != nil {
				return fmt.Errorf("after %v: %w", step.send, err)
			}
			if !step.seen(ws) {
				return fmt.Errorf("after %v: status %#x", step.send, uint32(ws))
			}
			if ws.Stopped() {
				if err := still(c.Process.Pid); err != nil {
					return err
				}
			}
		}
	}
	c.Process.Kill()
	return nil
}
