package host

import (
	"errors"
	"io/fs"
	"path"
	"sync"
)

// Memo is a view that asks another one only once about each path. So all that
// is resolved, lowered and checked against it is so against the same state, and
// what lies above many paths is looked at once. It keeps every listing that it
// was asked for: some 50 bytes a name. What it returns must not be changed.
type Memo struct {
	view View

	mu     sync.Mutex
	nodes  map[string]memo[Node]
	links  map[string]memo[string]
	dirs   map[string]memo[[]Entry]
	mounts map[string]memo[[]Mount] // one, under ""
	stamps map[string]Stamp         // of the directories that were listed, where they are of use
	steady map[uint64]bool          // by device
}

// ErrHidden is the error of a view for something that is there and is to be taken
// as missing; so it is [fs.ErrNotExist] too. A [Memo] keeps to it, whatever a
// listing says.
var ErrHidden error = hidden{}

type hidden struct{}

// Error implements error.
func (hidden) Error() string { return "taken as missing" }

// Is makes it [fs.ErrNotExist].
func (hidden) Is(target error) bool { return target == fs.ErrNotExist }

// memo is an answer.
type memo[T any] struct {
	value T
	err   error
}

// NewMemo returns a view without answers yet.
func NewMemo(v View) *Memo {
	return &Memo{
		view: v, nodes: map[string]memo[Node]{}, links: map[string]memo[string]{},
		dirs: map[string]memo[[]Entry]{}, mounts: map[string]memo[[]Mount]{}, stamps: map[string]Stamp{}, steady: map[uint64]bool{},
	}
}

// Lstat implements [View].
func (m *Memo) Lstat(path string) (Node, error) {
	return once(&m.mu, m.nodes, path, func(path string) (Node, error) {
		n, err := m.view.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) && !errors.Is(err, ErrHidden) {
			if typ, listed := m.listed(path); listed && typ != Link {
				return Node{Type: typ, Perm: usualPerm(typ)}, nil
			}
		}
		return n, err
	})
}

// listed returns what a listing that was kept says of a path.
func (m *Memo) listed(name string) (Type, bool) {
	m.mu.Lock()
	dir := m.dirs[path.Dir(name)]
	m.mu.Unlock()
	for _, e := range dir.value {
		if e.Name == path.Base(name) {
			return e.Type, true
		}
	}
	return 0, false
}

// Readlink implements [View].
func (m *Memo) Readlink(path string) (string, error) {
	return once(&m.mu, m.links, path, m.view.Readlink)
}

// ReadDir implements [View].
func (m *Memo) ReadDir(path string) ([]Entry, error) {
	return once(&m.mu, m.dirs, path, func(path string) ([]Entry, error) {
		m.stamp(path)
		return m.view.ReadDir(path)
	})
}

// Mounts implements [View].
func (m *Memo) Mounts() ([]Mount, error) {
	return once(&m.mu, m.mounts, "", func(string) ([]Mount, error) { return m.view.Mounts() })
}

// once answers from the map, or asks and keeps the answer. Two that ask at the
// same time get the answer that was kept first.
func once[T any](mu *sync.Mutex, answers map[string]memo[T], path string, ask func(string) (T, error)) (T, error) {
	mu.Lock()
	a, ok := answers[path]
	mu.Unlock()
	if ok {
		return a.value, a.err
	}
	value, err := ask(path)
	mu.Lock()
	defer mu.Unlock()
	if a, ok = answers[path]; !ok {
		a = memo[T]{value, err}
		answers[path] = a
	}
	return a.value, a.err
}
