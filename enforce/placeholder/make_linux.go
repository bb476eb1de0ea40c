package placeholder

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"time"

	"github.com/sandboxc/sbc/enforce/dirfd"
	"golang.org/x/sys/unix"
)

// maker gets hold of one placeholder.
type maker struct {
	state  *state
	own    string // the name of this run's record
	path   string
	parent dirfd.Dir
	wait   time.Duration
	made   bool // the directory was made at least once
}

// errBusy says that others are about to make or remove the directory.
var errBusy = errors.New("other programs make and remove it all the time; run the command again when they have ended")

// make makes the directory, or finds it, and locks it.
func (m *maker) make() (dirfd.Dir, dirfd.Identity, error) {
	for end := time.Now().Add(m.wait); ; time.Sleep(time.Millisecond) {
		made, err := m.mkdir()
		m.made = m.made || made
		if err != nil {
			return dirfd.Dir{}, dirfd.Identity{}, err
		}
		dir, id, err := m.lock(made)
		if err == nil {
			return dir, id, nil
		}
		var final *Error
		if errors.As(err, &final) {
			return dirfd.Dir{}, dirfd.Identity{}, err
		}
		if time.Now().After(end) {
			return dirfd.Dir{}, dirfd.Identity{}, &Error{m.path, err.Error(), nil}
		}
	}
}

// takeBack removes what was made although it cannot be held, and reports whether
// nothing is left of it.
func (m *maker) takeBack() bool {
	dir, err := m.parent.List(path.Base(m.path))
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer dir.Close()
	_, done := remove(m.parent, dir, m.path)
	return done
}

func (m *maker) mkdir() (made bool, err error) {
	switch err := m.parent.Mkdir(path.Base(m.path), perm); {
	case err == nil:
		return true, nil
	case errors.Is(err, fs.ErrExist):
		return false, nil
	case errors.Is(err, unix.ENOENT):
		return false, &Error{m.path, "the directory that it lies in has vanished; run the command again", err}
	case errors.Is(err, fs.ErrPermission), errors.Is(err, unix.EROFS):
		return false, &Error{m.path, `the placeholder that keeps it free cannot be made, since its directory is not writable; make the path, or say on_missing = "skip" in its rule`, err}
	default:
		return false, &Error{m.path, "the placeholder that keeps it free cannot be made", err}
	}
}

// lock opens the directory, satisfies itself that it is a placeholder, and takes
// a share of it. Every error but an [*Error] may pass by itself.
func (m *maker) lock(made bool) (dirfd.Dir, dirfd.Identity, error) {
	name := path.Base(m.path)
	if made {
		if err := m.setMode(name); err != nil {
			return dirfd.Dir{}, dirfd.Identity{}, err
		}
	}
	dir, err := m.parent.List(name)
	switch {
	case errors.Is(err, unix.ENOENT):
		return dir, dirfd.Identity{}, errBusy
	case err != nil:
		return dir, dirfd.Identity{}, m.taken(name, err)
	}
	id, err := m.share(dir, name, made)
	if err != nil {
		dir.Close()
	}
	return dir, id, err
}

// setMode gives a directory that was just made its mode if the umask, or the
// directory above, gave it another one.
func (m *maker) setMode(name string) error {
	d, err := m.parent.Sub(name)
	if errors.Is(err, unix.ENOENT) {
		return errBusy
	}
	if err != nil {
		return m.taken(name, err)
	}
	defer d.Close()
	i, err := d.Self()
	if err == nil && i.Perm() != perm {
		err = d.Chmod(perm)
	}
	if err != nil {
		return &Error{m.path, "the placeholder's mode cannot be set", err}
	}
	return nil
}

func (m *maker) share(dir dirfd.Dir, name string, made bool) (dirfd.Identity, error) {
	i, err := dir.Self()
	if err != nil {
		return i.Identity, &Error{m.path, "the placeholder cannot be looked at", err}
	}
	if !looksLike(i) {
		return i.Identity, m.taken(name, nil)
	}
	switch inside, err := dir.Names(true); {
	case errors.Is(err, unix.ENOENT):
		return i.Identity, errBusy // it was just removed
	case err != nil || len(inside) > 0:
		return i.Identity, m.taken(name, err)
	}
	if !made && !m.state.proved(m.path, i.Identity, m.own) {
		return i.Identity, errors.New("an empty directory stands there now that no run of sbc has made; run the command again, so that the policy is compiled for it, or remove it")
	}
	switch err := flock(dir.FD(), unix.LOCK_SH|unix.LOCK_NB); {
	case errors.Is(err, unix.EWOULDBLOCK):
		return i.Identity, errors.New("another program keeps the placeholder locked for itself; end that program, or remove the empty directory")
	case err != nil:
		return i.Identity, &Error{m.path, "the placeholder cannot be locked (flock), so it cannot be shared with other runs; make the path, or say on_missing = \"skip\" in its rule", err}
	}
	if now, err := m.parent.Stat(name); err != nil || now.Identity != i.Identity {
		return i.Identity, errBusy // the one before was just removed
	}
	return i.Identity, nil
}

// taken is the error for a path at which something else stands.
func (m *maker) taken(name string, cause error) error {
	const again = "run the command again, so that the policy is compiled for what is there now"
	i, err := m.parent.Stat(name)
	switch {
	case errors.Is(err, unix.ENOENT):
		return errBusy
	case err != nil:
		return &Error{m.path, "cannot be looked at", err}
	case i.Link():
		return &Error{m.path, "a symbolic link stands there now; look at it, then " + again, nil}
	case !i.IsDir():
		return &Error{m.path, fmt.Sprintf("a %s stands there now; %s", i.Type(), again), nil}
	case i.Perm()&^setgid == perm && !looksLike(i):
		return &Error{m.path, fmt.Sprintf("a directory of user %d stands there, perhaps the placeholder of a run of his; wait for its end", i.UID), cause}
	}
	return &Error{m.path, "a directory stands there now; " + again, cause}
}
