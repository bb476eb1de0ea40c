package supervise

import (
	"errors"
	"path"

	"golang.org/x/sys/unix"

	"github.com/sandboxc/sbc/ir"
)

// rename moves a name. The policy is asked whether the old one may go and the new
// one may come, and, for a directory, about what it brings along.
func (w *worker) rename(c *call, fromfd, from, tofd, to, flags uint64) outcome {
	const known = unix.RENAME_NOREPLACE | unix.RENAME_EXCHANGE | unix.RENAME_WHITEOUT
	if flags&^known != 0 || flags&unix.RENAME_EXCHANGE != 0 && flags&^unix.RENAME_EXCHANGE != 0 {
		return fails(unix.EINVAL)
	}
	oldName, err := w.copyPath(c, from)
	if err != nil {
		return fails(err)
	}
	newName, late := w.copyPath(c, to) // the kernel looks at the first path first
	w.s.moving.Lock()
	defer w.s.moving.Unlock()
	m := &move{w: w, c: c, flags: uint(flags), late: late}
	return m.attempt(fromfd, oldName, tofd, newName)
}

// move is a rename that is performed.
type move struct {
	w     *worker
	c     *call
	flags uint
	late  error // of the second path
}

// attempt renames, while nobody inside can make a name: what is found stays as it
// is, or goes. Otherwise another call might be decided for the name that a
// directory has now, and be performed when it has another one.
func (m *move) attempt(fromfd uint64, from string, tofd uint64, to string) outcome {
	w, c := m.w, m.c
	a, err := w.find(c, fromfd, from)
	if err != nil {
		return fails(err)
	}
	defer a.close()
	b, err := place{dir: -1}, m.late
	if err == nil {
		b, err = w.find(c, tofd, to)
	}
	if err != nil {
		if serr := searchable(a.dir); serr != nil {
			err = serr // that comes first
		}
		return fails(err)
	}
	defer b.close()
	perform := func() error { return unix.Renameat2(a.dir, a.last, b.dir, b.last, m.flags) }
	if !a.plain() || !b.plain() {
		return done(perform()) // the kernel moves no such name
	}
	src, err := mountOf(a.dir, a.name())
	if err != nil {
		return done(perform()) // nothing is there
	}
	dst, derr := mountOf(b.dir, b.name())
	if derr != nil && derr != unix.ENOENT { //nolint:errorlint // a bare errno
		return done(perform()) // the kernel finds that too
	}
	if derr == nil && src.same(&dst) && m.flags&unix.RENAME_NOREPLACE == 0 {
		return done(perform()) // nothing happens
	}
	if err := m.mounted(&a, &b, src, dst, derr == nil); err != nil {
		return fails(err)
	}
	if out := m.decide(&a, &b, src, dst, derr == nil, perform); out != nil {
		return *out
	}
	return done(perform())
}

// mounted finds out whether one of the names is a mount point. The kernel looks
// that up where the call is made from, which is not the sandbox; so it would
// permit to move a mask away.
func (m *move) mounted(a, b *place, src, dst spot, exists bool) error {
	from, err := mountOf(a.dir, "")
	if err != nil {
		return err
	}
	to, err := mountOf(b.dir, "")
	switch {
	case err != nil:
		return err
	case from.mount != to.mount:
		return unix.EXDEV
	case !src.top && (!exists || !dst.top):
		return nil
	}
	// The kernel says other things first.
	exchange := m.flags&unix.RENAME_EXCHANGE != 0
	switch {
	case exists && m.flags&unix.RENAME_NOREPLACE != 0:
		return unix.EEXIST
	case !exists && exchange:
		return unix.ENOENT
	case !src.dir() && (a.slashed() || b.slashed() && !exchange), exchange && !dst.dir() && b.slashed():
		return unix.ENOTDIR
	}
	for _, dir := range []int{a.dir, b.dir} {
		if err := changeable(dir); err != nil {
			return err
		}
	}
	switch {
	case exchange || !exists:
	case src.dir() && !dst.dir():
		return unix.ENOTDIR
	case !src.dir() && dst.dir():
		return unix.EISDIR
	}
	// The ".." of a directory that gets another parent changes.
	apart := !from.same(&to)
	for _, e := range []struct {
		at   *place
		what spot
	}{{a, src}, {b, dst}} {
		if !apart || !e.what.dir() || e.what.dev != from.dev || e.at == b && !exchange {
			continue
		}
		if err := unix.Faccessat2(e.at.dir, e.at.name(), unix.W_OK, unix.AT_EACCESS|unix.AT_SYMLINK_NOFOLLOW); err == unix.EACCES {
			return err
		}
	}
	return unix.EBUSY
}

// decide returns what the caller gets if the policy refuses the rename.
func (m *move) decide(a, b *place, src, dst spot, exists bool, perform func() error) *outcome {
	old, err := m.w.full(a)
	if err != nil {
		out := fails(err)
		return &out
	}
	name, err := m.w.full(b)
	if err != nil {
		out := fails(err)
		return &out
	}
	if old == name {
		return nil
	}
	exchange := m.flags&unix.RENAME_EXCHANGE != 0
	n := m.w.s.cfg.Names
	refused := func(op ir.Op, path, to string, dir bool) *outcome {
		d := &denial{c: m.c, dir: a.dir, op: op, path: path, to: to, isIt: dir}
		out := d.refuse(m.w, perform)
		return &out
	}
	switch {
	case m.flags&unix.RENAME_NOREPLACE != 0 && exists:
		return nil // the kernel says so
	case !n.Decide(ir.Unlink, old, src.dir()):
		return refused(ir.Unlink, old, name, src.dir())
	case !n.Decide(ir.Write, name, src.dir()):
		return refused(ir.Write, name, "", src.dir())
	case exists && !n.Decide(ir.Unlink, name, dst.dir()):
		return refused(ir.Unlink, name, old, dst.dir())
	case exchange && exists && !n.Decide(ir.Write, old, dst.dir()):
		return refused(ir.Write, old, "", dst.dir())
	}
	m.w.permitted(ir.Write, name, src.dir())
	if out := m.carry(a, src, old, name); out != nil {
		return out
	}
	if exchange && exists {
		return m.carry(b, dst, name, old)
	}
	return nil
}

// errTooMany ends a search in a directory that is to be moved.
var errTooMany = errors.New("too many names")

// maxCarried is how many names are looked at in a directory that is moved to where
// other names are closed.
const maxCarried = 200_000

// carry looks for names that a directory would bring to where they are closed.
func (m *move) carry(p *place, what spot, from, to string) *outcome {
	if !what.dir() || !m.w.s.cfg.Names.Carries(from, to) {
		return nil
	}
	left := maxCarried
	closed, isDir, err := m.closed(p.dir, p.name(), to, &left)
	switch {
	case err != nil:
		// Whoever moves it then copies it, and each name is decided.
		m.w.record(&denial{c: m.c, op: ir.Write, path: to, isIt: true}, unix.EACCES)
		out := fails(unix.EXDEV)
		return &out
	case closed != "":
		d := &denial{c: m.c, dir: p.dir, op: ir.Write, path: closed, isIt: isDir}
		out := d.refuse(m.w, func() error { return unix.EACCES })
		return &out
	}
	return nil
}

// closed returns the first name beneath a directory that would be closed.
func (m *move) closed(dir int, name, to string, left *int) (at string, isDir bool, err error) {
	fd, err := unix.Openat(dir, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return "", false, err
	}
	defer func() { _ = unix.Close(fd) }()
	list, err := entries(fd)
	if err != nil {
		return "", false, err
	}
	for _, e := range list {
		if *left--; *left < 0 {
			return "", false, errTooMany
		}
		s, err := mountOf(fd, e)
		if err == unix.ENOENT { //nolint:errorlint // a bare errno
			continue
		}
		if err != nil {
			return "", false, err
		}
		full := path.Join(to, e)
		if !m.w.s.cfg.Names.Decide(ir.Write, full, s.dir()) {
			return full, s.dir(), nil
		}
		if !s.dir() {
			continue
		}
		if at, isDir, err := m.closed(fd, e, full, left); err != nil || at != "" {
			return at, isDir, err
		}
	}
	return "", false, nil
}

// unlink takes a name away.
func (w *worker) unlink(c *call, dirfd, addr, flags uint64) outcome {
	if flags&^uint64(unix.AT_REMOVEDIR) != 0 {
		return fails(unix.EINVAL)
	}
	name, err := w.copyPath(c, addr)
	if err != nil {
		return fails(err)
	}
	w.s.moving.RLock()
	defer w.s.moving.RUnlock()
	p, err := w.find(c, dirfd, name)
	if err != nil {
		return fails(err)
	}
	defer p.close()
	perform := func() error { return unix.Unlinkat(p.dir, p.last, int(flags)) }
	if name == "/" && flags != 0 {
		return fails(unix.EBUSY)
	}
	s, err := mountOf(p.dir, p.name())
	if !p.plain() || err != nil {
		return done(perform())
	}
	if s.top { // the kernel looks that up where the call is made from
		err := changeable(p.dir)
		switch {
		case flags == 0 && p.slashed() && !s.dir():
			err = unix.ENOTDIR
		case flags == 0 && p.slashed():
			err = unix.EISDIR
		case err != nil:
		case flags == 0 && s.dir():
			err = unix.EISDIR
		case flags != 0 && !s.dir():
			err = unix.ENOTDIR
		default:
			err = unix.EBUSY
		}
		return fails(err)
	}
	if denied := w.ask(c, &p, ir.Unlink, s.dir()); denied != nil {
		return denied.refuse(w, perform)
	}
	return done(perform())
}

// changeable reports whether names in a directory can come and go.
func changeable(dir int) error {
	return unix.Faccessat2(dir, "", unix.W_OK|unix.X_OK, unix.AT_EMPTY_PATH|unix.AT_EACCESS)
}
