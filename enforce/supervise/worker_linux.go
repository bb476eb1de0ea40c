package supervise

import (
	"bytes"
	"errors"
	"runtime"
	"strconv"

	"golang.org/x/sys/unix"

	"github.com/sandboxc/sbc/enforce/trace"
	"github.com/sandboxc/sbc/ir"
)

// errGone says that the caller has ended, so that nobody waits for an answer.
var errGone = errors.New("the caller is gone")

// worker is a thread that performs calls, one after the other.
type worker struct {
	s      *Supervisor
	path   [maxPath]byte         // what is copied from the caller
	text   [maxPath]byte         // texts of links
	info   [4096]byte            // what /proc says
	umask  int                   // of this thread
	thread struct{ tid, fd int } // the last one that called, and its status in /proc
}

// call is a call that is held.
type call struct {
	listener int
	id       uint64
	tid      int // the calling thread, by its number here
	kind     *kind
}

// thread prepares the calling goroutine's thread, which is not to be used for
// anything else: no signal may interrupt SECCOMP_IOCTL_NOTIF_ADDFD, which the
// caller would take for the descriptor 0; the current directory and the file mode
// creation mask must be its own; and it must not have more rights than the user.
func thread() error {
	runtime.LockOSThread()
	var all unix.Sigset_t
	for i := range all.Val {
		all.Val[i] = ^all.Val[i]
	}
	if err := unix.PthreadSigmask(unix.SIG_SETMASK, &all, nil); err != nil {
		return err
	}
	if err := unix.Unshare(unix.CLONE_FS); err != nil {
		return err
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	return unix.Capset(&header, &none[0])
}

// mask gives this thread the file mode creation mask of the caller (umask(2)).
func (w *worker) mask(c *call) error {
	text, err := w.status(c)
	if err != nil {
		return err
	}
	_, rest, ok := bytes.Cut(text, []byte("\nUmask:\t"))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	n, err := strconv.ParseUint(string(line), 8, 12)
	if !ok || err != nil {
		return errGone
	}
	if int(n) != w.umask {
		unix.Umask(int(n))
		w.umask = int(n)
	}
	return nil
}

// denial is a call that the policy refuses.
type denial struct {
	c    *call
	dir  int
	op   ir.Op
	path string
	to   string
	isIt bool // a directory
}

// ask asks the policy about a place. Without a path nothing is permitted.
func (w *worker) ask(c *call, p *place, op ir.Op, dir bool) *denial {
	full, err := w.full(p)
	if err == nil && w.s.cfg.Names.Decide(op, full, dir) {
		w.permitted(op, full, dir)
		return nil
	}
	return &denial{c: c, dir: p.dir, op: op, path: full, isIt: dir}
}

func (w *worker) permitted(op ir.Op, path string, dir bool) {
	if op == ir.Write && w.s.cfg.Permitted != nil {
		w.s.cfg.Permitted(path, dir)
	}
}

// refuse answers a call that the policy refuses, and records it. Where the mount
// cannot be written, the kernel refuses it too, and is asked for its reason.
func (d *denial) refuse(w *worker, kernel func() error) outcome {
	errno := unix.EACCES
	if readOnly(d.dir) {
		if err, ok := kernel().(unix.Errno); ok && err != 0 { //nolint:errorlint // a bare errno
			errno = err
		}
	}
	if errno == unix.EACCES || errno == unix.EPERM || errno == unix.EROFS {
		w.record(d, errno)
	}
	return outcome{errno: errno}
}

// record notes what was refused.
func (w *worker) record(d *denial, errno unix.Errno) {
	r := trace.Record{Call: d.c.kind.name, Op: d.op, Path: d.path, To: d.to, Dir: d.isIt, Errno: unix.ErrnoName(errno), Decided: true}
	w.s.store.Add(r, false, func() (int, string) {
		exe, err := unix.Readlinkat(unix.AT_FDCWD, "/proc/"+itoa(d.c.tid)+"/exe", w.info[:])
		if err != nil || !d.c.valid() {
			return d.c.tid, ""
		}
		return d.c.tid, string(w.info[:exe])
	})
}
