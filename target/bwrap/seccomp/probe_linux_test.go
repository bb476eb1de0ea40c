package seccomp_test

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// runProbe makes the call that the name stands for and prints "ok", the name of
// the error, or what the probe has to say.
func runProbe(name string) int {
	probe, ok := probes()[name]
	if !ok {
		fmt.Println("no such probe")
		return 1
	}
	runtime.LockOSThread()
	err := probe()
	switch errno := syscall.Errno(0); {
	case err == nil:
		fmt.Println("ok")
	case errors.As(err, &errno):
		fmt.Println(unix.ErrnoName(errno))
	default:
		fmt.Println(err)
	}
	return 0
}

// probes lists what can be tried. A probe returns the error of the call that
// its name says; whatever else goes wrong, it says in words.
func probes() map[string]func() error {
	p := map[string]func() error{
		"sleep":                   func() error { time.Sleep(time.Minute); return nil },
		"clone NEWUSER":           func() error { return start(syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWUSER}) },
		"unshare NEWUSER":         func() error { return start(syscall.SysProcAttr{Unshareflags: unix.CLONE_NEWUSER}) },
		"unshare NEWUTS":          func() error { return unix.Unshare(unix.CLONE_NEWUTS) },
		"fork and threads":        forkAndThreads,
		"clone3":                  clone3,
		"filtered":                filtered,
		"loopback":                loopback,
		"interfaces":              func() error { _, err := net.Interfaces(); return err },
		"inotify":                 func() error { _, err := unix.InotifyInit1(0); return err },
		"connect stream path":     func() error { return connectNew("stream") },
		"dgram pair to path":      func() error { return pairToPath(unix.SOCK_DGRAM) },
		"raw pair to path":        func() error { return pairToPath(unix.SOCK_RAW) },
		"stream pair works":       func() error { return pairWorks(unix.SOCK_STREAM) },
		"seqpacket pair works":    func() error { return pairWorks(unix.SOCK_SEQPACKET) },
		"pair passes descriptors": passDescriptor,
		"stream pair to path":     func() error { return stuckPair(unix.SOCK_STREAM, "stream") },
		"seqpacket pair to path":  func() error { return stuckPair(unix.SOCK_SEQPACKET, "seqpacket") },
	}
	for _, more := range []map[string]func() error{traceProbes(), mountProbes(), plainProbes(), foreignProbes()} {
		maps.Copy(p, more)
	}
	return p
}

// call makes a system call and returns its error.
func call(nr uintptr, args ...uintptr) error {
	var a [6]uintptr
	copy(a[:], args)
	if _, _, errno := unix.Syscall6(nr, a[0], a[1], a[2], a[3], a[4], a[5]); errno != 0 {
		return errno
	}
	return nil
}

// cstr returns the address of a string that ends in NUL.
func cstr(s string) uintptr {
	p, err := unix.BytePtrFromString(s)
	if err != nil {
		panic(err)
	}
	keep = append(keep, p)
	return uintptr(unsafe.Pointer(p))
}

// keep holds what addresses were taken of, for the life of the probe.
var keep []any

// addr returns the address of a value on the heap.
func addr[T any](v T) uintptr {
	p := &v
	keep = append(keep, p)
	return uintptr(unsafe.Pointer(p))
}

// traceProbes are about another process, a child that sleeps.
func traceProbes() map[string]func() error {
	word := uint64(7)
	iovec := func() uintptr { return addr(unix.Iovec{Base: (*byte)(unsafe.Pointer(&word)), Len: 8}) }
	self := uintptr(os.Getpid())
	return map[string]func() error{
		"ptrace": func() error {
			child := exec.Command("/proc/self/exe")
			child.Env = []string{probeVar + "=sleep"}
			if err := child.Start(); err != nil {
				return fmt.Errorf("child: %v", err)
			}
			defer child.Process.Kill()
			return call(unix.SYS_PTRACE, unix.PTRACE_SEIZE, uintptr(child.Process.Pid))
		},
		"process_vm_readv":  func() error { return call(unix.SYS_PROCESS_VM_READV, self, iovec(), 1, iovec(), 1, 0) },
		"process_vm_writev": func() error { return call(unix.SYS_PROCESS_VM_WRITEV, self, iovec(), 1, iovec(), 1, 0) },
		"kcmp":              func() error { return call(unix.SYS_KCMP, self, self, 1) }, // KCMP_VM
		"process_madvise": func() error {
			page, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
			if err != nil {
				return fmt.Errorf("mmap: %v", err)
			}
			fd, err := unix.PidfdOpen(int(self), 0)
			if err != nil {
				return fmt.Errorf("pidfd_open: %v", err)
			}
			return call(unix.SYS_PROCESS_MADVISE, uintptr(fd), addr(unix.Iovec{Base: &page[0], Len: 4096}), 1, unix.MADV_COLD)
		},
		"pidfd_getfd": func() error {
			fd, err := unix.PidfdOpen(int(self), 0)
			if err != nil {
				return fmt.Errorf("pidfd_open: %v", err)
			}
			return call(unix.SYS_PIDFD_GETFD, uintptr(fd), 1)
		},
	}
}

// mountProbes are about namespaces and mounts; they run with capabilities over
// the namespaces of the sandbox.
func mountProbes() map[string]func() error {
	here := ^uintptr(99) // AT_FDCWD
	const clone = unix.OPEN_TREE_CLONE
	return map[string]func() error{
		"setns": func() error {
			fd, err := unix.Open("/proc/self/ns/uts", unix.O_RDONLY, 0)
			if err != nil {
				return fmt.Errorf("open: %v", err)
			}
			return unix.Setns(fd, unix.CLONE_NEWUTS)
		},
		"mount":       func() error { return unix.Mount("none", "/tmp", "tmpfs", 0, "") },
		"umount2":     func() error { return call(unix.SYS_UMOUNT2, cstr("/tmp"), unix.MNT_DETACH) },
		"pivot_root":  func() error { return unix.PivotRoot("/tmp", "/tmp") },
		"chroot":      func() error { return unix.Chroot("/tmp") },
		"sethostname": func() error { return unix.Sethostname([]byte("other")) },
		"open_tree":   func() error { return call(unix.SYS_OPEN_TREE, here, cstr("/tmp"), clone) },
		"open_tree_attr": func() error {
			return call(unix.SYS_OPEN_TREE_ATTR, here, cstr("/tmp"), clone, addr(unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}), 32)
		},
		"move_mount": func() error {
			fd, _, errno := unix.Syscall(unix.SYS_OPEN_TREE, here, cstr("/dev"), clone)
			if errno != 0 { // refused as well; the argument does not matter then
				fd = ^uintptr(0)
			}
			return call(unix.SYS_MOVE_MOUNT, fd, cstr(""), here, cstr("/tmp"), unix.MOVE_MOUNT_F_EMPTY_PATH)
		},
		"mount_setattr": func() error {
			return call(unix.SYS_MOUNT_SETATTR, here, cstr("/tmp"), 0, addr(unix.MountAttr{Attr_set: unix.MOUNT_ATTR_NOEXEC}), 32)
		},
		"fsopen":   func() error { return call(unix.SYS_FSOPEN, cstr("tmpfs"), 0) },
		"fspick":   func() error { return call(unix.SYS_FSPICK, here, cstr("/tmp"), 0) },
		"fsconfig": func() error { return call(unix.SYS_FSCONFIG, ^uintptr(0), 99) },
		"fsmount":  func() error { return call(unix.SYS_FSMOUNT, ^uintptr(0), 0, 0) },
	}
}

// plainProbes are single calls.
func plainProbes() map[string]func() error {
	const high = 1 << 32
	bad := ^uintptr(0)
	return map[string]func() error{
		"io_uring_setup":    func() error { return call(unix.SYS_IO_URING_SETUP, 1, addr([128]byte{})) },
		"add_key":           func() error { return call(unix.SYS_ADD_KEY, cstr("user"), cstr("sbc"), cstr("x"), 1, ^uintptr(1)) }, // process keyring
		"request_key":       func() error { return call(unix.SYS_REQUEST_KEY, cstr("user"), cstr("sbc-missing"), 0, 0) },
		"keyctl":            func() error { return call(unix.SYS_KEYCTL, unix.KEYCTL_GET_KEYRING_ID, ^uintptr(1), 1) },
		"bpf":               func() error { return call(unix.SYS_BPF, 9999) },
		"perf_event_open":   func() error { return call(unix.SYS_PERF_EVENT_OPEN, addr([128]byte{}), 0, bad, bad, 1<<30) },
		"userfaultfd":       func() error { return call(unix.SYS_USERFAULTFD, 1) }, // UFFD_USER_MODE_ONLY
		"open_by_handle_at": func() error { return call(unix.SYS_OPEN_BY_HANDLE_AT, bad, 0, 0) },
		"fanotify_init":     func() error { return call(unix.SYS_FANOTIFY_INIT, unix.FAN_REPORT_FID, 0) },
		"quotactl":          func() error { return call(unix.SYS_QUOTACTL, 0xff<<8) },
		"quotactl_fd":       func() error { return call(unix.SYS_QUOTACTL_FD, bad, 0xff<<8) },

		"TIOCSTI":             func() error { return call(unix.SYS_IOCTL, 0, unix.TIOCSTI, cstr("x")) },
		"TIOCSTI high half":   func() error { return call(unix.SYS_IOCTL, 0, unix.TIOCSTI|high, cstr("x")) },
		"TIOCLINUX":           func() error { return call(unix.SYS_IOCTL, 0, 0x541c, cstr("\x03")) },
		"TIOCLINUX high half": func() error { return call(unix.SYS_IOCTL, 0, 0x541c|high, cstr("\x03")) },
		"TIOCSETD":            func() error { return call(unix.SYS_IOCTL, 0, unix.TIOCSETD, addr(int32(0))) },
		"TCGETS":              func() error { _, err := unix.IoctlGetTermios(0, unix.TCGETS); return err },

		"socket UNIX":             func() error { return call(unix.SYS_SOCKET, unix.AF_UNIX, unix.SOCK_STREAM) },
		"socket UNIX high half":   func() error { return call(unix.SYS_SOCKET, unix.AF_UNIX|high, unix.SOCK_STREAM) },
		"socket VSOCK":            func() error { return call(unix.SYS_SOCKET, unix.AF_VSOCK, unix.SOCK_STREAM) },
		"socket PACKET":           func() error { return call(unix.SYS_SOCKET, unix.AF_PACKET, unix.SOCK_RAW, 0x300) },
		"socket INET SOCK_PACKET": func() error { return call(unix.SYS_SOCKET, unix.AF_INET, unix.SOCK_PACKET, 0x300) },
		"socket INET":             func() error { return call(unix.SYS_SOCKET, unix.AF_INET, unix.SOCK_STREAM) },
		"socket INET6":            func() error { return call(unix.SYS_SOCKET, unix.AF_INET6, unix.SOCK_DGRAM) },
		"socket NETLINK route":    func() error { return call(unix.SYS_SOCKET, unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_ROUTE) },
		"socket NETLINK generic":  func() error { return call(unix.SYS_SOCKET, unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_GENERIC) },
		"socket NETLINK uevent": func() error {
			return call(unix.SYS_SOCKET, unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_KOBJECT_UEVENT)
		},
		"socketpair dgram": func() error { return call(unix.SYS_SOCKETPAIR, unix.AF_UNIX, unix.SOCK_DGRAM, 0, addr([2]int32{})) },
		"socketpair raw":   func() error { return call(unix.SYS_SOCKETPAIR, unix.AF_UNIX, unix.SOCK_RAW, 0, addr([2]int32{})) },
		"socketpair INET":  func() error { return call(unix.SYS_SOCKETPAIR, unix.AF_INET, unix.SOCK_STREAM, 0, addr([2]int32{})) },
	}
}

// start runs a child with attributes.
func start(attr syscall.SysProcAttr) error {
	cmd := exec.Command("/bin/true")
	cmd.SysProcAttr = &attr
	return cmd.Run()
}

func forkAndThreads() error {
	done := make(chan error)
	for range 8 {
		go func() {
			runtime.LockOSThread() // each on a thread of its own
			done <- exec.Command("/bin/true").Run()
		}()
	}
	var errs []error
	for range 8 {
		errs = append(errs, <-done)
	}
	return errors.Join(errs...)
}

// clone3 forks; the child ends at once.
func clone3() error {
	args := addr([11]uint64{4: uint64(unix.SIGCHLD)})
	pid, _, errno := unix.RawSyscall(unix.SYS_CLONE3, args, 88, 0)
	if errno != 0 {
		return errno
	}
	if pid == 0 {
		unix.RawSyscall(unix.SYS_EXIT_GROUP, 0, 0, 0)
	}
	_, err := unix.Wait4(int(pid), nil, 0, nil)
	return err
}

// filtered says whether the process is under a filter, as the kernel sees it.
func filtered() error {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return fmt.Errorf("status: %v", err)
	}
	if !strings.Contains(string(status), "Seccomp:\t2\n") {
		return unix.EINVAL
	}
	return nil
}

func loopback() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		return err
	}
	return c.Close()
}

// at returns the address of a socket that listens outside.
func at(name string) *unix.SockaddrUnix {
	return &unix.SockaddrUnix{Name: filepath.Join(os.Getenv("SOCKETS"), name)}
}

func connectNew(name string) error {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		return err
	}
	return unix.Connect(fd, at(name))
}

// pairToPath takes one end of a pair and connects it to a socket outside.
func pairToPath(typ int) error {
	fds, err := unix.Socketpair(unix.AF_UNIX, typ, 0)
	if err != nil {
		return err
	}
	if err := unix.Connect(fds[0], at("dgram")); err != nil {
		return err
	}
	_, err = unix.Write(fds[0], []byte("from inside"))
	return err
}

// stuckPair tries to connect an end of a pair to a socket outside: as it is,
// after asking for a disconnection, after both directions have been shut down,
// and after the other end is gone. It also tries to listen.
func stuckPair(typ int, name string) error {
	fds, err := unix.Socketpair(unix.AF_UNIX, typ, 0)
	if err != nil {
		return err
	}
	var said []string
	try := func() { said = append(said, errnoName(unix.Connect(fds[0], at(name)))) }
	try()
	if err := call(unix.SYS_CONNECT, uintptr(fds[0]), addr([16]byte{}), 16); !errors.Is(err, unix.EINVAL) { // AF_UNSPEC
		said = append(said, "disconnect: "+errnoName(err))
	}
	try()
	if err := unix.Shutdown(fds[0], unix.SHUT_RDWR); err != nil {
		return fmt.Errorf("shutdown: %v", err)
	}
	try()
	if err := unix.Close(fds[1]); err != nil {
		return fmt.Errorf("close: %v", err)
	}
	try()
	if err := unix.Listen(fds[0], 1); !errors.Is(err, unix.EINVAL) {
		said = append(said, "listen: "+errnoName(err))
	}
	return errors.New(strings.Join(said, " "))
}

func errnoName(err error) string {
	errno := syscall.Errno(0)
	if errors.As(err, &errno) {
		return unix.ErrnoName(errno)
	}
	return fmt.Sprint(err)
}

// pairWorks does what programs do with a pair.
func pairWorks(typ int) error {
	fds, err := unix.Socketpair(unix.AF_UNIX, typ|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return err
	}
	buf := make([]byte, 16)
	return errors.Join(
		unix.SetsockoptInt(fds[0], unix.SOL_SOCKET, unix.SO_SNDBUF, 1<<16),
		func() error { _, err := unix.GetsockoptInt(fds[0], unix.SOL_SOCKET, unix.SO_SNDBUF); return err }(),
		unix.Sendto(fds[0], []byte("one"), 0, nil),
		func() error { _, _, err := unix.Recvfrom(fds[1], buf, 0); return err }(),
		unix.Sendmsg(fds[1], []byte("two"), nil, nil, 0),
		func() error { _, _, _, _, err := unix.Recvmsg(fds[0], buf, nil, 0); return err }(),
		func() error { _, err := unix.Getpeername(fds[0]); return err }(),
		unix.Shutdown(fds[0], unix.SHUT_WR),
		func() error {
			if n, err := unix.Read(fds[1], buf); n != 0 || err != nil {
				return fmt.Errorf("after shutdown: %d bytes, %v", n, err)
			}
			return nil
		}(),
	)
}

// passDescriptor sends a descriptor through a pair and reads from it.
func passDescriptor() error {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		return err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("pipe: %v", err)
	}
	io.WriteString(w, "x")
	if err := unix.Sendmsg(fds[0], []byte("y"), unix.UnixRights(int(r.Fd())), nil, 0); err != nil {
		return err
	}
	buf, oob := make([]byte, 4), make([]byte, 64)
	_, n, _, _, err := unix.Recvmsg(fds[1], buf, oob, 0)
	if err != nil {
		return err
	}
	msgs, err := unix.ParseSocketControlMessage(oob[:n])
	if err != nil || len(msgs) != 1 {
		return fmt.Errorf("%d control messages, %v", len(msgs), err)
	}
	got, err := unix.ParseUnixRights(&msgs[0])
	if err != nil {
		return err
	}
	if n, err := unix.Read(got[0], buf); n != 1 || err != nil || buf[0] != 'x' {
		return fmt.Errorf("read %d bytes, %v", n, err)
	}
	return nil
}
