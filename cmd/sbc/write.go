package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// writeOutput writes a product to a file in one step, or to stdout for "-".
func (a *app) writeOutput(name string, data []byte, perm os.FileMode) error {
	if name == "-" {
		a.out.Write(data)
		return nil
	}
	if err := writeAtomic(name, data, perm); err != nil {
		return misuse("", "cannot write the output: %v", err)
	}
	return nil
}

// writeAtomic makes a file with the content, or replaces it, in one step: a
// reader sees the old content or the new. A link is followed. The permission
// bits, less the umask, are those of a new file; an old one keeps its own.
func writeAtomic(name string, data []byte, perm os.FileMode) (err error) {
	if to, err := filepath.EvalSymlinks(name); err == nil {
		name = to
	}
	old, statErr := os.Stat(name)
	if statErr == nil && !old.Mode().IsRegular() {
		return &os.PathError{Op: "replace", Path: name, Err: errors.New("not a regular file")}
	}
	tmp := besides(name)
	f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm) //nolint:gosec // G304: the user names the file
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close() // it may be closed already; what matters is err
			_ = os.Remove(tmp)
		}
	}()
	if _, err := f.Write(data); err != nil {
		return err
	}
	if statErr == nil {
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

// besides is an unused name in the same directory.
func besides(name string) string {
	return filepath.Join(filepath.Dir(name), fmt.Sprintf(".%s.%s", filepath.Base(name), rand.Text()[:8]))
}
