package supervise

import (
	"strings"

	"golang.org/x/sys/unix"

	"github.com/sandboxc/sbc/ir"
)

// make brings a name into being at a place, if the policy permits it. Perform is
// the call on the place.
func (w *worker) make(c *call, dirfd, addr uint64, dir bool, perform func(p *place) error) outcome {
	name, err := w.copyPath(c, addr)
	if err != nil {
		return fails(err)
	}
	w.s.moving.RLock()
	defer w.s.moving.RUnlock()
	return w.makeName(c, dirfd, name, dir, perform)
}

// makeName is make while no directory is renamed.
func (w *worker) makeName(c *call, dirfd uint64, name string, dir bool, perform func(p *place) error) outcome {
	p, err := w.find(c, dirfd, name)
	if err != nil {
		return fails(err)
	}
	defer p.close()
	if !p.plain() {
		return done(perform(&p)) // it exists, says the kernel
	}
	if there(&p) {
		return fails(unix.EEXIST)
	}
	if denied := w.ask(c, &p, ir.Write, dir); denied != nil {
		return denied.refuse(w, func() error { return perform(&p) })
	}
	return done(perform(&p))
}

func (w *worker) mkdir(c *call, dirfd, addr, mode uint64) outcome {
	return w.make(c, dirfd, addr, true, func(p *place) error {
		if err := w.mask(c); err != nil {
			return err
		}
		return unix.Mkdirat(p.dir, p.last, uint32(mode))
	})
}

func (w *worker) mknod(c *call, dirfd, addr, mode, dev uint64) outcome {
	switch mode & unix.S_IFMT { // may_mknod, fs/namei.c
	case unix.S_IFREG, unix.S_IFCHR, unix.S_IFBLK, unix.S_IFIFO, unix.S_IFSOCK, 0:
	case unix.S_IFDIR:
		return fails(unix.EPERM)
	default:
		return fails(unix.EINVAL)
	}
	return w.make(c, dirfd, addr, false, func(p *place) error {
		if err := w.mask(c); err != nil {
			return err
		}
		return unix.Mknodat(p.dir, p.last, uint32(mode), int(uint32(dev)))
	})
}

func (w *worker) symlink(c *call, target, dirfd, addr uint64) outcome {
	text, err := w.copyPath(c, target)
	if err != nil {
		return fails(err)
	}
	return w.make(c, dirfd, addr, false, func(p *place) error { return unix.Symlinkat(text, p.dir, p.last) })
}

// link makes a second name for what the first one leads to, which then can be
// changed by the second, so that the policy is asked about both.
func (w *worker) link(c *call, fromfd, from, tofd, to, flags uint64) outcome {
	const known = unix.AT_SYMLINK_FOLLOW | unix.AT_EMPTY_PATH
	if flags&^known != 0 {
		return fails(unix.EINVAL)
	}
	name, err := w.copyPath(c, from)
	if err == unix.ENOENT && flags&unix.AT_EMPTY_PATH != 0 { //nolint:errorlint // a bare errno
		name, err = "", nil
	}
	if err != nil {
		return fails(err)
	}
	newName, late := w.copyPath(c, to) // the kernel looks at the first path first
	w.s.moving.RLock()
	defer w.s.moving.RUnlock()
	src, err := w.source(c, fromfd, name, flags)
	if err != nil {
		return fails(err)
	}
	defer src.close()
	var st unix.Stat_t
	if err := unix.Fstatat(src.dir, src.last, &st, src.look()); err != nil {
		return fails(err)
	}
	if late != nil {
		return fails(late)
	}
	return w.makeName(c, tofd, newName, false, func(p *place) error {
		if err := w.mayLink(c, src, p); err != nil {
			return err
		}
		return unix.Linkat(src.dir, src.last, p.dir, p.last, src.flags)
	})
}

// source is what a link is to be made of.
type source struct {
	place
	flags int    // for linkat(2)
	path  string // empty for what has no name
}

// look is how it is looked at (fstatat(2)).
func (s *source) look() int {
	if s.flags&unix.AT_SYMLINK_FOLLOW != 0 {
		return 0
	}
	return unix.AT_SYMLINK_NOFOLLOW
}

func (w *worker) source(c *call, dirfd uint64, name string, flags uint64) (*source, error) {
	if name != "" && flags&unix.AT_SYMLINK_FOLLOW == 0 && !strings.HasSuffix(name, "/") {
		p, err := w.find(c, dirfd, name)
		if err != nil {
			return nil, err
		}
		s := &source{place: p}
		s.path, err = w.full(&p)
		return s, err
	}
	start, err := w.start(c, dirfd)
	if err != nil && (name == "" || name[0] != '/') {
		return nil, err
	}
	fd := start
	if name != "" {
		if err != nil {
			start = w.s.root
		} else {
			defer func() { _ = unix.Close(start) }()
		}
		obj, err := w.walk(c, start, name, new(int), true)
		if err != nil {
			return nil, err
		}
		fd = obj.fd
	}
	s := &source{place: place{dir: fd, last: "/proc/self/fd/" + itoa(fd)}, flags: unix.AT_SYMLINK_FOLLOW}
	if st, err := stat(fd); err == nil && st.Nlink > 0 {
		s.path, err = w.pathOf(fd)
		if err != nil {
			s.close()
			return nil, err
		}
	}
	return s, nil
}

// mayLink asks the policy about the source of a link to a place.
func (w *worker) mayLink(c *call, src *source, p *place) error {
	if src.path == "" || w.s.cfg.Names.Decide(ir.Write, src.path, false) {
		return nil
	}
	at := src.dir
	a, err := mountOf(at, "")
	if err != nil {
		return err
	}
	if src.flags == 0 {
		if a, err = mountOf(src.dir, src.last); err != nil {
			return err
		}
	}
	b, err := mountOf(p.dir, "")
	switch {
	case err != nil:
		return err
	case a.mount != b.mount:
		return unix.EXDEV
	case a.dir():
		return unix.EPERM
	}
	w.record(&denial{c: c, op: ir.Write, path: src.path}, unix.EACCES)
	return unix.EACCES
}
