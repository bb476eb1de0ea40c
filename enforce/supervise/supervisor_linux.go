package supervise

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/sandboxc/sbc/enforce/trace"
)

// Supervisor answers the calls of one sandbox. Its methods are safe for
// concurrent use.
type Supervisor struct {
	cfg      Config
	kinds    map[int32]*kind
	listener int
	root     int // the sandbox's
	store    *trace.Store

	// moving is held to read by what makes a name, from the decision to the end of
	// the call, and to write by a rename.
	moving sync.RWMutex

	idle    atomic.Int32 // threads that wait for a call
	threads atomic.Int32
}

// maxThreads bounds how many calls are performed at the same time. It is met only
// if so many of them wait, for a file system of another machine for instance.
const maxThreads = 64

// Records returns what the policy refused, in the order of its first time.
func (s *Supervisor) Records() []trace.Record {
	if s == nil {
		return nil
	}
	return s.store.Records()
}

// Lost counts what no record tells of.
func (s *Supervisor) Lost() trace.Lost {
	if s == nil {
		return trace.Lost{}
	}
	return s.store.Lost()
}

// Close gives up what the supervisor holds, when nothing of the sandbox is left. A
// call that is still held fails then (ENOSYS).
func (s *Supervisor) Close() {
	if s == nil {
		return
	}
	_ = unix.Close(s.listener)
	_ = unix.Close(s.root)
}

// begin starts the first thread, and returns when it waits for calls.
func (s *Supervisor) begin() error {
	// Without it the caller waits for the scheduler once more.
	_, _, _ = unix.Syscall(unix.SYS_IOCTL, uintptr(s.listener), requestFlags, syncWakeUp)
	return s.spawn(s.serve)
}

// spawn starts a goroutine with a thread of its own.
func (s *Supervisor) spawn(work func(*worker)) error {
	ready := make(chan error, 1)
	go func() {
		err := thread()
		ready <- err
		if err == nil {
			w := &worker{s: s, umask: -1}
			defer w.forget()
			work(w)
		}
	}()
	return <-ready
}

// apart does something that may take long, and does not wait for it.
func (s *Supervisor) apart(work func(*worker)) {
	go func() {
		if thread() == nil {
			w := &worker{s: s, umask: -1}
			defer w.forget()
			work(w)
		}
	}()
}

// slow is how long a call may take before another thread waits for calls. More
// threads than are needed cost time: the kernel wakes all that wait.
const slow = 2 * time.Millisecond

// serve answers calls until nobody is left who could make one, or another thread
// waits for them already.
func (s *Supervisor) serve(w *worker) {
	s.threads.Add(1)
	defer s.threads.Add(-1)
	watch := time.AfterFunc(time.Hour, s.more)
	defer watch.Stop()
	var n notification
	for {
		s.idle.Add(1)
		err := receive(s.listener, &n)
		s.idle.Add(-1)
		switch {
		case errors.Is(err, unix.EINTR), errors.Is(err, unix.ENOENT) && s.used():
			continue // the caller has ended before it was received
		case err != nil:
			return
		}
		watch.Reset(slow)
		w.handle(&n)
		watch.Stop()
		if s.idle.Load() > 0 {
			return
		}
	}
}

// more starts another thread if all are busy.
func (s *Supervisor) more() {
	if s.idle.Load() == 0 && s.threads.Load() < maxThreads {
		s.apart(s.serve)
	}
}

// used reports whether anybody has the filter still.
func (s *Supervisor) used() bool {
	p := []unix.PollFd{{Fd: int32(s.listener), Events: unix.POLLIN}}
	_, err := unix.Poll(p, 0)
	return err == nil && p[0].Revents&(unix.POLLHUP|unix.POLLNVAL|unix.POLLERR) == 0
}

// handle performs one call.
func (w *worker) handle(n *notification) {
	c := &call{listener: w.s.listener, id: n.id, tid: int(n.pid), kind: w.s.kinds[n.nr]}
	if c.kind == nil || c.tid == 0 {
		w.answer(c, outcome{errno: unix.ENOSYS}) // in another process namespace than this
		return
	}
	out := c.kind.perform(w, c, &n.args)
	w.answer(c, out)
}

// size is that of a structure for the kernel.
var _ = [1]struct{}{}[unsafe.Sizeof(notification{})-80]
