package trace

import (
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// options make the kernel report every new process and thread, exec, and the
// stops of the filter, mark stops of system calls, and kill the tree with the
// tracer (ptrace(2)).
const options = unix.PTRACE_O_TRACEFORK | unix.PTRACE_O_TRACEVFORK | unix.PTRACE_O_TRACECLONE | unix.PTRACE_O_TRACEEXEC |
	unix.PTRACE_O_TRACESECCOMP | unix.PTRACE_O_TRACESYSGOOD | unix.PTRACE_O_EXITKILL

// task is a traced thread.
type task struct {
	call *call // the traced call that it is in; nil if none
	args [6]uint64
}

// tracer is the state of the tracing thread.
type tracer struct {
	store   *Store
	missing func(path string) bool
	calls   map[uint64]*call // by number
	arch    uint32           // AUDIT_ARCH of the calls
	tasks   map[int]*task    // by thread number
	absent  map[string]bool  // missing paths that are not worth a record
	scratch [maxPath]byte

	first int          // the process that was seized
	ready chan<- error // told once it can be let go; nil afterwards
	err   error        // why the tracing broke off
}

// loop follows the tree until it has ended, or until all of it has been killed
// after an error.
func (t *tracer) loop() error {
	for {
		var ws unix.WaitStatus
		// Only what this thread traces, and no other child of this process.
		tid, err := unix.Wait4(-1, &ws, unix.WALL|unix.WNOTHREAD, nil)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.ECHILD):
			return t.err
		case err != nil:
			t.fail(fmt.Errorf("wait4: %w", err))
			return t.err
		}
		if ws.Exited() || ws.Signaled() {
			delete(t.tasks, tid)
			continue
		}
		if t.err != nil {
			t.kill(tid)
			continue
		}
		if err := t.stopped(tid, ws); err != nil && !errors.Is(err, unix.ESRCH) { // ESRCH: it has been killed meanwhile
			t.fail(err)
		}
	}
}

// fail kills the tree, which can do nothing without a tracer.
func (t *tracer) fail(err error) {
	if t.err == nil {
		t.err = err
	}
	for tid := range t.tasks {
		t.kill(tid)
	}
}

// kill kills the process of a thread, stopped or not.
func (t *tracer) kill(tid int) {
	_ = unix.Kill(tid, unix.SIGKILL)
	_ = ptrace(unix.PTRACE_CONT, tid, 0) // past the stop of an exec or exit, which SIGKILL does not end
}

// stopped handles one stop and lets the thread go on.
func (t *tracer) stopped(tid int, ws unix.WaitStatus) error {
	task := t.tasks[tid]
	if task == nil { // a new one, which may be seen before its parent's event
		task = t.begin(tid)
	}
	if tid == t.first && t.ready != nil { // whichever stop comes first: it takes the place of the interrupt's
		if err := t.probe(tid); err != nil {
			return err
		}
	}
	signal, event := int(ws>>8)&0xff, int(ws>>16)
	switch event {
	case unix.PTRACE_EVENT_SECCOMP:
		return t.enter(tid, task)
	case unix.PTRACE_EVENT_EXEC:
		// The thread that called exec has the number of the process now, and all
		// other threads are gone.
		if former, err := unix.PtraceGetEventMsg(tid); err == nil && int(former) != tid {
			delete(t.tasks, int(former))
		}
		task.call = nil
	case unix.PTRACE_EVENT_STOP:
		if unix.Signal(signal) != unix.SIGTRAP {
			// The process is stopped for its own parent. It stays so until SIGCONT.
			return ptrace(unix.PTRACE_LISTEN, tid, 0)
		}
	case 0:
		if signal == int(unix.SIGTRAP)|0x80 {
			t.leave(tid, task)
			break
		}
		return ptrace(unix.PTRACE_CONT, tid, uintptr(signal)) // deliver the signal
	}
	return ptrace(unix.PTRACE_CONT, tid, 0)
}

func (t *tracer) begin(tid int) *task {
	n := &task{}
	t.tasks[tid] = n
	return n
}

// probe checks that the kernel can say what the tracer will ask, then tells the
// caller that the process can be let go.
func (t *tracer) probe(tid int) error {
	if _, err := syscallInfo(tid); err != nil {
		if errors.Is(err, unix.ESRCH) {
			return err
		}
		return seizing(err)
	}
	t.ready <- nil
	t.ready = nil
	return nil
}

// enter is a stop of the filter: the call is remembered, and run up to its
// return.
func (t *tracer) enter(tid int, task *task) error {
	task.call = nil
	info, err := syscallInfo(tid)
	if err != nil {
		return err
	}
	if info.op == unix.PTRACE_SYSCALL_INFO_SECCOMP && info.arch == t.arch {
		task.call, task.args = t.calls[info.data[0]], [6]uint64(info.data[1:7])
	}
	if task.call == nil {
		return ptrace(unix.PTRACE_CONT, tid, 0)
	}
	return ptrace(unix.PTRACE_SYSCALL, tid, 0)
}

// leave is the return of a call.
func (t *tracer) leave(tid int, task *task) {
	c := task.call
	task.call = nil
	if c == nil {
		return
	}
	info, err := syscallInfo(tid)
	if err != nil || info.op != unix.PTRACE_SYSCALL_INFO_EXIT {
		return
	}
	if rval := int64(info.data[0]); rval < 0 && rval > -4096 {
		t.failed(tid, c, &task.args, unix.Errno(-rval))
	}
}

// syscallState is struct ptrace_syscall_info (ptrace(2), PTRACE_GET_SYSCALL_INFO). At
// a stop of the filter the data are the number and six arguments, at a return the
// result.
type syscallState struct {
	op   uint8
	_    [3]uint8
	arch uint32
	_    [2]uint64 // instruction and stack pointer
	data [8]uint64
}

func syscallInfo(tid int) (s syscallState, err error) {
	err = ptracePointer(unix.PTRACE_GET_SYSCALL_INFO, tid, unsafe.Sizeof(s), unsafe.Pointer(&s)) //nolint:gosec // G103: the kernel fills the structure in
	return s, err
}

// ptrace makes a request without a pointer. None of them blocks.
func ptrace(request, tid int, data uintptr) error {
	if _, _, e := unix.RawSyscall6(unix.SYS_PTRACE, uintptr(request), uintptr(tid), 0, data, 0, 0); e != 0 {
		return e
	}
	return nil
}

func ptracePointer(request, tid int, addr uintptr, data unsafe.Pointer) error {
	if _, _, e := unix.RawSyscall6(unix.SYS_PTRACE, uintptr(request), uintptr(tid), addr, uintptr(data), 0, 0); e != 0 {
		return e
	}
	return nil
}
