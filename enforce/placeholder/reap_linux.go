package placeholder

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sandboxc/sbc/enforce/dirfd"
	"golang.org/x/sys/unix"
)

// expiry is how long a record is kept that speaks only of directories on file
// systems that are not there.
const expiry = 30 * 24 * time.Hour

// prompt is how long after its record a directory may have been made to be taken
// for the one that was about to be made, and slack how exact the times of files
// are.
const (
	prompt = 10 * time.Second
	slack  = 50 * time.Millisecond
)

// Reap removes what runs left that did not come to their end. It returns what
// stays, each once; damaged records are set aside under another name and are
// among it. Without a state directory it does nothing.
func Reap(o Options) ([]Left, error) {
	s, err := openState(o.State, false)
	if s == nil || err != nil {
		return nil, err
	}
	defer s.close()
	names, err := s.names()
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	var left []Left
	var errs []error
	for _, name := range names {
		l, err := s.reap(name)
		left = append(left, l...)
		errs = append(errs, err)
	}
	return left, errors.Join(errs...)
}

// reap deals with one record, if its owner is gone.
func (s *state) reap(name string) ([]Left, error) {
	full := filepath.Join(s.path, name)
	f, err := s.openRecord(name, unix.O_RDWR)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, unix.EROFS) {
		f, err = s.openRecord(name, unix.O_RDONLY)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil // another start was faster
	case err != nil:
		return s.setAside(name, err)
	}
	defer (&record{file: f}).leave() // nothing was written
	switch err := flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); {
	case errors.Is(err, unix.EWOULDBLOCK):
		return nil, nil // its owner lives, or another start is at it
	case err != nil:
		return nil, &fs.PathError{Op: "lock", Path: full, Err: err}
	}
	if !s.linked(f, name) {
		return nil, nil
	}
	text, err := readRecord(f)
	if err != nil {
		return s.setAside(name, err)
	}
	entries, err := parseRecord(text)
	if err != nil {
		return s.setAside(name, err)
	}
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	var left []Left
	finished := true
	for _, e := range slices.Backward(entries) {
		l, done := e.reap(st.ModTime())
		left = append(left, l...)
		finished = finished && done
	}
	slices.Reverse(left)
	if !finished && time.Since(st.ModTime()) < expiry {
		return left, nil
	}
	return left, s.remove(name)
}

// setAside gives a record that cannot be trusted a name under which nobody
// looks at it.
func (s *state) setAside(name string, cause error) ([]Left, error) {
	as := strings.TrimSuffix(name, suffix) + ".damaged"
	d := int(s.dir.Fd())
	if err := unix.Renameat2(d, name, d, as, unix.RENAME_NOREPLACE); err != nil {
		return nil, fmt.Errorf("%s is damaged (%w) and cannot be set aside: %w", filepath.Join(s.path, name), cause, err)
	}
	return []Left{{
		Path: filepath.Join(s.path, as),
		Why:  "a record of placeholders is damaged (" + cause.Error() + "); empty directories with the mode 0500 may be left at the paths that it names; remove them, and it",
	}}, nil
}

// reap removes what the entry names. Done is set if there is nothing more to do
// about it, ever.
func (e entry) reap(written time.Time) (left []Left, done bool) {
	stays := func(why string) []Left { return []Left{{Path: e.Path, Why: why}} }
	parent, err := dirfd.Open(path.Dir(e.Path))
	switch {
	case errors.Is(err, dirfd.ErrLink):
		return stays("a directory above is a symbolic link now, so nobody looked whether a placeholder is left there; remove it if it is an empty directory with the mode 0500"), true
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, unix.ENOTDIR):
		return nil, !e.elsewhere(path.Dir(e.Path))
	case err != nil:
		return stays("a placeholder may be left there, but its directory cannot be opened: " + err.Error()), false
	}
	defer parent.Close()
	dir, err := parent.List(path.Base(e.Path))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		above, err := parent.Self()
		return nil, err == nil && above.Dev == e.Dev // otherwise its file system is not mounted
	case errors.Is(err, dirfd.ErrLink), errors.Is(err, unix.ENOTDIR):
		return nil, true // something of the user's own
	case errors.Is(err, fs.ErrPermission):
		return stays("a placeholder may be left there, but its owner or mode was changed; look at what is there"), true
	case err != nil:
		return stays("a placeholder may be left there, but it cannot be opened: " + err.Error()), false
	}
	defer dir.Close()
	i, err := dir.Self()
	if err != nil {
		return stays("a placeholder may be left there, but it cannot be looked at: " + err.Error()), false
	}
	if e.Ino == 0 && !e.foreseen(i, written) || e.Ino != 0 && !e.same(i.Identity) {
		return nil, true // a directory of the user's own
	}
	return remove(parent, dir, e.Path)
}

// foreseen reports whether the directory is the one that its maker was about to
// make when it was killed, right after it had written so.
func (e entry) foreseen(i dirfd.Info, written time.Time) bool {
	born := i.Born
	if born == 0 {
		born = i.Changed
	}
	at := time.Unix(0, born)
	return looksLike(i) && !at.Before(written.Add(-slack)) && !at.After(written.Add(prompt))
}

// elsewhere reports whether the entry's directory is on a file system that is
// not there: the deepest directory that exists is on another one.
func (e entry) elsewhere(dir string) bool {
	for ; dir != "/"; dir = path.Dir(dir) {
		d, err := dirfd.Open(dir)
		if err != nil {
			continue
		}
		i, err := d.Self()
		d.Close()
		return err != nil || i.Dev != e.Dev
	}
	d, err := dirfd.Open("/")
	if err != nil {
		return true
	}
	defer d.Close()
	i, err := d.Self()
	return err != nil || i.Dev != e.Dev
}
