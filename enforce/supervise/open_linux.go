package supervise

import (
	"golang.org/x/sys/unix"

	"github.com/sandboxc/sbc/ir"
)

// tries is how often an open is begun again because a name has changed between
// the look and the call.
const tries = 100

// opening is an open that is performed.
type opening struct {
	flags int
	mode  uint32
}

// writes reports whether it changes what is there.
func (o *opening) writes() bool {
	return o.flags&unix.O_ACCMODE != unix.O_RDONLY || o.flags&unix.O_TRUNC != 0
}

// known are the flags that open(2) takes; it ignores others, and openat2(2) does
// not (VALID_OPEN_FLAGS, linux/fcntl.h).
const known = unix.O_ACCMODE | unix.O_CREAT | unix.O_EXCL | unix.O_NOCTTY | unix.O_TRUNC | unix.O_APPEND | unix.O_NONBLOCK |
	unix.O_SYNC | unix.O_DSYNC | unix.O_ASYNC | unix.O_DIRECT | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_NOATIME | unix.O_CLOEXEC |
	unix.O_PATH | unix.O_TMPFILE

// at opens a name in a directory with the caller's flags, less some. No link is
// followed here any more, no terminal is taken, and the descriptor is not for
// children.
func (o *opening) at(dir int, name string, less int) (int, error) {
	how := unix.OpenHow{Flags: uint64(o.flags&known&^less | unix.O_NOCTTY | unix.O_CLOEXEC), Resolve: unix.RESOLVE_NO_SYMLINKS}
	if o.nameless() || how.Flags&unix.O_CREAT != 0 {
		how.Mode = uint64(o.mode)
	}
	return unix.Openat2(dir, name, &how)
}

// nameless reports whether it makes a file without a name in a directory.
func (o *opening) nameless() bool { return o.flags&(unix.O_TMPFILE&^unix.O_DIRECTORY) != 0 }

func (o *opening) opened(fd int, err error) outcome {
	if err != nil {
		return fails(err)
	}
	return outcome{opened: true, fd: fd, flags: uint32(o.flags & unix.O_CLOEXEC)}
}

func (w *worker) open(c *call, dirfd, addr, flags, mode uint64) outcome {
	o := &opening{flags: int(int32(flags)), mode: uint32(mode) & 0o7777}
	if o.flags&(unix.O_TMPFILE|unix.O_PATH) != 0 {
		// Which flags go together is told before anything else.
		if fd, err := unix.Openat(-1, "x", o.flags, 0); err != unix.EBADF {
			if err == nil {
				_ = unix.Close(fd)
			}
			return fails(unix.EINVAL)
		}
	}
	name, err := w.copyPath(c, addr)
	if err != nil {
		return fails(err)
	}
	w.s.moving.RLock()
	held := true
	release := func() {
		if held {
			w.s.moving.RUnlock()
		}
		held = false
	}
	defer release()
	p, err := w.find(c, dirfd, name)
	if err != nil {
		return fails(err)
	}
	defer p.close()
	links := 0
	for range tries {
		out, next, again := w.openAt(c, &p, o, release)
		switch {
		case next != "":
			if links++; links > maxLinks {
				return fails(unix.ELOOP)
			}
			q, err := w.follow(c, &p, next)
			if err != nil {
				return fails(err)
			}
			p.close()
			p = q
		case !again:
			return out
		}
	}
	return fails(unix.ELOOP)
}

// follow goes to where the text of a link at a place leads.
func (w *worker) follow(c *call, p *place, text string) (place, error) {
	parent, last := split(text)
	q := place{dir: -1, last: last}
	if p.slashed() && !q.slashed() {
		q.last += "/"
	}
	var err error
	switch {
	case text[0] == '/':
		q.dir, err = w.directory(c, cwd, parent)
	case parent == "":
		q.dir, err = unix.FcntlInt(uintptr(p.dir), unix.F_DUPFD_CLOEXEC, 0)
	default:
		q.dir, err = w.descend(c, p.dir, parent, unix.RESOLVE_BENEATH)
	}
	return q, err
}

// openAt opens what is, or is not, at a place. It returns the text of a link that
// is to be followed, or that the name has changed and is to be looked at again.
func (w *worker) openAt(c *call, p *place, o *opening, release func()) (out outcome, link string, again bool) {
	if !p.plain() || p.slashed() && o.flags&unix.O_CREAT != 0 {
		if o.flags&unix.O_CREAT == 0 {
			return w.openExisting(c, p, o, release)
		}
		out := o.opened(o.at(p.dir, p.last, 0)) // the kernel makes no such name
		return out, "", false
	}
	var s unix.Stat_t
	err := unix.Fstatat(p.dir, p.name(), &s, unix.AT_SYMLINK_NOFOLLOW)
	switch {
	case err == unix.ENOENT && o.flags&unix.O_CREAT != 0:
		out, again := w.create(c, p, o)
		return out, "", again
	case err != nil:
		return fails(err), "", false
	case o.flags&unix.O_CREAT != 0 && o.flags&unix.O_EXCL != 0:
		return fails(unix.EEXIST), "", false
	case s.Mode&unix.S_IFMT == unix.S_IFLNK && (o.flags&unix.O_NOFOLLOW == 0 || p.slashed()):
		return w.openLink(c, p, o, release)
	}
	return w.openExisting(c, p, o, release)
}

// openLink follows the link that a place is.
func (w *worker) openLink(c *call, p *place, o *opening, release func()) (outcome, string, bool) {
	obj, text, err := w.step(c, p.dir, p.name(), true)
	switch {
	case err == unix.ENOENT: //nolint:errorlint // a bare errno
		return outcome{}, "", true
	case err != nil:
		return fails(err), "", false
	case text != "":
		return outcome{}, text, false
	case !obj.magic: // it is no link any more
		obj.close()
		return outcome{}, "", true
	}
	defer obj.close()
	release()
	return w.reopen(c, obj.fd, o), "", false
}

// create makes a file at a place where nothing is.
func (w *worker) create(c *call, p *place, o *opening) (out outcome, again bool) {
	if denied := w.ask(c, p, ir.Write, false); denied != nil {
		return denied.refuse(w, func() error {
			fd, err := o.at(p.dir, p.last, 0)
			if err == nil {
				_ = unix.Close(fd)
				return unix.EACCES
			}
			return err
		}), false
	}
	if err := w.mask(c); err != nil {
		return outcome{none: true}, false
	}
	fd, err := o.at(p.dir, p.last, 0)
	if (err == unix.ELOOP || err == unix.ENOENT) && o.flags&unix.O_NOFOLLOW == 0 { //nolint:errorlint // a bare errno
		if !there(p) && err == unix.ENOENT { //nolint:errorlint // a bare errno
			return fails(err), false // the directory is gone
		}
		return outcome{}, true // it is a link now
	}
	return o.opened(fd, err), false
}

// there reports whether something is at a place.
func there(p *place) bool {
	var s unix.Stat_t
	return unix.Fstatat(p.dir, p.name(), &s, unix.AT_SYMLINK_NOFOLLOW) == nil
}

// openExisting opens what is at a place, and is not a link to be followed.
func (w *worker) openExisting(c *call, p *place, o *opening, release func()) (outcome, string, bool) {
	s, err := mountOf(p.dir, p.last)
	if err != nil {
		return fails(err), "", err == unix.ENOENT && o.flags&unix.O_CREAT != 0 //nolint:errorlint // a bare errno
	}
	op := ir.Read
	if o.writes() {
		op = ir.Write
	}
	less := 0
	if o.nameless() {
		if err := w.mask(c); err != nil {
			return fails(err), "", false
		}
	} else if !s.dir() {
		if denied := w.ask(c, p, op, false); denied != nil {
			return denied.refuse(w, func() error { return w.attempt(p, o, s) }), "", false
		}
		if op == ir.Read && o.flags&unix.O_CREAT != 0 && w.ask(c, p, ir.Write, false) != nil {
			less = unix.O_CREAT | unix.O_EXCL
		}
	} else if o.flags&unix.O_CREAT == 0 {
		if denied := w.ask(c, p, op, true); denied != nil {
			return denied.refuse(w, func() error { return w.attempt(p, o, s) }), "", false
		}
	}
	switch s.mode & unix.S_IFMT {
	case unix.S_IFIFO:
		release()
		return w.openFIFO(c, p, o), "", false
	case unix.S_IFCHR:
		if isTTY(p) {
			return w.openTTY(c, o), "", false
		}
	case unix.S_IFREG, unix.S_IFDIR:
		if onProc(p.dir) && !w.mayOpenProc(c, p.dir, p.name()) {
			return fails(unix.EACCES), "", false
		}
	}
	if o.flags&unix.O_CREAT != 0 {
		if err := w.mask(c); err != nil {
			return outcome{none: true}, "", false
		}
	}
	fd, err := o.at(p.dir, p.last, less)
	if (err == unix.ELOOP && o.flags&unix.O_NOFOLLOW == 0) || err == unix.ENOENT && o.flags&unix.O_CREAT != 0 { //nolint:errorlint // bare errnos
		return outcome{}, "", true
	}
	return o.opened(fd, err), "", false
}

// attempt is what the kernel says to an open that the policy refuses: most often
// a mount refuses it too, and for a reason of its own. Nothing is changed by it.
func (w *worker) attempt(p *place, o *opening, s spot) error {
	if t := s.mode & unix.S_IFMT; t != unix.S_IFREG && t != unix.S_IFDIR {
		return unix.EACCES
	}
	fd, err := o.at(p.dir, p.last, unix.O_CREAT|unix.O_EXCL|unix.O_TRUNC)
	if err != nil {
		return err
	}
	_ = unix.Close(fd)
	return unix.EACCES
}

// reopen opens what a descriptor of the caller's own stands for, through /proc.
// What it is was decided when it was opened first, and no name is made.
func (w *worker) reopen(c *call, fd int, o *opening) outcome {
	made := unix.O_CREAT | unix.O_EXCL | unix.O_NOFOLLOW
	if o.nameless() {
		made = unix.O_NOFOLLOW
		if err := w.mask(c); err != nil {
			return fails(err)
		}
	}
	if s, err := stat(fd); err == nil && s.Mode&unix.S_IFMT == unix.S_IFDIR && o.flags&unix.O_CREAT != 0 {
		return fails(unix.EISDIR)
	}
	return o.opened(unix.Open("/proc/self/fd/"+itoa(fd), o.flags&^made|unix.O_NOCTTY|unix.O_CLOEXEC|nonblocking(fd), o.mode))
}

// nonblocking is O_NONBLOCK for a FIFO, which must not keep this thread.
func nonblocking(fd int) int {
	if s, err := stat(fd); err == nil && s.Mode&unix.S_IFMT == unix.S_IFIFO {
		return unix.O_NONBLOCK
	}
	return 0
}
