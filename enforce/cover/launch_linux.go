package cover

import (
	"errors"
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// Helper is the launcher's side. The zero value is one that was not started.
type Helper struct {
	socket, theirs int
	pid            int
}

// New makes the socket. The descriptor of the other side is to be the one after
// the order's, in the stage.
func New() (h *Helper, theirs int, err error) {
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, -1, os.NewSyscallError("socketpair", err)
	}
	return &Helper{socket: pair[0], theirs: pair[1]}, pair[1], nil
}

// Start starts the stage, which finds its order at a descriptor. Attr says what
// bubblewrap gets; it is the same user and group in a new user namespace, in which
// it has what the helper needs.
func (h *Helper) Start(fd int, attr *syscall.ProcAttr) (int, error) {
	sys := *attr.Sys
	sys.Cloneflags = unix.CLONE_NEWUSER
	sys.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Geteuid(), HostID: os.Geteuid(), Size: 1}}
	sys.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getegid(), HostID: os.Getegid(), Size: 1}}
	sys.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_SYS_CHROOT, unix.CAP_SETPCAP}
	//nolint:gosec // G204: it is this program
	pid, err := syscall.ForkExec(self, []string{name, asStage, strconv.Itoa(fd)}, &syscall.ProcAttr{
		Dir: attr.Dir, Env: []string{}, Files: attr.Files, Sys: &sys,
	})
	_ = unix.Close(h.theirs) // so that the end of the others is seen
	h.theirs = -1
	if err != nil {
		return 0, &RefusedError{"start a process in a user namespace: " + err.Error()}
	}
	return pid, nil
}

// Started is to be called when the stage is bubblewrap or has ended, and reports
// whether there is a helper.
func (h *Helper) Started() error {
	answer, _, err := receive(h.socket, unix.MSG_DONTWAIT)
	if err != nil && !errors.Is(err, unix.EAGAIN) {
		return err
	}
	pid, err := read(answer, started)
	if err != nil {
		return err
	}
	h.pid, err = strconv.Atoi(pid)
	return err
}

// Cover lets the helper work in the sandbox of a process, and waits for its end.
func (h *Helper) Cover(pid int) error {
	ns, err := unix.Open("/proc/"+strconv.Itoa(pid)+"/ns/mnt", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return &os.PathError{Op: "open the mounts of the sandbox", Path: strconv.Itoa(pid), Err: err}
	}
	defer func() { _ = unix.Close(ns) }() // nothing was written
	answer := ""
	if err := send(h.socket, "x", unix.UnixRights(ns)); err == nil { // else it has ended
		if answer, _, err = receive(h.socket, 0); err != nil {
			return err
		}
	}
	if _, err := read(answer, covered); err != nil {
		return err
	}
	h.Close()
	return nil
}

// Close ends the helper, if it has not ended, and waits for it.
func (h *Helper) Close() {
	if h == nil {
		return
	}
	for _, fd := range []int{h.socket, h.theirs} {
		if fd >= 0 {
			_ = unix.Close(fd)
		}
	}
	h.socket, h.theirs = -1, -1
	if h.pid > 0 {
		_ = unix.Kill(h.pid, unix.SIGKILL) // nobody else can have its number
		for {
			if _, err := unix.Wait4(h.pid, nil, 0, nil); !errors.Is(err, unix.EINTR) {
				break
			}
		}
		h.pid = 0
	}
}
