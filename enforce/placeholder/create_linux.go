package placeholder

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"github.com/sandboxc/sbc/enforce/dirfd"
	"golang.org/x/sys/unix"
)

func create(p string) error {
	d, err := dirfd.MkdirAll(p, 0o777)
	switch {
	case err == nil:
		d.Close()
		return nil
	case errors.Is(err, dirfd.ErrLink):
		return &Error{p, "a component is a symbolic link now, so the directory is not made; run the command again, so that the policy is compiled for what is there now", err}
	case errors.Is(err, unix.ENOTDIR):
		return &Error{p, "a component is no directory, so the directory cannot be made; move it away, or change the rule", err}
	}
	return &Error{p, `the directory cannot be made; make it yourself, or say on_missing = "skip" in its rule`, err}
}

func maskFile(p string) error {
	if err := validPath(p); err != nil {
		return err
	}
	dir, err := dirfd.MkdirAll(path.Dir(p), 0o777)
	if err != nil {
		return &Error{p, "the directory for the empty file that stands for closed ones cannot be made", err}
	}
	defer dir.Close()
	name := path.Base(p)
	fd, err := openat(dir, name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL)
	if err == nil {
		_ = unix.Close(fd) // empty: nothing can be lost
	} else if !errors.Is(err, fs.ErrExist) {
		return &Error{p, "the empty file that stands for closed ones cannot be made", err}
	}
	return checkMask(dir, name, p)
}

// checkMask satisfies itself that the file is what it should be.
func checkMask(dir dirfd.Dir, name, p string) error {
	i, err := dir.Stat(name)
	switch {
	case err != nil:
		return &Error{p, "the empty file that stands for closed ones cannot be looked at", err}
	case i.Mode&unix.S_IFMT != unix.S_IFREG || i.Size != 0:
		return &Error{p, "must be an empty file, which stands for closed ones; move away what is there", nil}
	case int(i.UID) != os.Geteuid():
		return &Error{p, fmt.Sprintf("the empty file that stands for closed ones belongs to user %d; remove it", i.UID), nil}
	case i.Perm() == 0:
		return nil
	}
	// A mode that lets nobody read it lets nobody open it to change the mode.
	fd, err := openat(dir, name, unix.O_PATH)
	if err != nil {
		return &Error{p, "the empty file that stands for closed ones cannot be opened", err}
	}
	defer func() { _ = unix.Close(fd) }() // nothing was written
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil || st.Ino != i.Ino {
		return &Error{p, "the empty file that stands for closed ones was replaced meanwhile; run the command again", err}
	}
	if err := unix.Chmod(fmt.Sprintf("/proc/self/fd/%d", fd), 0); err != nil {
		return &Error{p, "the empty file that stands for closed ones must have no permissions; chmod 000 it", err}
	}
	return nil
}

// openat opens or makes a file without permissions; a link is not followed.
func openat(dir dirfd.Dir, name string, flags int) (int, error) {
	for {
		fd, err := unix.Openat(dir.FD(), name, flags|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		if !errors.Is(err, unix.EINTR) {
			return fd, err
		}
	}
}
