package sweep

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/sandboxc/sbc/enforce/dirfd"
)

// store is the directory of one run in a quarantine.
type store struct {
	path string
	dir  dirfd.Dir
	next int
}

// slot is a fresh directory in a store, for one object.
type slot struct {
	store *store
	name  string
	dir   dirfd.Dir
}

// validRun says why a run's name cannot name a directory.
func validRun(run string) error {
	if run == "" || run == "." || run == ".." || strings.ContainsAny(run, "/\x00") {
		return fmt.Errorf("the run cannot be named %q in the quarantine", run)
	}
	return nil
}

// newStore makes a directory for the run in base, which is made if it is
// missing and must belong to this user alone.
func newStore(base dirfd.Dir, at, run string) (*store, error) {
	if err := validRun(run); err != nil {
		return nil, err
	}
	i, err := base.Self()
	if err != nil {
		return nil, err
	}
	if int(i.UID) != os.Geteuid() || i.Perm()&0o022 != 0 {
		return nil, fmt.Errorf("%s belongs to user %d with the mode %04o; what is moved aside must be kept where nobody else may write", at, i.UID, i.Perm())
	}
	name := run
	for n := 2; ; n++ {
		err := base.Mkdir(name, 0o700)
		if err == nil {
			break
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, &fs.PathError{Op: "mkdir", Path: filepath.Join(at, name), Err: err}
		}
		name = run + "-" + strconv.Itoa(n)
	}
	dir, err := base.Sub(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: filepath.Join(at, name), Err: err}
	}
	return &store{path: filepath.Join(at, name), dir: dir}, nil
}

// openStore opens the quarantine of the caller's choice. Links above it are the
// user's own.
func openStore(dir, run string) (*store, error) {
	if !filepath.IsAbs(dir) {
		return nil, fmt.Errorf("the quarantine must be an absolute path, not %q", dir)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, err
	}
	base, err := dirfd.Open(real)
	if err != nil {
		return nil, err
	}
	defer base.Close()
	return newStore(base, real, run)
}

// ownStore makes a quarantine in a directory that the command may have written,
// by the names of the directories to make.
func ownStore(dir dirfd.Dir, at string, names []string, run string) (*store, error) {
	for _, name := range names {
		at = filepath.Join(at, name)
		if err := dir.Mkdir(name, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, &fs.PathError{Op: "mkdir", Path: at, Err: err}
		}
		next, err := dir.Sub(name)
		if err != nil {
			return nil, &fs.PathError{Op: "open", Path: at, Err: err}
		}
		defer next.Close()
		dir = next
	}
	// The command may have made it, open for all.
	if i, err := dir.Self(); err == nil && int(i.UID) == os.Geteuid() && i.Perm() != 0o700 {
		if err := dir.Chmod(0o700); err != nil {
			return nil, &fs.PathError{Op: "chmod", Path: at, Err: err}
		}
	}
	return newStore(dir, at, run)
}

func (s *store) slot() (*slot, error) {
	s.next++
	name := strconv.Itoa(s.next)
	if err := s.dir.Mkdir(name, 0o700); err != nil {
		return nil, &fs.PathError{Op: "mkdir", Path: filepath.Join(s.path, name), Err: err}
	}
	d, err := s.dir.Sub(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: filepath.Join(s.path, name), Err: err}
	}
	return &slot{s, name, d}, nil
}

// path is where an object of that name is in the slot.
func (s *slot) path(name string) string { return filepath.Join(s.store.path, s.name, name) }

// note writes the note beside the slot. It is there before the object, so that a
// process that is killed leaves nothing without an explanation.
func (s *slot) note(text []byte) error {
	const flags = unix.O_WRONLY | unix.O_CREAT | unix.O_EXCL | unix.O_NOFOLLOW | unix.O_CLOEXEC
	name := s.name + ".json"
	fd, err := unix.Openat(s.store.dir.FD(), name, flags, 0o600)
	if err != nil {
		return &fs.PathError{Op: "open", Path: filepath.Join(s.store.path, name), Err: err}
	}
	f := os.NewFile(uintptr(fd), name)
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

// discard removes a slot that stayed empty, with its note.
func (s *slot) discard() {
	s.dir.Close()
	if s.store.dir.Rmdir(s.name) == nil {
		_ = s.store.dir.Unlink(s.name + ".json") // it may not have been written
	}
}

// close ends the use of a store and removes it if nothing is in it.
func (s *store) close() {
	s.dir.Close()
	_ = os.Remove(s.path) // fails if something is in it
}
