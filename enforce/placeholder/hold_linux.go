package placeholder

import (
	"errors"
	"fmt"
	"os"
	"path"

	"github.com/sandboxc/sbc/enforce/dirfd"
	"golang.org/x/sys/unix"
)

// Holder holds placeholders for one run.
type Holder struct {
	record  *record
	parents map[string]dirfd.Dir // the directories above, by path
	held    []held
	unsure  bool // something was made that could not be taken back
}

// held is one placeholder, locked.
type held struct {
	path   string
	parent dirfd.Dir
	dir    dirfd.Dir
	id     dirfd.Identity
}

// Hold makes the placeholders, or shares those that other runs have made, and
// holds them until [Holder.Release] or the end of the process. Without paths it
// touches nothing.
//
// Where anything else than a placeholder stands at a path, or the directory that
// should hold it cannot be reached without following a link, nothing is held and
// the error is an [*Error].
func Hold(paths []string, o Options) (*Holder, error) {
	sorted, err := sortedPaths(paths)
	if err != nil {
		return nil, err
	}
	h := &Holder{parents: map[string]dirfd.Dir{}}
	if len(sorted) == 0 {
		return h, nil
	}
	s, err := openState(o.State, true)
	if err != nil {
		return nil, err
	}
	if err := h.hold(s, sorted, o); err != nil {
		h.undo(s)
		return nil, err
	}
	return h, nil
}

// undo takes back a start that failed. What cannot be removed now stays in the
// run's record, for the next start.
func (h *Holder) undo(s *state) {
	r := h.record
	h.record = nil
	left, _ := h.Release()
	switch {
	case r == nil:
	case h.unsure || len(left) > 0:
		r.leave()
	default:
		_ = r.drop() // a record that cannot be removed is the next start's
	}
	s.close()
}

func (h *Holder) hold(s *state, paths []string, o Options) error {
	text := line(header{Version: 1, PID: os.Getpid()})
	for _, p := range paths {
		dev, err := h.above(p)
		if err != nil {
			return err
		}
		text = append(text, line(entry{Path: p, Dev: dev})...)
	}
	// All is written down before anything is made.
	r, err := s.newRecord()
	if err != nil {
		return fmt.Errorf("cannot record placeholders before they are made: %w", err)
	}
	h.record = r
	if err := r.add(text); err != nil {
		return fmt.Errorf("cannot record placeholders before they are made: %w", err)
	}
	for _, p := range paths {
		m := &maker{state: s, own: r.name, path: p, parent: h.parents[path.Dir(p)], wait: o.wait()}
		dir, id, err := m.make()
		if err != nil {
			h.unsure = m.made && !m.takeBack()
			return err
		}
		h.held = append(h.held, held{p, m.parent, dir, id})
		if err := r.add(line(entry{Path: p, Dev: id.Dev, Ino: id.Ino, Born: id.Born})); err != nil {
			return fmt.Errorf("cannot record the placeholder %s: %w", p, err)
		}
	}
	return nil
}

// above opens the directory that a path lies in and returns its device.
func (h *Holder) above(p string) (uint64, error) {
	dir := path.Dir(p)
	d, ok := h.parents[dir]
	if !ok {
		var err error
		if d, err = dirfd.Open(dir); err != nil {
			why := "the directory that it lies in cannot be opened; run the command again, so that the policy is compiled for what is there now"
			switch {
			case errors.Is(err, dirfd.ErrLink):
				why = "a directory above it is a symbolic link now; run the command again, so that the policy is compiled for what is there now"
			case errors.Is(err, unix.ENOENT), errors.Is(err, unix.ENOTDIR):
				why = "the directory that it lies in has vanished; run the command again, so that the policy is compiled for what is there now"
			}
			return 0, &Error{p, why, err}
		}
		h.parents[dir] = d
	}
	i, err := d.Self()
	if err != nil {
		return 0, &Error{p, "the directory that it lies in cannot be looked at", err}
	}
	return i.Dev, nil
}

// Check says which placeholders do not stand at their paths any more. After the
// sandbox's mounts are made an answer means that something may be open.
func (h *Holder) Check() []Left {
	var out []Left
	for i := range h.held {
		if l, ok := h.held[i].gone(); ok {
			out = append(out, l)
		}
	}
	return out
}

// gone reports what is wrong if the directory is not at its path.
func (p *held) gone() (Left, bool) {
	i, err := p.parent.Stat(path.Base(p.path))
	switch {
	case errors.Is(err, unix.ENOENT):
		return Left{p.path, "another program removed the placeholder while the command ran, so the command could make it; look at what is there", true}, true
	case err != nil:
		return Left{p.path, "the placeholder cannot be looked at: " + err.Error(), false}, true
	case i.Identity != p.id:
		return Left{p.path, "another program put something else in the placeholder's place while the command ran, so the command could change it; look at what is there", true}, true
	}
	return Left{}, false
}
