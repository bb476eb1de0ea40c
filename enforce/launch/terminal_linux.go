package launch

import (
	"os"
	"runtime"
	"slices"

	"golang.org/x/sys/unix"
)

// terminal is the controlling terminal of this process while a command has it.
// All methods do nothing on nil.
//
// bwrap leads the command's process group, so it gets what the keys of the
// terminal send to the group, and would die of it. It stays traced, and what it
// is not to get is taken out on the way.
type terminal struct {
	fd    int
	group int // of this process
	given bool
	// stops gets a value when bwrap was to be stopped by the terminal.
	stops chan struct{}
}

func newTerminal(f *os.File) (*terminal, error) {
	t := &terminal{fd: int(f.Fd()), group: unix.Getpgrp(), stops: make(chan struct{}, 1)}
	if _, err := t.foreground(); err != nil {
		return nil, &os.PathError{Op: "use the terminal", Path: f.Name(), Err: err}
	}
	return t, nil
}

func (t *terminal) foreground() (int, error) {
	return unix.IoctlGetInt(t.fd, unix.TIOCGPGRP)
}

// give makes a process group the foreground group, if that of this process was.
func (t *terminal) give(group int) error {
	if t == nil {
		return nil
	}
	now, err := t.foreground()
	if err != nil || now != t.group {
		return err
	}
	if err := unix.IoctlSetPointerInt(t.fd, unix.TIOCSPGRP, group); err != nil {
		return os.NewSyscallError("ioctl TIOCSPGRP", err)
	}
	t.given = true
	return nil
}

// take makes the group of this process the foreground group again. A background
// process that does this gets SIGTTOU unless it blocks it (tcsetpgrp(3)).
func (t *terminal) take() {
	if t == nil || !t.given {
		return
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var block, old unix.Sigset_t
	block.Val[0] = 1 << (uint(unix.SIGTTOU) - 1)
	if err := unix.PthreadSigmask(unix.SIG_BLOCK, &block, &old); err != nil {
		return
	}
	_ = unix.IoctlSetPointerInt(t.fd, unix.TIOCSPGRP, t.group)
	_ = unix.PthreadSigmask(unix.SIG_SETMASK, &old, nil)
	t.given = false
}

// stopped lets bwrap go on after a signal, without it if the terminal sends such
// to whole groups.
func (t *terminal) stopped(bwrap process, status unix.WaitStatus) {
	sig := status.StopSignal()
	if slices.Contains([]unix.Signal{unix.SIGTSTP, unix.SIGTTIN, unix.SIGTTOU, unix.SIGSTOP}, sig) {
		select {
		case t.stops <- struct{}{}:
		default:
		}
		sig = 0
	}
	if slices.Contains(append(slices.Clone(forwarded), unix.SIGTRAP), os.Signal(sig)) {
		sig = 0
	}
	_ = unix.PtraceCont(bwrap.pid, int(sig))
}

// channel is stops; nil without a terminal.
func (t *terminal) channel() chan struct{} {
	if t == nil {
		return nil
	}
	return t.stops
}
