package supervise_test

import (
	"fmt"
	"maps"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// TestSpecial holds what random programs cannot wait for: FIFOs that block,
// signals, descriptors that run out, sockets.
func TestSpecial(t *testing.T) {
	t.Parallel()
	asUsers(t, func(t *testing.T, uid int) {
		for _, tt := range []struct{ name, want string }{
			{"fifo", "waited, through"},
			{"fifo-nonblock", "ENXIO"},
			{"signal", "EINTR after the alarm"},
			{"many", "EMFILE"},
			{"storm", "2000 files"},
		} {
			t.Run(tt.name, func(t *testing.T) {
				t.Parallel()
				for _, supervised := range []bool{false, true} {
					dir := workDir(t, uid)
					j := probing(dir, "special", tt.name)
					j.Supervised, j.Closed, j.Wall = supervised, []string{".env"}, 30*time.Second
					if text, res := run(t, uid, j); strings.TrimSpace(text) != tt.want || res.Code != 0 {
						t.Errorf("supervised: %t: status %d: %q, want %q", supervised, res.Code, text, tt.want)
					}
				}
			})
		}
	})
}

// TestSockets: a socket gets a name where the policy permits it, and other
// addresses as ever.
func TestSockets(t *testing.T) {
	t.Parallel()
	asUsers(t, func(t *testing.T, uid int) {
		for _, supervised := range []bool{false, true} {
			dir := workDir(t, uid)
			j := probing(dir, "special", "sockets")
			j.Supervised, j.Closed, j.Sockets = supervised, []string{".env"}, true
			text, res := run(t, uid, j)
			want := "a.sock said hello\n127.0.0.1 bound\nport 80 EACCES\na.sock EADDRINUSE\nd/gone/x ENOENT\n"
			closed := ".env bound\n"
			if supervised {
				closed = ".env EACCES\n"
			}
			if text != want+closed {
				t.Errorf("supervised: %t: %s", supervised, text)
			}
			_, err := os.Lstat(filepath.Join(dir, ".env"))
			if made := err == nil; made == supervised {
				t.Errorf("supervised: %t, made: %t", supervised, made)
			}
			if supervised && (len(res.Records) != 1 || res.Records[0].Call != "bind" || res.Records[0].Path != filepath.Join(dir, ".env")) {
				t.Errorf("%+v", res.Records)
			}
		}
	})
}

// TestSubvolumes: a request that would make a directory on some file systems does
// not reach them.
func TestSubvolumes(t *testing.T) {
	t.Parallel()
	asUsers(t, func(t *testing.T, uid int) {
		for supervised, want := range map[bool]string{false: "ENOTTY ENOTTY", true: "EPERM ENOTTY"} {
			j := probing(workDir(t, uid), "special", "subvolumes")
			j.Supervised, j.Closed = supervised, []string{".env"}
			if text, _ := run(t, uid, j); strings.TrimSpace(text) != want {
				t.Errorf("supervised: %t: %s, want %s", supervised, text, want)
			}
		}
	})
}

// special does one of the above.
func special(what string) int {
	switch what {
	case "fifo":
		fmt.Println(throughFIFO())
	case "fifo-nonblock":
		_ = unix.Mkfifo("p", 0o600)
		_, err := unix.Open("p", unix.O_CREAT|unix.O_WRONLY|unix.O_NONBLOCK, 0o600)
		fmt.Println(name(err))
	case "signal":
		fmt.Println(interrupted())
	case "many":
		fmt.Println(tooMany())
	case "storm":
		fmt.Println(storm(), "files")
	case "subvolumes":
		fd, err := unix.Open(".", unix.O_RDONLY|unix.O_DIRECTORY, 0)
		if err != nil {
			fmt.Println(err)
			return 1
		}
		buf := make([]byte, 4104)
		all := map[string]bool{}
		for _, r := range []uintptr{0x50009401, 0x5000940e, 0x5000940f, 0x50009417, 0x50009418, 0x5000943f, 0x4020bc10, 0x4020bc11} {
			_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), r, uintptr(unsafe.Pointer(&buf[0]))) //nolint:gosec // G103: the call takes an address
			all[name(errno)] = true
		}
		_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), 0x5000940d, uintptr(unsafe.Pointer(&buf[0]))) //nolint:gosec // G103: as above
		fmt.Println(strings.Join(slices.Sorted(maps.Keys(all)), ","), name(errno))
	case "sockets":
		bindAll()
	}
	return 0
}

func name(err error) string {
	if errno, ok := err.(unix.Errno); ok { //nolint:errorlint // it is a bare one
		return unix.ErrnoName(errno)
	}
	return fmt.Sprint(err)
}

// throughFIFO opens a FIFO to write, which waits for a reader.
func throughFIFO() string {
	_ = unix.Mkfifo("p", 0o600)
	opened := make(chan int, 1)
	go func() {
		fd, err := unix.Open("p", unix.O_CREAT|unix.O_WRONLY, 0o600)
		if err != nil {
			fd = -1
		}
		opened <- fd
	}()
	select {
	case <-opened:
		return "it did not wait"
	case <-time.After(200 * time.Millisecond):
	}
	r, err := unix.Open("p", unix.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return name(err)
	}
	fd := <-opened
	if flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0); err != nil || flags&unix.O_NONBLOCK != 0 {
		return "it does not block"
	}
	_, _ = unix.Write(fd, []byte("through"))
	buf := make([]byte, 16)
	n, _ := unix.Read(r, buf)
	return "waited, " + string(buf[:n])
}

// interrupted waits for a FIFO until a signal comes that is caught without
// SA_RESTART: siginterrupt(3) has no equal in Go, so that perl does it.
func interrupted() string {
	_ = unix.Mkfifo("p", 0o600)
	cmd := again()
	cmd.Path, cmd.Args = "/usr/bin/perl", []string{
		"perl", "-e",
		`use POSIX; use Fcntl; sigaction(SIGALRM, POSIX::SigAction->new(sub { $late = 1 })); alarm 1; sysopen(F, "p", O_CREAT|O_WRONLY) or print $!{EINTR} && $late ? "EINTR after the alarm" : "$!"`,
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		return err.Error()
	}
	return string(out)
}

// tooMany opens files until no descriptor is left.
func tooMany() string {
	limit := unix.Rlimit{Cur: 64, Max: 64}
	_ = unix.Setrlimit(unix.RLIMIT_NOFILE, &limit)
	for i := range 100 {
		if _, err := unix.Open(fmt.Sprint("f", i), unix.O_CREAT|unix.O_WRONLY, 0o600); err != nil {
			return name(err)
		}
	}
	return "no end"
}

// storm makes files while signals come all the time. Each is made once: a call
// that was begun again would find its own file.
func storm() int {
	alarms := make(chan os.Signal, 1)
	signal.Notify(alarms, unix.SIGALRM)
	_, _ = unix.Setitimer(unix.ITIMER_REAL, unix.Itimerval{Interval: unix.Timeval{Usec: 200}, Value: unix.Timeval{Usec: 200}})
	n := 0
	for i := range 2000 {
		fd, err := unix.Open(fmt.Sprint("f", i), unix.O_CREAT|unix.O_EXCL|unix.O_WRONLY, 0o600)
		if err != nil {
			fmt.Println(i, name(err))
			return n
		}
		if fd < 3 {
			fmt.Println(i, "descriptor", fd)
		}
		_ = unix.Close(fd)
		n++
	}
	return n
}

// bindAll gives sockets names.
func bindAll() {
	server, err := net.Listen("unix", "a.sock")
	if err != nil {
		fmt.Println(err)
		return
	}
	go func() {
		if c, err := server.Accept(); err == nil {
			_, _ = c.Write([]byte("hello"))
			_ = c.Close()
		}
	}()
	c, err := net.Dial("unix", "a.sock")
	if err != nil {
		fmt.Println(err)
		return
	}
	buf := make([]byte, 16)
	n, _ := c.Read(buf)
	fmt.Println("a.sock said", string(buf[:n]))
	for _, a := range []struct {
		name string
		addr unix.Sockaddr
	}{
		{"127.0.0.1", &unix.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}},
		{"port 80", &unix.SockaddrInet4{Port: 80, Addr: [4]byte{127, 0, 0, 1}}},
		{"a.sock", &unix.SockaddrUnix{Name: "a.sock"}},
		{"d/gone/x", &unix.SockaddrUnix{Name: "d/gone/x"}},
		{".env", &unix.SockaddrUnix{Name: ".env"}},
	} {
		family := unix.AF_INET
		if _, path := a.addr.(*unix.SockaddrUnix); path {
			family = unix.AF_UNIX
		}
		fd, err := unix.Socket(family, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		if err == nil {
			err = unix.Bind(fd, a.addr)
		}
		if err != nil {
			fmt.Println(a.name, name(err))
		} else {
			fmt.Println(a.name, "bound")
		}
	}
}
