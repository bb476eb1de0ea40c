package sweep

import (
	"errors"
	"path"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sandboxc/sbc/enforce/dirfd"
)

// mover moves matches aside.
type mover struct {
	options AfterOptions
	rules   *rules
	store   *store // of the caller's choice; nil until it is needed
	failed  error  // why there is none
	own     map[string]*store
	taken   map[string]bool // directories named .sbc that are matches themselves
}

func (a *after) move() {
	m := &mover{options: a.options, rules: a.before.rules, own: map[string]*store{}, taken: map[string]bool{}}
	for _, match := range a.result.Matches {
		if path.Base(match.Path) == ownDir {
			m.taken[path.Dir(match.Path)] = true
		}
	}
	if m.options.Time.IsZero() {
		m.options.Time = time.Now()
	}
	for i := range a.result.Matches {
		match := &a.result.Matches[i]
		if !match.movable() || a.options.Confirm != nil && !a.options.Confirm(*match) {
			continue
		}
		m.move(match, a.objects[i])
	}
	for _, s := range m.own {
		s.close()
	}
	if m.store != nil {
		m.store.close()
	}
}

// errReplaced says that what is at a path is not what was judged.
var errReplaced = errors.New("it was replaced meanwhile, so it was left alone")

// move moves one match, or says why not.
func (m *mover) move(match *LateMatch, judged dirfd.Info) {
	parent, name, err := dirfd.Parent(match.Path)
	switch {
	case errors.Is(err, dirfd.ErrLink):
		match.Problem = "a directory above it was replaced by a link meanwhile, so it was left alone"
		return
	case err != nil:
		match.Problem = "it was left alone: " + err.Error()
		return
	}
	defer parent.Close()
	if i, err := parent.Stat(name); err != nil || !same(i, judged) {
		match.Problem = errReplaced.Error()
		return
	}
	s, err := m.choice()
	if err == nil {
		err = m.into(s, parent, name, match, judged)
	}
	if errors.Is(err, unix.EXDEV) {
		if s, err = m.nearby(match.Path, parent); err == nil {
			err = m.into(s, parent, name, match, judged)
		}
	}
	if err != nil {
		match.Problem = err.Error()
		if !errors.Is(err, errReplaced) {
			match.Problem = "it could not be moved: " + match.Problem
		}
	}
}

// same reports whether the object is the one that was judged.
func same(i, judged dirfd.Info) bool {
	return i.Identity == judged.Identity && i.Type() == judged.Type()
}

// choice returns the store of the caller's choice.
func (m *mover) choice() (*store, error) {
	if m.store == nil && m.failed == nil {
		m.store, m.failed = openStore(m.options.Dir, m.options.Run)
	}
	return m.store, m.failed
}

// nearby returns a store on the same mount as the directory: in the write root,
// or in the highest directory beneath it that is on that mount.
func (m *mover) nearby(p string, parent dirfd.Dir) (*store, error) {
	here, err := parent.Self()
	if err != nil {
		return nil, err
	}
	at, root := path.Dir(p), m.rules.root(p)
	for at != root {
		up, err := dirfd.Open(path.Dir(at))
		if err != nil {
			return nil, err
		}
		i, err := up.Self()
		up.Close()
		if err != nil || i.Dev != here.Dev || i.Mount != here.Mount {
			break
		}
		at = path.Dir(at)
	}
	if s := m.own[at]; s != nil {
		return s, nil
	}
	d, err := dirfd.Open(at)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	names := []string{ownDir, quarantineDir}
	if m.taken[at] {
		names = []string{ownDir + "-" + quarantineDir}
	}
	s, err := ownStore(d, at, names, m.options.Run)
	if err == nil {
		m.own[at] = s
	}
	return s, err
}

// into moves an object into a slot of the store, and looks whether it was the
// right one; if not, it moves it back.
func (m *mover) into(s *store, parent dirfd.Dir, name string, match *LateMatch, judged dirfd.Info) error {
	to, err := s.slot()
	if err != nil {
		return err
	}
	moved := to.path(name)
	reason := m.rules.decider.Policy().Files[match.Rule].Reason
	if err := to.note(newNote(match, moved, reason, m.options.Run, m.options.Time)); err != nil {
		to.discard()
		return err
	}
	if err := rename(parent, name, to.dir, judged); err != nil {
		to.discard()
		if gone(err) {
			return errReplaced
		}
		return err
	}
	if i, err := to.dir.Stat(name); err == nil && same(i, judged) {
		match.Quarantined = moved
		to.dir.Close()
		return nil
	}
	if err := to.dir.Rename(name, parent, name); err != nil {
		match.Quarantined = moved
		match.Problem = "it was replaced while it was moved, and what was moved cannot be put back (" + err.Error() + "); look at it"
		to.dir.Close()
		return nil
	}
	to.discard()
	return errReplaced
}

// rename moves the object into a directory in which nobody else can make
// anything. Where a mode is in the way that the owner can change, it is changed
// for that moment.
func rename(parent dirfd.Dir, name string, to dirfd.Dir, judged dirfd.Info) error {
	err := renameOnce(parent, name, to)
	if !errors.Is(err, unix.EACCES) {
		return err
	}
	const perm = 0o700
	if i, err := parent.Self(); err == nil && i.Perm()&perm != perm && parent.Chmod(i.Perm()|perm) == nil {
		defer func() { _ = parent.Chmod(i.Perm()) }() // just changed, so it can be
	}
	if judged.IsDir() && judged.Perm()&perm != perm {
		// To move a directory is to write its "..".
		d, err := parent.Sub(name)
		if err != nil {
			return err
		}
		defer d.Close()
		if i, err := d.Self(); err == nil && same(i, judged) && d.Chmod(i.Perm()|perm) == nil {
			defer func() { _ = d.Chmod(i.Perm()) }() // just changed, so it can be
		}
	}
	return renameOnce(parent, name, to)
}

// renameOnce uses a plain rename where the file system cannot promise to
// replace nothing: there is nothing in the slot.
func renameOnce(parent dirfd.Dir, name string, to dirfd.Dir) error {
	err := parent.Rename(name, to, name)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) {
		return parent.RenameOver(name, to, name)
	}
	return err
}
