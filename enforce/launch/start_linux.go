package launch

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sandboxc/sbc/enforce/cover"
	"github.com/sandboxc/sbc/enforce/limits"
	"github.com/sandboxc/sbc/enforce/supervise"
)

// tree is a sandbox and its three processes.
type tree struct {
	spec     *Spec
	bwrap    process
	init     process
	command  process
	terminal *terminal
	control  *control
	report   *report       // with Spec.Attach
	helper   *cover.Helper // with Spec.Cover
	names    *supervise.Supervisor
	strays   strays
	dry      bool // stop before the command's program runs

	status  unix.WaitStatus // of bwrap, once reaped is set
	reaped  bool
	began   time.Time
	elapsed time.Duration
	usage   unix.Rusage   // of what was waited for
	setup   time.Duration // the processor time of making the sandbox
}

// errDry ends a start that was only to show what bubblewrap says.
var errDry = errors.New("the command is not to run")

// start makes the sandbox and lets the command's program be loaded. The caller
// must be locked to its thread until the end of the tree: the thread is what
// traces, and whose death bubblewrap follows.
//
// INVARIANT: at every moment each process of the tree is traced with
// PTRACE_O_EXITKILL, or has a death signal set for a parent that is alive, or
// ends by itself without the others.
func (t *tree) start() error {
	in, err := t.spec.inputs()
	if err != nil {
		return err
	}
	defer in.close()
	if t.spec.Attach {
		if t.report, err = newReport(); err != nil {
			return err
		}
		in.files = append(in.files, t.report.w.Fd())
	}
	if err := t.prepareHelper(in); err != nil {
		return err
	}
	if err := closeInherited(); err != nil {
		return err
	}
	// What the death of bwrap leaves behind comes to this process to be waited
	// for, and not to an init that may not care.
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return os.NewSyscallError("prctl", err)
	}
	t.strays.watch()
	defer t.strays.done()
	if err := t.fork(in); err != nil {
		return err
	}
	// Until here a signal ends this process, and bubblewrap with it.
	t.control = newControl(t)
	if err := t.setUp(); err != nil {
		return t.nested(err)
	}
	if err := t.hold(); err != nil {
		return err
	}
	if t.spec.Attach && t.spec.Held != nil {
		return t.handOver()
	}
	return t.release()
}

// fork starts bubblewrap, traced from its first instruction on.
func (t *tree) fork(in *inputs) error {
	pid, err := t.execute(in)
	runtime.KeepAlive(t.spec) // the descriptors close with their files
	if err != nil {
		return err
	}
	if t.bwrap, err = open(pid); err != nil {
		return err
	}
	t.strays.parent(t.bwrap)
	status, err := wait(pid, nil)
	if err != nil {
		return err
	}
	if t.helper != nil && !ended(status) {
		if status, err = t.passStage(); err != nil {
			return err
		}
	}
	if ended(status) {
		return t.failed(status)
	}
	const options = unix.PTRACE_O_EXITKILL | unix.PTRACE_O_TRACEFORK | unix.PTRACE_O_TRACECLONE | unix.PTRACE_O_TRACEVFORK
	if err := follow(pid, options); err != nil {
		return &TraceError{err}
	}
	if err := t.terminal.give(pid); err != nil {
		return err
	}
	return run(pid, 0)
}

// execute starts bubblewrap, or the stage that becomes it.
func (t *tree) execute(in *inputs) (int, error) {
	s := t.spec
	attr := &syscall.ProcAttr{
		Dir:   "/",
		Env:   s.Env,
		Files: in.files,
		Sys:   &syscall.SysProcAttr{Ptrace: true, Pdeathsig: syscall.SIGKILL, Setpgid: true},
	}
	if t.helper != nil {
		return t.helper.Start(len(in.files)-2, attr)
	}
	//nolint:gosec // G204: to start what the caller asks for is what this package is for
	pid, err := syscall.ForkExec(s.Bwrap, s.argv(), attr)
	switch {
	case errors.Is(err, unix.EPERM):
		return 0, &TraceError{err}
	case err != nil:
		return 0, fmt.Errorf("start %s: %w", s.Bwrap, err)
	}
	return pid, nil
}

// setUp lets the sandbox be made: bwrap makes init, and init, when everything is
// mounted, makes the command.
func (t *tree) setUp() error {
	status, err := until(t.bwrap.pid, unix.PTRACE_EVENT_FORK)
	if err != nil {
		return err
	}
	if ended(status) {
		return t.failed(status)
	}
	if t.init, err = t.child(t.bwrap.pid); err != nil {
		return fmt.Errorf("trace the sandbox's init: %w", err)
	}
	if err := t.letGo(); err != nil {
		return err
	}
	if err := run(t.init.pid, 0); err != nil {
		return err
	}
	status, err = until(t.init.pid, unix.PTRACE_EVENT_FORK)
	if err != nil {
		return err
	}
	if ended(status) {
		return t.failed(0)
	}
	if t.command, err = t.child(t.init.pid); err != nil {
		return fmt.Errorf("trace the command: %w", err)
	}
	if t.spec.Supervise != nil {
		if err := supervise.Confine(t.init.pid, *t.spec.Supervise); err != nil {
			return &HoldError{"confine the sandbox's first process", err}
		}
	}
	// Should this process end before init has asked for its death signal, then
	// the command dies, since it is traced, and init ends for want of children.
	return detach(t.init.pid)
}

// letGo ends the tracing of bwrap, which has had its death signal since it was
// made. With a terminal it goes on, and only children are no longer followed.
func (t *tree) letGo() error {
	if t.terminal == nil {
		return detach(t.bwrap.pid)
	}
	if err := follow(t.bwrap.pid, unix.PTRACE_O_EXITKILL); err != nil {
		return err
	}
	return run(t.bwrap.pid, 0)
}

// detach ends the tracing of a stopped process, which goes on then.
func detach(pid int) error {
	err := unix.PtraceDetach(pid)
	if errors.Is(err, unix.ESRCH) {
		return errKilled
	}
	return os.NewSyscallError("ptrace", err)
}

// hold does everything that must be done to the command before it runs.
func (t *tree) hold() error {
	if t.helper != nil {
		if err := t.helper.Cover(t.command.pid); err != nil {
			return err
		}
	}
	if g := t.spec.Group; g != nil {
		if err := g.Enter(t.command.pid); err != nil {
			return &HoldError{"put the command into its control group", err}
		}
	}
	if err := limits.Apply(t.command.pid, t.spec.Limits); err != nil {
		return &HoldError{"set the limits", err}
	}
	if t.spec.Supervise != nil {
		var err error
		if t.names, err = supervise.Install(t.command.pid, *t.spec.Supervise); err != nil {
			return &HoldError{"supervise the command", err}
		}
	}
	if t.spec.Held != nil && !t.spec.Attach {
		if err := t.spec.Held(t.command.pid); err != nil {
			return &HoldError{"prepare the command", err}
		}
	}
	return nil
}

// release lets the command go on until its program is loaded, and then for good.
func (t *tree) release() error {
	pid := t.command.pid
	if err := follow(pid, unix.PTRACE_O_EXITKILL|unix.PTRACE_O_TRACEEXEC); err != nil {
		return err
	}
	if err := run(pid, 0); err != nil {
		return err
	}
	status, err := until(pid, unix.PTRACE_EVENT_EXEC)
	if err != nil {
		return err
	}
	if ended(status) {
		return t.failed(0)
	}
	if t.dry {
		return errDry
	}
	if err := t.settled(); err != nil {
		return err
	}
	t.begin()
	return detach(pid)
}

// settled waits until init waits for its children, or is gone: it asked for its
// death signal before.
func (t *tree) settled() error {
	for range 10_000 {
		if s, _, err := stat(t.init.pid); err != nil || s == 'S' || s == 'Z' {
			return nil //nolint:nilerr // it was killed, and the command with it
		}
		time.Sleep(50 * time.Microsecond)
	}
	return errors.New("the sandbox's init does not come to rest")
}

// failed is the error for a sandbox that ended before the command's program was
// loaded, whatever it was that ended.
func (t *tree) failed(status unix.WaitStatus) error {
	if status == 0 {
		t.end()
		status = t.status
	}
	code := status.ExitStatus()
	if status.Signaled() {
		code = 128 + int(status.Signal())
	}
	failed := &BwrapError{Code: code}
	if code > 128 { // its own errors are 1
		failed.Text = errKilled.Error()
	}
	return failed
}
