package dirfd

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"
)

// Mkdir makes a directory in d; the umask takes bits away, as for mkdir(2).
func (d Dir) Mkdir(name string, perm uint32) error {
	return retry(func() error { return unix.Mkdirat(d.fd, name, perm) })
}

// Rmdir removes an empty directory in d.
func (d Dir) Rmdir(name string) error {
	return retry(func() error { return unix.Unlinkat(d.fd, name, unix.AT_REMOVEDIR) })
}

// Unlink removes a name in d that is no directory.
func (d Dir) Unlink(name string) error {
	return retry(func() error { return unix.Unlinkat(d.fd, name, 0) })
}

// Rename moves a name in d to another one in to, which must not exist yet
// (RENAME_NOREPLACE, renameat2(2)). It fails with EINVAL or ENOSYS where the file
// system or the kernel cannot promise that.
func (d Dir) Rename(name string, to Dir, as string) error {
	return retry(func() error { return unix.Renameat2(d.fd, name, to.fd, as, unix.RENAME_NOREPLACE) })
}

// RenameOver moves a name in d to another one in to. An existing file or empty
// directory of that name is replaced, so the caller must own the directory.
func (d Dir) RenameOver(name string, to Dir, as string) error {
	return retry(func() error { return unix.Renameat(d.fd, name, to.fd, as) })
}

// Chmod changes the permission bits of the directory itself, whatever its name
// leads to by now. It works for every descriptor and needs /proc (proc(5)).
func (d Dir) Chmod(perm uint32) error {
	return retry(func() error { return unix.Chmod("/proc/self/fd/"+strconv.Itoa(d.fd), perm) })
}

// Names lists the directory, which must come from [Dir.List], sorted; at most
// about as many names as fit 32 KiB if few is set, which is enough to see
// whether there are any. It reads from where the last call ended.
func (d Dir) Names(few bool) ([]string, error) {
	var out []string
	buf := make([]byte, 32<<10)
	for {
		n := 0
		err := retry(func() (err error) {
			n, err = unix.Getdents(d.fd, buf)
			return err
		})
		if err != nil {
			return nil, err
		}
		if out = appendNames(out, buf[:n]); n == 0 || few && len(out) > 0 {
			slices.Sort(out)
			return out, nil
		}
	}
}

// appendNames reads struct linux_dirent64 (getdents(2)): the length of the
// record at byte 16, the name from byte 19 up to a NUL.
func appendNames(out []string, block []byte) []string {
	const lengthAt, nameAt = 16, 19
	for len(block) > nameAt {
		length := int(binary.NativeEndian.Uint16(block[lengthAt:]))
		if length <= nameAt || length > len(block) {
			return out
		}
		name := block[nameAt:length]
		if end := bytes.IndexByte(name, 0); end >= 0 {
			name = name[:end]
		}
		if s := string(name); s != "." && s != ".." {
			out = append(out, s)
		}
		block = block[length:]
	}
	return out
}

// MkdirAll makes a directory and all that is missing above it, as mkdir -p
// does, and opens it. No component may be a symbolic link; what exists must be
// directories.
func MkdirAll(p string, perm uint32) (Dir, error) {
	if d, err := Open(p); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return d, err
	}
	at, err := root()
	if err != nil {
		return Dir{}, err
	}
	for name := range components(p) {
		next, err := at.subOrMake(name, perm)
		at.Close()
		if err != nil {
			return Dir{}, &fs.PathError{Op: "mkdir", Path: p, Err: fmt.Errorf("at %q: %w", name, err)}
		}
		at = next
	}
	return at, nil
}

func (d Dir) subOrMake(name string, perm uint32) (Dir, error) {
	for {
		next, err := d.Sub(name)
		if !errors.Is(err, fs.ErrNotExist) {
			return next, err
		}
		if err := d.Mkdir(name, perm); err != nil && !errors.Is(err, fs.ErrExist) {
			return Dir{}, err
		}
	}
}
