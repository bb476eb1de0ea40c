package placeholder

import (
	"errors"
	"io/fs"
	"path"
	"slices"

	"github.com/sandboxc/sbc/enforce/dirfd"
	"golang.org/x/sys/unix"
)

// Release gives up all placeholders and removes those that nobody else holds. It
// returns what stays although nobody needs it, and what was not there any more.
// The error is about the run's own record; the next start deals with that. A
// second call does nothing.
func (h *Holder) Release() ([]Left, error) {
	var left []Left
	finished := true
	for _, p := range slices.Backward(h.held) {
		l, done := p.release()
		left = append(left, l...)
		finished = finished && done
	}
	h.held = nil
	for _, d := range h.parents {
		d.Close()
	}
	h.parents = nil
	r := h.record
	if r == nil {
		return left, nil
	}
	h.record = nil
	defer r.state.close()
	slices.Reverse(left)
	if !finished {
		r.leave()
		return left, nil
	}
	return left, r.drop()
}

// release gives up one placeholder. Done is set if there is nothing more to do
// about it, ever.
func (p *held) release() (left []Left, done bool) {
	defer p.dir.Close()
	if l, gone := p.gone(); gone {
		return []Left{l}, true
	}
	return remove(p.parent, p.dir, p.path)
}

// remove removes a placeholder that was found to be at its path, if nobody
// holds it.
func remove(parent, dir dirfd.Dir, at string) (left []Left, done bool) {
	stays := func(why string) []Left { return []Left{{Path: at, Why: why}} }
	// A child that is just being started has the descriptor until it executes
	// something, so that to close it is not enough.
	defer func() { _ = flock(dir.FD(), unix.LOCK_UN) }()
	switch err := flock(dir.FD(), unix.LOCK_EX|unix.LOCK_NB); {
	case errors.Is(err, unix.EWOULDBLOCK):
		return nil, false // whoever holds it removes it, or leaves that to a later start
	case err != nil:
		return stays("the placeholder stays, since it cannot be locked: " + err.Error() + "; remove it when no other run needs it"), false
	}
	i, err := dir.Self()
	if err != nil {
		return stays("the placeholder stays, since it cannot be looked at: " + err.Error()), false
	}
	if !looksLike(i) {
		return stays("the placeholder's owner or mode was changed, so it stays; remove it if you do not need it"), true
	}
	if now, err := parent.Stat(path.Base(at)); err != nil || now.Identity != i.Identity {
		return nil, true // somebody was faster
	}
	switch err := parent.Rmdir(path.Base(at)); {
	case err == nil, errors.Is(err, fs.ErrNotExist):
		return nil, true
	case errors.Is(err, unix.ENOTEMPTY), errors.Is(err, fs.ErrExist):
		return stays("somebody put something into the placeholder, so it stays; look at what is in it"), true
	default:
		return stays("the placeholder cannot be removed: " + err.Error() + "; the next run tries again"), false
	}
}
