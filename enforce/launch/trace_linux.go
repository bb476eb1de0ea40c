package launch

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// wait waits for a process to end or to stop, and goes on after an interruption.
// WALL makes it see a traced process, whoever's child it is.
func wait(pid int, usage *unix.Rusage) (unix.WaitStatus, error) {
	for {
		var status unix.WaitStatus
		_, err := unix.Wait4(pid, &status, unix.WALL, usage)
		if err == nil {
			return status, nil
		}
		if !errors.Is(err, unix.EINTR) {
			return 0, os.NewSyscallError("wait4", err)
		}
	}
}

// waitEnd waits for a process to end.
func waitEnd(pid int, usage *unix.Rusage) error {
	for {
		status, err := wait(pid, usage)
		if err != nil || ended(status) {
			return err
		}
	}
}

// ended reports whether a status is that of a process that is no more.
func ended(status unix.WaitStatus) bool { return status.Exited() || status.Signaled() }

// event returns the ptrace event of a stop; 0 if it is none.
func event(status unix.WaitStatus) int {
	if !status.Stopped() || status.StopSignal() != syscall.SIGTRAP {
		return 0
	}
	return int(status) >> 16
}

// until waits for a running process to come to the event that is wanted, and
// passes signals on to it meanwhile. It returns the status if the process ends.
func until(pid, want int) (unix.WaitStatus, error) {
	for {
		status, err := wait(pid, nil)
		if errors.Is(err, unix.ECHILD) {
			err = errKilled
		}
		if err != nil || ended(status) || event(status) == want {
			return status, err
		}
		if err := run(pid, passed(status)); err != nil {
			return 0, err
		}
	}
}

// follow sets what is traced of a stopped process.
func follow(pid, options int) error {
	err := unix.PtraceSetOptions(pid, options)
	if errors.Is(err, unix.ESRCH) {
		return nil // it was killed, and wait tells
	}
	return os.NewSyscallError("ptrace", err)
}

// run lets a stopped process go on, with a signal or with 0.
func run(pid, sig int) error {
	err := unix.PtraceCont(pid, sig)
	if errors.Is(err, unix.ESRCH) {
		return nil // it was killed, and wait tells
	}
	return os.NewSyscallError("ptrace", err)
}

// passed is the signal that a stopped process is to get when it goes on. Nothing
// stops a process while the sandbox is being made.
func passed(status unix.WaitStatus) int {
	switch sig := status.StopSignal(); {
	case event(status) != 0, sig == unix.SIGTRAP,
		sig == unix.SIGSTOP, sig == unix.SIGTSTP, sig == unix.SIGTTIN, sig == unix.SIGTTOU:
		return 0
	default:
		return int(sig)
	}
}

// errKilled is the end of a process from outside while the sandbox was made.
var errKilled = errors.New("it was killed")

// child returns the process that a process at a fork event has made, as soon as
// it is stopped too, with a descriptor that names it for good (pidfd_open(2)).
func (t *tree) child(parent int) (process, error) {
	msg, err := unix.PtraceGetEventMsg(parent)
	if errors.Is(err, unix.ESRCH) {
		return process{}, errKilled
	}
	if err != nil {
		return process{}, os.NewSyscallError("ptrace", err)
	}
	t.strays.known(int(msg))
	p, err := open(int(msg))
	if errors.Is(err, unix.ESRCH) {
		return p, errKilled
	}
	if err != nil {
		return p, err
	}
	status, err := wait(p.pid, nil)
	if err == nil && ended(status) || errors.Is(err, unix.ECHILD) {
		err = errKilled
	}
	return p, err
}

// process is a process that cannot be mistaken for a later one of its number.
type process struct{ pid, fd int }

func open(pid int) (process, error) {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return process{pid: pid, fd: -1}, os.NewSyscallError("pidfd_open", err)
	}
	return process{pid, fd}, nil
}

// known reports whether p is a process at all.
func (p process) known() bool { return p.pid > 0 }

func (p process) close() {
	if p.known() && p.fd >= 0 {
		_ = unix.Close(p.fd)
	}
}

// signal does nothing if the process is gone.
func (p process) signal(sig unix.Signal) {
	if p.known() && p.fd >= 0 {
		_ = unix.PidfdSendSignal(p.fd, sig, nil, 0)
	}
}

// signalGroup signals the process group that p leads. PIDFD_SIGNAL_PROCESS_GROUP
// is of Linux 6.9.
func (p process) signalGroup(sig unix.Signal) {
	if !p.known() || p.fd < 0 {
		return
	}
	err := unix.PidfdSendSignal(p.fd, sig, nil, unix.PIDFD_SIGNAL_PROCESS_GROUP)
	if errors.Is(err, unix.EINVAL) && p.alive() {
		_ = unix.Kill(-p.pid, sig)
	}
}

// alive reports whether the process is still there and no zombie.
func (p process) alive() bool {
	n, err := unix.Poll([]unix.PollFd{{Fd: int32(p.fd), Events: unix.POLLIN}}, 0)
	return err == nil && n == 0
}

// exit returns the wait status of a process that is not our child, after its
// end. The kernel tells it since Linux 6.15.
func (p process) exit() (unix.WaitStatus, bool) {
	info := &unix.PidfdInfo{Mask: unix.PIDFD_INFO_EXIT}
	if err := unix.IoctlPidfdInfo(p.fd, info); err != nil || info.Mask&unix.PIDFD_INFO_EXIT == 0 {
		return 0, false
	}
	return unix.WaitStatus(info.Exit_code), true
}
