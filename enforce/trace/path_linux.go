package trace

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// maxLinks is how many symbolic links the kernel follows in one path
// (path_resolution(7)).
const maxLinks = 40

// readlink reads a link of /proc that leads to a file: where the file is, seen
// from the root of the sandbox. ok is false if it is no file with a path, or
// gone.
func readlink(name string) (string, bool) {
	var buf [maxPath]byte
	n, err := unix.Readlink(name, buf[:])
	if err != nil || n == 0 || n == len(buf) || buf[0] != '/' {
		return "", false
	}
	return strings.TrimSuffix(string(buf[:n]), " (deleted)"), true
}

func proc(tid int, name string) string { return "/proc/" + strconv.Itoa(tid) + "/" + name }

// directory returns what a path is relative to: the directory of a descriptor,
// or the current one.
func directory(tid int, dirfd int32) (string, bool) {
	if dirfd == unix.AT_FDCWD {
		return readlink(proc(tid, "cwd"))
	}
	return readlink(proc(tid, "fd/"+strconv.Itoa(int(dirfd))))
}

// root is the root directory of a sandbox, from outside.
type root struct{ fd int }

// openRoot opens the root directory of a process. Without one, paths are cleaned
// only as text.
func openRoot(tid int) root {
	fd, err := unix.Open(proc(tid, "root"), unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return root{-1}
	}
	return root{fd}
}

func (r root) close() {
	if r.fd >= 0 {
		_ = unix.Close(r.fd)
	}
}

// open opens a path beneath the root for asking about it, without any effect on
// the file.
func (r root) open(name string, follow bool) (int, error) {
	if r.fd < 0 {
		return -1, unix.EBADF
	}
	flags := uint64(unix.O_PATH | unix.O_CLOEXEC)
	if !follow {
		flags |= unix.O_NOFOLLOW
	}
	return unix.Openat2(r.fd, name, &unix.OpenHow{Flags: flags, Resolve: unix.RESOLVE_IN_ROOT | unix.RESOLVE_NO_MAGICLINKS})
}

// resolve returns an absolute path without links, dots and repeated slashes. As
// far as it exists, links are followed, the last one if follow says so.
func (r root) resolve(name string, follow bool) string {
	if fd, err := r.open(name, follow); err == nil {
		at, ok := readlink("/proc/self/fd/" + strconv.Itoa(fd))
		_ = unix.Close(fd)
		if ok {
			return at
		}
	}
	return r.walk(name, follow)
}

// walk resolves a path that cannot be opened as a whole, name by name up to the
// one that is missing or may not be passed. What follows is taken as it stands.
func (r root) walk(name string, follow bool) string {
	todo := strings.Split(name, "/")
	at, links, lost := "/", 0, false
	for len(todo) > 0 {
		c := todo[0]
		todo = todo[1:]
		switch c {
		case "", ".":
			continue
		case "..":
			at = path.Dir(at)
			continue
		}
		next := path.Join(at, c)
		last := !slices.ContainsFunc(todo, func(c string) bool { return c != "" && c != "." })
		if lost || (last && !follow) {
			at = next
			continue
		}
		text, state := r.link(next)
		switch {
		case state == isMissing:
			lost = true
			at = next
		case state == isLink && links < maxLinks:
			links++
			todo = append(strings.Split(text, "/"), todo...)
			if strings.HasPrefix(text, "/") {
				at = "/"
			}
		default:
			at = next
		}
	}
	return at
}

// state is what a name is.
type state uint8

const (
	isMissing state = iota
	isLink
	isOther
)

// link returns the text of a symbolic link.
func (r root) link(name string) (string, state) {
	fd, err := r.open(name, false)
	if err != nil {
		return "", isMissing
	}
	defer func() { _ = unix.Close(fd) }()
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil || st.Mode&unix.S_IFMT != unix.S_IFLNK {
		return "", isOther
	}
	var buf [maxPath]byte
	n, err := unix.Readlinkat(fd, "", buf[:])
	if err != nil || n == 0 {
		return "", isMissing
	}
	return string(buf[:n]), isLink
}
