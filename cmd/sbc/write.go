package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// writeOutput writes a product: to stdout for "-", straight into a descriptor, a
// device or a FIFO, and to a file in one step. A file that the policy was read
// from is left alone.
func (a *app) writeOutput(name string, data []byte, perm os.FileMode, cache *fileCache) error {
	if name == "-" {
		a.out.Write(data)
		return nil
	}
	if n, ok := descriptor(name); ok {
		return a.writeDescriptor(n, name, data)
	}
	if cache.wasRead(name) {
		return misuse("name another file", "cannot write the output: %q is a file that the policy was read from", name)
	}
	write := func() error { return writeAtomic(name, data, perm) }
	if info, err := os.Lstat(name); err == nil && info.Mode()&(fs.ModeCharDevice|fs.ModeNamedPipe) != 0 {
		write = func() error { return writeStraight(name, data) }
	}
	if err := write(); err != nil {
		return misuse("", "cannot write the output: %v", err)
	}
	return nil
}

// writeDescriptor writes to an open descriptor of the process, where it stands.
func (a *app) writeDescriptor(n int, name string, data []byte) error {
	var w io.Writer
	switch n {
	case 1:
		a.out.Write(data)
		return nil
	case 2:
		w = a.stderr
	default:
		w = os.NewFile(uintptr(n), name)
	}
	if _, err := w.Write(data); err != nil {
		return misuse("", "cannot write the output: %v", err)
	}
	return nil
}

// writeStraight writes into what is no regular file, such as a terminal.
func writeStraight(name string, data []byte) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0) //nolint:gosec // G304: the user names the file
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// descriptor returns the open descriptor of this process that a name such as
// /dev/stdout or /dev/fd/3 stands for. What the name leads to may be a regular
// file; opening that again would lose what was written through the descriptor.
func descriptor(name string) (int, bool) {
	self, err := filepath.EvalSymlinks("/proc/self")
	if err != nil {
		self = "/dev" // there is no /proc, as on macOS
	}
	for range 2 { // /dev/stdout is a link to one of the others
		dir, err := filepath.EvalSymlinks(filepath.Dir(name))
		if err != nil {
			return 0, false
		}
		number, err := strconv.ParseUint(filepath.Base(name), 10, 31)
		if err == nil && strings.HasPrefix(dir, self+"/") && filepath.Base(dir) == "fd" {
			return int(number), true
		}
		to, err := os.Readlink(name)
		if dir != "/dev" || err != nil {
			return 0, false
		}
		name = to
		if !filepath.IsAbs(to) {
			name = filepath.Join(dir, to)
		}
	}
	return 0, false
}

// writeAtomic makes a file with the content, or replaces it, in one step: a
// reader sees the old content or the new. A link is replaced, not followed: it
// may have been put there by somebody who may not write where it leads. The
// permission bits, less the umask, are those of a new file; an old one keeps its
// own.
func writeAtomic(name string, data []byte, perm os.FileMode) (err error) {
	old, statErr := os.Lstat(name)
	regular := statErr == nil && old.Mode().IsRegular()
	if statErr == nil && !regular && old.Mode().Type() != fs.ModeSymlink {
		return &os.PathError{Op: "replace", Path: name, Err: errors.New("not a regular file")}
	}
	tmp := besides(name)
	f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm) //nolint:gosec // G304: the user names the file
	if err != nil {
		return aboutFile(name, err)
	}
	defer func() {
		if err != nil {
			_ = f.Close() // it may be closed already; what matters is err
			_ = os.Remove(tmp)
			err = aboutFile(name, err)
		}
	}()
	if _, err := f.Write(data); err != nil {
		return err
	}
	if regular {
		if err := f.Chmod(old.Mode().Perm()); err != nil {
			return err
		}
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(tmp, name)
}

// aboutFile makes an error that is about a temporary file one about the file
// that it was to become.
func aboutFile(name string, err error) error {
	cause := err
	var p *os.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		cause = p.Err
	case errors.As(err, &l):
		cause = l.Err
	}
	dir := filepath.Dir(name)
	if _, statErr := os.Stat(dir); errors.Is(statErr, fs.ErrNotExist) {
		return fmt.Errorf("the directory %q does not exist", dir)
	}
	return &os.PathError{Op: "write", Path: name, Err: cause}
}

// besides is an unused name in the same directory.
func besides(name string) string {
	return filepath.Join(filepath.Dir(name), fmt.Sprintf(".%s.%s", filepath.Base(name), rand.Text()[:8]))
}
