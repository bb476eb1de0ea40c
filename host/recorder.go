package host

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"sync"
)

// Recorder is a view that passes every question on to another one and remembers
// the answers. It is safe for concurrent use.
type Recorder struct {
	view View

	mu        sync.Mutex
	nodes     map[string]recorded
	listed    map[string][]Entry // the answers of ReadDir
	dirs      map[string]string  // where directories that were passed are, links followed
	mounts    []Mount
	mountsErr string
}

// NewRecorder returns a recorder that asks the view.
func NewRecorder(v View) *Recorder {
	return &Recorder{view: v, nodes: map[string]recorded{}, listed: map[string][]Entry{}, dirs: map[string]string{}}
}

// Lstat implements [View].
func (r *Recorder) Lstat(p string) (Node, error) {
	n, err := r.view.Lstat(p)
	r.noteLstat(p, n, err)
	return n, err
}

// Readlink implements [View].
func (r *Recorder) Readlink(p string) (string, error) {
	target, err := r.view.Readlink(p)
	if err == nil {
		r.note(p, func(n *recorded) { n.be(Link); n.target = target })
		return target, nil
	}
	// The answer depends on what the path is, so the record must say that.
	node, lerr := r.view.Lstat(p)
	r.noteLstat(p, node, lerr)
	if lerr == nil && node.Type == Link {
		r.note(p, func(n *recorded) { n.readlink = errorText(err) })
	}
	return target, err
}

// ReadDir implements [View].
func (r *Recorder) ReadDir(p string) ([]Entry, error) {
	entries, err := r.view.ReadDir(p)
	if err != nil {
		node, lerr := r.view.Lstat(p)
		r.noteLstat(p, node, lerr)
		if lerr == nil && node.Type == Dir {
			r.note(p, func(n *recorded) { n.readdir = errorText(err) })
		}
		return entries, err
	}
	at := r.note(p, func(n *recorded) { n.be(Dir) })
	r.mu.Lock()
	defer r.mu.Unlock()
	r.listed[at] = slices.Clone(entries)
	for _, e := range entries {
		below := path.Join(at, e.Name)
		n := r.nodes[below]
		n.be(e.Type)
		r.nodes[below] = n
	}
	return entries, nil
}

// Mounts implements [View].
func (r *Recorder) Mounts() ([]Mount, error) {
	ms, err := r.view.Mounts()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mounts, r.mountsErr = slices.Clone(ms), errorText(err)
	return ms, err
}

// Record returns a record of the facts and of what was asked for until now;
// [ParseRecord] reads it. The view of that record gives the same answers to the
// same questions. The same answers make the same bytes, whatever the order of
// the questions. Besides the answers, the record holds the links in the middle
// of the paths, and what a path is that could not be listed or was no link.
//
// It fails if the answers contradict each other, since the machine changed
// meanwhile.
func (r *Recorder) Record(f Facts) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	tree := maps.Clone(r.nodes)
	full, _, err := newRecorded(tree)
	if err != nil {
		return nil, fmt.Errorf("the file system changed while it was recorded: %w", err)
	}
	for dir, entries := range r.listed {
		for _, e := range full.entries[dir] {
			if _, ok := slices.BinarySearchFunc(entries, e.Name, func(had Entry, name string) int { return cmp.Compare(had.Name, name) }); ok {
				continue
			}
			below := path.Join(dir, e.Name)
			n := tree[below]
			n.be(e.Type)
			n.unlisted = true
			tree[below] = n
		}
	}
	return formatRecord(f, tree, r.mounts, r.mountsErr), nil
}

// noteLstat remembers an answer to Lstat. What does not exist leaves no trace
// but for the links on the way.
func (r *Recorder) noteLstat(p string, node Node, err error) {
	switch {
	case err == nil:
		r.note(p, func(n *recorded) { n.node = node })
	case errors.Is(err, fs.ErrNotExist):
		r.place(p)
	default:
		at := r.note(p, func(n *recorded) { n.lstat = errorText(err) })
		r.mu.Lock()
		defer r.mu.Unlock()
		if dir := path.Dir(at); r.dirs[path.Dir(p)] == dir { // what cannot be looked at does not tell that
			n := r.nodes[dir]
			n.be(Dir)
			r.nodes[dir] = n
		}
	}
}

// note changes what is remembered of a path and returns where the record holds
// the path.
func (r *Recorder) note(p string, change func(*recorded)) string {
	at := r.place(p)
	r.mu.Lock()
	defer r.mu.Unlock()
	n := r.nodes[at]
	change(&n)
	r.nodes[at] = n
	return at
}

// place returns where the record holds a path: with the links in its middle
// followed, or as it is where that cannot be done. It remembers the links.
func (r *Recorder) place(p string) string {
	dir := path.Dir(p)
	r.mu.Lock()
	defer r.mu.Unlock()
	if to, ok := r.dirs[dir]; ok {
		return path.Join(to, path.Base(p))
	}
	passing := passed{View: r.view}
	res, err := Resolve(&passing, dir)
	for _, l := range res.Links {
		n := r.nodes[l.Path]
		n.be(Link)
		n.target = l.Target
		r.nodes[l.Path] = n
		if !leavesAgain(l.Target) {
			continue
		}
		for _, d := range passing.dirs { // nothing else may tell that those exist
			n := r.nodes[d]
			n.be(Dir)
			r.nodes[d] = n
		}
	}
	if err != nil || res.Node.Type != Dir {
		return p
	}
	r.dirs[dir] = res.Path
	return path.Join(res.Path, path.Base(p))
}

// passed is a view that remembers the directories that a resolution went through.
type passed struct {
	View
	dirs []string
}

// Lstat implements [View].
func (v *passed) Lstat(p string) (Node, error) {
	n, err := v.View.Lstat(p)
	if err == nil && n.Type == Dir {
		v.dirs = append(v.dirs, p)
	}
	return n, err
}

// leavesAgain reports whether the text of a link goes into something and up out
// of it, such as "a/../b": a must be a directory, though the path that is reached
// does not lie beneath it.
func leavesAgain(target string) bool {
	into := false
	for _, name := range split(target) {
		if name == ".." && into {
			return true
		}
		into = into || name != "." && name != ".."
	}
	return false
}

// be gives a type to a path of which nothing else was asked yet.
func (n *recorded) be(t Type) {
	if n.node.Type == 0 {
		n.node = Node{Type: t, Perm: usualPerm(t), Nlink: 1}
	}
}
