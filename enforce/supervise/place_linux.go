package supervise

import (
	"path"
	"strings"

	"golang.org/x/sys/unix"
)

// place is where a name is, or would be: a directory, and the last component of
// the path as it was written.
type place struct {
	dir  int // O_PATH
	last string
}

func (p *place) close() {
	if p.dir >= 0 {
		_ = unix.Close(p.dir)
		p.dir = -1
	}
}

// plain reports whether the last component is a name, and so can come into being.
func (p *place) plain() bool {
	name := p.name()
	return name != "." && name != ".."
}

// name is the last component without the slashes at its end.
func (p *place) name() string { return strings.TrimRight(p.last, "/") }

// slashed reports whether there are any, so that only a directory is meant.
func (p *place) slashed() bool { return strings.HasSuffix(p.last, "/") }

// split divides a path before its last component. The root is the name "." in
// itself.
func split(name string) (parent, last string) {
	end := len(strings.TrimRight(name, "/"))
	if end == 0 {
		return "/", "."
	}
	i := strings.LastIndexByte(name[:end], '/')
	if i < 0 {
		return "", name
	}
	return name[:i+1], name[i+1:]
}

// find opens the directory that the last component of a path is looked up in.
func (w *worker) find(c *call, dirfd uint64, name string) (place, error) {
	parent, last := split(name)
	p := place{dir: -1, last: last}
	dir, err := w.directory(c, dirfd, parent)
	if err != nil {
		return p, err
	}
	p.dir = dir
	return p, nil
}

// directory opens what a path leads to, which must be a directory.
func (w *worker) directory(c *call, dirfd uint64, name string) (int, error) {
	if path.IsAbs(name) {
		return w.descend(c, w.s.root, name, unix.RESOLVE_IN_ROOT)
	}
	start, err := w.start(c, dirfd)
	if err != nil {
		return -1, err
	}
	if name == "" {
		return onlyDirectory(start)
	}
	defer func() { _ = unix.Close(start) }()
	return w.descend(c, start, name, unix.RESOLVE_BENEATH)
}

// descend lets the kernel resolve a path, as far as that is the same for the
// caller. Otherwise it is walked.
func (w *worker) descend(c *call, at int, name string, how uint64) (int, error) {
	fd, err := unix.Openat2(at, name, &unix.OpenHow{
		Flags: unix.O_PATH | unix.O_DIRECTORY | unix.O_CLOEXEC, Resolve: how | unix.RESOLVE_NO_MAGICLINKS,
	})
	if err == nil {
		return fd, nil
	}
	obj, err := w.walk(c, at, name, new(int), true)
	if err != nil {
		return -1, err
	}
	return onlyDirectory(obj.fd)
}

// onlyDirectory closes what is none.
func onlyDirectory(fd int) (int, error) {
	if s, err := stat(fd); err != nil || s.Mode&unix.S_IFMT != unix.S_IFDIR {
		_ = unix.Close(fd)
		return -1, unix.ENOTDIR
	}
	return fd, nil
}

// start opens what a relative path starts from, for a descriptor number or
// AT_FDCWD.
func (w *worker) start(c *call, dirfd uint64) (int, error) {
	if int32(dirfd) == unix.AT_FDCWD {
		return w.ofCaller(c, "cwd")
	}
	if int32(dirfd) < 0 {
		return -1, unix.EBADF
	}
	fd, err := w.ofCaller(c, "fd/"+itoa(int(int32(dirfd))))
	if err == unix.ENOENT { //nolint:errorlint // a bare errno
		err = unix.EBADF
	}
	return fd, err
}

// ofCaller opens one of the links that /proc has of the calling thread.
func (w *worker) ofCaller(c *call, what string) (int, error) {
	fd, err := unix.Open("/proc/"+itoa(c.tid)+"/"+what, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1, err
	}
	if !c.valid() {
		_ = unix.Close(fd)
		return -1, errGone
	}
	return fd, nil
}

// path is where a descriptor leads, as the sandbox names it: the root of its
// mount namespace is the sandbox's root.
func (w *worker) pathOf(fd int) (string, error) {
	n, err := unix.Readlinkat(unix.AT_FDCWD, "/proc/self/fd/"+itoa(fd), w.text[:])
	if err != nil {
		return "", err
	}
	if n == len(w.text) || n == 0 || w.text[0] != '/' {
		return "", unix.ENAMETOOLONG
	}
	return string(w.text[:n]), nil
}

// full is the path of a place. A directory that was removed has none, but nothing
// can be made in it either.
func (w *worker) full(p *place) (string, error) {
	dir, err := w.pathOf(p.dir)
	if err != nil {
		return "", err
	}
	return path.Join(dir, p.name()), nil
}

func stat(fd int) (unix.Stat_t, error) {
	var s unix.Stat_t
	err := unix.Fstatat(fd, "", &s, unix.AT_EMPTY_PATH)
	return s, err
}

// searchable reports whether names can be looked up in a directory.
func searchable(dir int) error {
	fd, err := unix.Openat(dir, ".", unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	return unix.Close(fd)
}
