package trace

import (
	"errors"
	"fmt"
	"runtime"

	"golang.org/x/sys/unix"

	"github.com/sandboxc/sbc/target/bwrap/seccomp"
)

// Trace is the tracing of one process tree. Its methods are safe for concurrent
// use.
type Trace struct {
	store *Store
	done  chan struct{}
	err   error // of the tracing, once done is closed
}

// Attach begins to trace a process and all that it will start. The process is
// the child of bwrap, by the number that --json-status-fd gave ("child-pid"),
// held by --block-fd; what it does before it is let go has no effect on the
// trace. Attach returns when the process can be let go.
//
// An error means that nothing is traced, and that the process has been killed:
// under a filter with [seccomp.Options.Trace] it could not do anything. The
// caller must be the process's ancestor with the same user, or hold
// CAP_SYS_PTRACE (ptrace(2), "Ptrace access mode checking"), and not its parent:
// the end of a child of its own would be reported to the tracer alone. It needs
// Linux 5.3.
func Attach(childPid int, o Options) (*Trace, error) {
	arch, ok := seccomp.ArchOf(runtime.GOARCH)
	if !ok {
		return nil, fmt.Errorf("cannot trace on %s: its system calls are not known; run without a trace", runtime.GOARCH)
	}
	t := &Trace{store: NewStore(o.Max), done: make(chan struct{})}
	ready := make(chan error, 1)
	onThread(func(err error) {
		defer close(t.done)
		if err != nil {
			t.err = err
			ready <- err
			return
		}
		t.run(childPid, arch, o, ready)
	})
	if err := <-ready; err != nil {
		<-t.done
		return nil, fmt.Errorf("cannot trace process %d: %w", childPid, err)
	}
	return t, nil
}

// Wait returns when every process of the tree has ended. The error says why the
// tracing broke off; the tree has been killed then.
func (t *Trace) Wait() error {
	<-t.done
	return t.err
}

// Records returns what has been recorded so far: what was refused, then what was
// missing, each in the order of its first time.
func (t *Trace) Records() []Record { return t.store.Records() }

// Lost counts what no record tells of.
func (t *Trace) Lost() Lost { return t.store.Lost() }

// run is the tracing thread. Only the thread that seized a process may make
// requests about it (ptrace(2)), so the goroutine never leaves the thread.
func (t *Trace) run(pid int, arch seccomp.Arch, o Options, ready chan<- error) {
	tr := &tracer{
		store: t.store, missing: o.Missing, calls: map[uint64]*call{}, arch: arch.Audit().N,
		tasks: map[int]*task{}, absent: map[string]bool{}, first: pid, ready: ready,
	}
	all := calls()
	for i := range all {
		if nr, ok := seccomp.Number(arch, all[i].name); ok {
			tr.calls[uint64(nr)] = &all[i]
		}
	}
	if err := ptrace(unix.PTRACE_SEIZE, pid, options); err != nil {
		ready <- seizing(err)
		return
	}
	tr.tasks[pid] = &task{}
	if err := ptrace(unix.PTRACE_INTERRUPT, pid, 0); err != nil {
		tr.fail(err)
	}
	t.err = tr.loop()
	if tr.ready != nil {
		if t.err == nil {
			t.err = errors.New("it ended before it could be traced")
		}
		tr.ready <- t.err
	}
}

// seizing says what to do about a refused PTRACE_SEIZE.
func seizing(err error) error {
	switch {
	case errors.Is(err, unix.ESRCH):
		return fmt.Errorf("there is no such process: %w", err)
	case errors.Is(err, unix.EPERM):
		return fmt.Errorf("the kernel refuses it: %w; another tracer has the process, or kernel.yama.ptrace_scope is above 1, or this container forbids ptrace", err)
	case errors.Is(err, unix.EIO), errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOSYS):
		return fmt.Errorf("this kernel cannot: %w; a trace needs Linux 5.3 or newer", err)
	}
	return err
}
