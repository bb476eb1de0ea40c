package cover

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// onMainThread calls f on the thread that the process was started with, and whose
// tracer and death signal bubblewrap is to have. The main goroutine is most likely
// there. Otherwise threads are held until that one is all that is left to take a
// goroutine: an idle one takes one that was just started, one that waits for the
// clock takes one that a timer starts.
func onMainThread(f func() error) error {
	runtime.LockOSThread()
	if unix.Gettid() == unix.Getpid() {
		return f()
	}
	const most = 300
	result := make(chan error)
	try := func() {
		runtime.LockOSThread() // for good
		if unix.Gettid() == unix.Getpid() {
			result <- f()
		}
		select {}
	}
	for range most {
		go try()
		time.AfterFunc(time.Millisecond, try)
		select {
		case err := <-result:
			return err
		case <-time.After(2 * time.Millisecond):
		}
	}
	return errors.New("the main thread is busy")
}

// stage starts the helper and becomes bubblewrap. It returns only if it cannot.
func stage(o *order, fd, socket int) error {
	pid, err := startHelper(fd, socket)
	if err != nil {
		return fmt.Errorf("start a helper: %w", err)
	}
	if err := send(socket, started+"\x00"+strconv.Itoa(pid), nil); err != nil {
		return err
	}
	if err := drop(); err != nil {
		return fmt.Errorf("give up capabilities: %w", err)
	}
	//nolint:gosec // G204: to become what the launcher names is what the stage is for
	return fmt.Errorf("start %s: %w", o.Bwrap, syscall.Exec(o.Bwrap, o.Argv, o.Env))
}

// startHelper starts the helper as a child of this process's own parent, in a
// namespace of mounts in which it may make some, and in a process group that no
// terminal signals. It inherits the stage's capabilities, and none of the
// descriptors that are the command's.
func startHelper(fd, socket int) (int, error) {
	order := uintptr(fd) // stands for the standard streams too: nobody can write to it
	//nolint:gosec // G204: it is this program
	return syscall.ForkExec(self, []string{name, asHelper, "3"}, &syscall.ProcAttr{
		Dir:   "/",
		Env:   []string{},
		Files: []uintptr{order, order, order, order, uintptr(socket)},
		Sys:   &syscall.SysProcAttr{Cloneflags: unix.CLONE_PARENT | unix.CLONE_NEWNS, Setpgid: true},
	})
}

// drop gives up every capability, for bubblewrap too: it refuses to run with one
// that it does not expect. Root gets all those of the bounding set back when it
// executes a program (capabilities(7)); it keeps CAP_SETFCAP, without which nobody
// may map root into another user namespace (user_namespaces(7), Linux 5.12).
func drop() error {
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return os.NewSyscallError("prctl", err)
	}
	for c := uintptr(0); ; c++ {
		// The kernel may know more of them than this program.
		if has, err := unix.PrctlRetInt(unix.PR_CAPBSET_READ, c, 0, 0, 0); err != nil || has < 0 {
			break
		}
		if c == unix.CAP_SETFCAP && os.Getuid() == 0 {
			continue
		}
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); err != nil {
			return os.NewSyscallError("prctl", err)
		}
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	return os.NewSyscallError("capset", unix.Capset(&header, &none[0]))
}
