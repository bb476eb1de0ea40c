//go:build linux || darwin

package host

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"
)

func lstat(p string) (Node, error) {
	var st unix.Stat_t
	for {
		err := unix.Lstat(p, &st)
		if err == nil {
			break
		}
		if !errors.Is(err, unix.EINTR) {
			return Node{}, pathError("lstat", p, err)
		}
	}
	t := typeOf(uint32(st.Mode))
	if t == 0 {
		return Node{}, pathError("lstat", p, fmt.Errorf("unknown file type %#o", st.Mode&unix.S_IFMT))
	}
	return Node{
		Type:  t,
		Perm:  fs.FileMode(st.Mode) & fs.ModePerm,
		Dev:   uint64(st.Dev),
		Ino:   st.Ino,
		Nlink: uint64(st.Nlink),
	}, nil
}

// typeOf returns the type that the file type bits of a mode stand for, or 0.
func typeOf(mode uint32) Type {
	switch mode & unix.S_IFMT {
	case unix.S_IFREG:
		return File
	case unix.S_IFDIR:
		return Dir
	case unix.S_IFLNK:
		return Link
	case unix.S_IFSOCK:
		return Socket
	case unix.S_IFIFO:
		return FIFO
	case unix.S_IFCHR:
		return Char
	case unix.S_IFBLK:
		return Block
	}
	return 0
}

func readlink(p string) (string, error) {
	target, err := os.Readlink(p)
	if err != nil {
		return "", pathError("readlink", p, err)
	}
	return target, nil
}

// openDir opens a directory for listing; a symbolic link is not followed.
func openDir(p string) (int, error) {
	for {
		fd, err := unix.Open(p, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		return fd, err
	}
}

// pathError gives an error the operation and the path, and makes what is
// beneath something else than a directory missing.
func pathError(op, p string, err error) error {
	var inner *fs.PathError
	if errors.As(err, &inner) {
		err = inner.Err
	}
	if errors.Is(err, unix.ENOTDIR) {
		err = fs.ErrNotExist
	}
	return &fs.PathError{Op: op, Path: p, Err: err}
}
