package placeholder

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// suffix is that of the names of records.
const suffix = ".run"

// state is the directory of records, open.
type state struct {
	path string
	dir  *os.File
}

// openState opens the directory, or makes it. Without create a missing one
// gives nil.
func openState(p string, create bool) (*state, error) {
	if !filepath.IsAbs(p) {
		return nil, fmt.Errorf("the directory for records of placeholders must be an absolute path, not %q", p)
	}
	const flags = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_CLOEXEC
	dir, err := os.OpenFile(p, flags, 0) //nolint:gosec // G304: the caller's own state directory
	if errors.Is(err, fs.ErrNotExist) {
		if !create {
			return nil, nil //nolint:nilnil // no directory means no records
		}
		if err = os.MkdirAll(p, 0o700); err == nil {
			dir, err = os.OpenFile(p, flags, 0) //nolint:gosec // G304: as above
		}
	}
	if err != nil {
		return nil, fmt.Errorf("cannot open the directory for records of placeholders: %w", err)
	}
	if err := owned(dir); err != nil {
		_ = dir.Close()
		return nil, err
	}
	return &state{p, dir}, nil
}

// owned refuses a directory that somebody else could put records into.
func owned(dir *os.File) error {
	var st unix.Stat_t
	if err := unix.Fstat(int(dir.Fd()), &st); err != nil {
		return &fs.PathError{Op: "stat", Path: dir.Name(), Err: err}
	}
	if uid := os.Geteuid(); int(st.Uid) != uid {
		return fmt.Errorf("%s belongs to user %d and not to user %d who runs sbc; choose another state directory", dir.Name(), st.Uid, uid)
	}
	if st.Mode&0o022 != 0 {
		return fmt.Errorf("%s may be written by others (mode %04o), so its records cannot be trusted; look at what is in it, then chmod 700 it", dir.Name(), st.Mode&0o7777)
	}
	return nil
}

func (s *state) close() { _ = s.dir.Close() }

// names lists the records.
func (s *state) names() ([]string, error) {
	if _, err := s.dir.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	all, err := s.dir.Readdirnames(-1)
	if err != nil {
		return nil, fmt.Errorf("cannot list records of placeholders: %w", err)
	}
	var out []string
	for _, n := range all {
		if strings.HasSuffix(n, suffix) {
			out = append(out, n)
		}
	}
	return out, nil
}

func (s *state) openRecord(name string, flags int) (*os.File, error) {
	full := filepath.Join(s.path, name)
	for {
		fd, err := unix.Openat(int(s.dir.Fd()), name, flags|unix.O_CLOEXEC|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0o600)
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return nil, &fs.PathError{Op: "open", Path: full, Err: err}
		default:
			return os.NewFile(uintptr(fd), full), nil
		}
	}
}

// linked reports whether the name still leads to the open file.
func (s *state) linked(f *os.File, name string) bool {
	var a, b unix.Stat_t
	return unix.Fstat(int(f.Fd()), &a) == nil &&
		unix.Fstatat(int(s.dir.Fd()), name, &b, unix.AT_SYMLINK_NOFOLLOW) == nil &&
		a.Dev == b.Dev && a.Ino == b.Ino
}

func (s *state) remove(name string) error {
	err := unix.Unlinkat(int(s.dir.Fd()), name, 0)
	if err == nil || errors.Is(err, unix.ENOENT) {
		return nil
	}
	return &fs.PathError{Op: "remove", Path: filepath.Join(s.path, name), Err: err}
}

// newRecord makes an empty record that this process keeps locked.
func (s *state) newRecord() (*record, error) {
	for {
		name := strings.ToLower(rand.Text()) + suffix
		f, err := s.openRecord(name, unix.O_RDWR|unix.O_CREAT|unix.O_EXCL|unix.O_APPEND)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if err := flock(int(f.Fd()), unix.LOCK_EX); err != nil {
			_ = f.Close()
			return nil, &fs.PathError{Op: "lock", Path: f.Name(), Err: err}
		}
		if s.linked(f, name) {
			return &record{state: s, name: name, file: f}, nil
		}
		// Somebody who cleaned up saw it before it was locked, and empty.
		_ = f.Close()
	}
}

// record is a record of this process.
type record struct {
	state *state
	name  string
	file  *os.File
}

// add writes lines in one go.
func (r *record) add(text []byte) error {
	_, err := r.file.Write(text)
	return err
}

// drop removes the record, and the lock with it.
func (r *record) drop() error {
	err := r.state.remove(r.name)
	_ = r.file.Close()
	return err
}

// leave lets the next start look at it, even while a child that is just being
// started has the descriptor.
func (r *record) leave() {
	_ = flock(int(r.file.Fd()), unix.LOCK_UN)
	_ = r.file.Close()
}

func flock(fd, how int) error {
	for {
		if err := unix.Flock(fd, how); !errors.Is(err, unix.EINTR) {
			return err
		}
	}
}
