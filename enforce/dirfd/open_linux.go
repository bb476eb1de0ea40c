package dirfd

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"golang.org/x/sys/unix"
)

// ErrLink says that a component of a path is a symbolic link.
var ErrLink = errors.New("a symbolic link is on the way")

// Dir is an open directory. The zero value is none.
type Dir struct{ fd int }

const (
	pathOnly = unix.O_PATH | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
	reading  = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC | unix.O_NONBLOCK
)

// Open opens a directory by its absolute, clean path without permission to list
// it (O_PATH, open(2)). A component that is a symbolic link gives [ErrLink].
// Where the kernel has no openat2(2), before 5.6 or in a container that
// refuses it, it goes down component by component.
func Open(p string) (Dir, error) {
	if err := Valid(p); err != nil {
		return Dir{}, err
	}
	var fd int
	err := retry(func() (err error) {
		fd, err = unix.Openat2(unix.AT_FDCWD, p, &unix.OpenHow{
			Flags: unix.O_PATH | unix.O_DIRECTORY | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_SYMLINKS,
		})
		return err
	})
	switch {
	case err == nil:
		return Dir{fd}, nil
	case errors.Is(err, unix.ENOSYS), errors.Is(err, unix.EPERM):
		return descend(p)
	case errors.Is(err, unix.ELOOP):
		err = ErrLink
	}
	return Dir{}, &fs.PathError{Op: "open", Path: p, Err: err}
}

// Valid says why a path is not one that the package takes: absolute, clean,
// without NUL.
func Valid(p string) error {
	if !path.IsAbs(p) || path.Clean(p) != p || strings.IndexByte(p, 0) >= 0 {
		return fmt.Errorf("%q is not an absolute, clean path", p)
	}
	return nil
}

// descend opens each component in the one before it.
func descend(p string) (Dir, error) {
	at, err := root()
	if err != nil {
		return Dir{}, err
	}
	for name := range components(p) {
		next, err := at.Sub(name)
		at.Close()
		if err != nil {
			return Dir{}, &fs.PathError{Op: "open", Path: p, Err: err}
		}
		at = next
	}
	return at, nil
}

func root() (Dir, error) {
	fd, err := unix.Open("/", pathOnly, 0)
	if err != nil {
		return Dir{}, &fs.PathError{Op: "open", Path: "/", Err: err}
	}
	return Dir{fd}, nil
}

// components yields the names in a clean, absolute path.
func components(p string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for name := range strings.SplitSeq(p[1:], "/") {
			if name != "" && !yield(name) {
				return
			}
		}
	}
}

// Sub opens a directory in d without permission to list it. A link gives
// [ErrLink], anything else that is no directory ENOTDIR.
func (d Dir) Sub(name string) (Dir, error) { return d.open(name, pathOnly) }

// List opens a directory in d for listing it and for flock(2), which refuses
// descriptors of the kind that [Dir.Sub] gives. The errors are those of Sub.
func (d Dir) List(name string) (Dir, error) { return d.open(name, reading) }

func (d Dir) open(name string, flags int) (Dir, error) {
	var fd int
	err := retry(func() (err error) {
		fd, err = unix.Openat(d.fd, name, flags, 0)
		return err
	})
	if errors.Is(err, unix.ELOOP) || errors.Is(err, unix.ENOTDIR) {
		// With O_DIRECTORY a link gives either (open(2)).
		if i, serr := d.Stat(name); serr == nil && i.Link() {
			err = ErrLink
		}
	}
	if err != nil {
		return Dir{}, err
	}
	return Dir{fd}, nil
}

// Parent opens the directory that holds p and returns the name of p in it.
func Parent(p string) (Dir, string, error) {
	if err := Valid(p); err != nil {
		return Dir{}, "", err
	}
	if p == "/" {
		return Dir{}, "", errors.New(`"/" has no name`)
	}
	d, err := Open(path.Dir(p))
	return d, path.Base(p), err
}

// FD returns the descriptor, which stays the directory's.
func (d Dir) FD() int { return d.fd }

// Close closes the directory. It is opened without permission to change it, so
// nothing can be lost.
func (d Dir) Close() { _ = unix.Close(d.fd) }

// retry repeats a system call that a signal interrupted, such as the Go
// runtime's own.
func retry(call func() error) error {
	for {
		if err := call(); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
