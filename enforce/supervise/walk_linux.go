package supervise

import (
	"path"
	"strings"

	"golang.org/x/sys/unix"
)

// maxLinks is how many symbolic links one resolution follows
// (path_resolution(7)).
const maxLinks = 40

// object is something that a path has led to.
type object struct {
	fd    int  // O_PATH
	magic bool // by a link that is none of text, such as /proc/self/fd/1
}

func (o *object) close() { _ = unix.Close(o.fd) }

// walk resolves a path component by component for the caller, as the kernel does
// (path_resolution(7)), from a directory that stays the caller's to close. It
// knows the links of /proc that read differently for each process. Links counts
// those that were followed; the last component is followed if final is set.
func (w *worker) walk(c *call, at int, name string, links *int, final bool) (object, error) {
	fd, err := unix.FcntlInt(uintptr(at), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return object{}, err
	}
	cur := object{fd: fd}
	if path.IsAbs(name) {
		if err := w.toRoot(&cur); err != nil {
			return object{}, err
		}
	}
	rest := names(name)
	onlyDir := strings.HasSuffix(name, "/") // a link's text too, where it is the last
	for len(rest) > 0 {
		name := rest[0]
		rest = rest[1:]
		next, text, err := w.step(c, cur.fd, name, len(rest) > 0 || final || onlyDir)
		switch {
		case err != nil:
			cur.close()
			return object{}, err
		case text == "":
			cur.close()
			cur = next
			continue
		}
		if *links++; *links > maxLinks {
			cur.close()
			return object{}, unix.ELOOP
		}
		onlyDir = onlyDir || len(rest) == 0 && strings.HasSuffix(text, "/")
		rest = append(names(text), rest...)
		if path.IsAbs(text) {
			if err := w.toRoot(&cur); err != nil {
				return object{}, err
			}
		}
	}
	if onlyDir {
		if cur.fd, err = onlyDirectory(cur.fd); err != nil {
			return object{}, err
		}
	}
	return cur, nil
}

// names are the components of a path.
func names(name string) []string {
	return strings.FieldsFunc(name, func(r rune) bool { return r == '/' })
}

// toRoot replaces an object by the root, which is the same for all of the sandbox.
func (w *worker) toRoot(cur *object) error {
	cur.close()
	root, err := unix.FcntlInt(uintptr(w.s.root), unix.F_DUPFD_CLOEXEC, 0)
	*cur = object{fd: root}
	return err
}

// step goes from a directory to one component of it. For a link that is to be
// followed it returns the text instead.
func (w *worker) step(c *call, dir int, name string, follow bool) (object, string, error) {
	if name == ".." {
		if top, err := w.isRoot(dir); err != nil {
			return object{}, "", err
		} else if top {
			name = "."
		}
	}
	fd, err := unix.Openat(dir, name, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil && (name == "self" || name == "thread-self") && isProcRoot(dir) {
		return w.selfLink(c, dir, name) // this process is none that this /proc knows
	}
	if err != nil {
		return object{}, "", err
	}
	s, err := stat(fd)
	if err != nil || s.Mode&unix.S_IFMT != unix.S_IFLNK || !follow {
		return object{fd: fd}, "", err
	}
	defer func() { _ = unix.Close(fd) }()
	if onProc(dir) {
		if !isProcRoot(dir) {
			return w.jump(c, dir, name)
		}
		if name == "self" || name == "thread-self" {
			return w.selfLink(c, dir, name)
		}
	}
	if err := mayFollow(dir, &s); err != nil {
		return object{}, "", err
	}
	n, err := unix.Readlinkat(fd, "", w.text[:])
	if err != nil {
		return object{}, "", err
	}
	if n == 0 {
		return object{}, "", unix.ENOENT
	}
	return object{}, string(w.text[:n]), nil
}

// isRoot reports whether a directory is the root.
func (w *worker) isRoot(dir int) (bool, error) {
	a, err := mountOf(dir, "")
	if err != nil {
		return false, err
	}
	b, err := mountOf(w.s.root, "")
	return a.same(&b), err
}

// mayFollow is the check of fs.protected_symlinks (proc_sys_fs(5)): a link in a
// sticky directory that everybody may write to is followed only if it belongs
// to who follows it or to the owner of the directory.
func mayFollow(dir int, link *unix.Stat_t) error {
	const open = unix.S_ISVTX | unix.S_IWOTH
	if int(link.Uid) == unix.Geteuid() {
		return nil
	}
	d, err := stat(dir)
	if err != nil || d.Mode&open != open || d.Uid == link.Uid {
		return err
	}
	if !protectedSymlinks() {
		return nil
	}
	return unix.EACCES
}
