package sweep

import (
	"errors"
	"io/fs"
	"strings"
	"sync"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/target"
)

// The bounds of a walk where the budget leaves them open, as for the search of
// a lowering.
const (
	defaultFiles = 2_000_000
	defaultDepth = 64
)

// A level is listed in chunks, each by several workers; what was found is taken
// in order, so that the result does not depend on the workers.
const chunkSize = 256

// walk goes through the directories that the command may write, level by level.
type walk struct {
	rules   *rules
	view    host.View
	budget  target.Budget
	workers int
	kernel  map[string]bool // mounts of the kernel's own file systems
	// find is told of every name that a pattern closes, and says whether to go
	// on in it if it is a directory.
	find func(path string, typ host.Type, rule int) bool
	// refused is told of a directory that may not be listed, and says whether it
	// may be by now.
	refused func(path string) bool

	reached map[string]bool // roots that were come to
	entries int
	bound   string
	unread  []string
}

// spot is a directory to be listed.
type spot struct {
	path  string
	at    glob.State
	depth int
	late  bool // beneath a find, where everything is new
}

func (w *walk) run() {
	if w.rules.set == nil {
		return
	}
	w.reached = map[string]bool{}
	for _, root := range w.rules.roots {
		w.reached[root] = false
	}
	for _, root := range w.rules.roots {
		if w.reached[root] {
			continue
		}
		w.reached[root] = true
		at := w.rules.set.Root()
		for name := range strings.SplitSeq(strings.Trim(root, "/"), "/") {
			if name != "" {
				at, _ = at.Step(name)
			}
		}
		w.down(spot{path: root, at: at})
	}
}

func (w *walk) down(from spot) {
	files, depth := w.budget.Files, w.budget.Depth
	if files == 0 {
		files = defaultFiles
	}
	if depth == 0 {
		depth = defaultDepth
	}
	for level := []spot{from}; len(level) > 0; {
		var next []spot
		for len(level) > 0 {
			chunk := level[:min(chunkSize, len(level))]
			level = level[len(chunk):]
			switch {
			case w.budget.Over():
				w.bound = "the time for the sweep was over, so there may be more"
				return
			case w.entries >= files:
				w.bound = "the sweep looked at as many names as it may, so there may be more"
				return
			case chunk[0].depth > depth:
				w.bound = "the sweep went as deep as it may, so there may be more"
				return
			}
			lists, errs := w.list(chunk)
			for i := range chunk {
				next = append(next, w.take(&chunk[i], lists[i], errs[i])...)
			}
		}
		level = next
	}
}

// list reads the directories of a chunk.
func (w *walk) list(chunk []spot) ([][]host.Entry, []error) {
	lists, errs := make([][]host.Entry, len(chunk)), make([]error, len(chunk))
	workers := min(w.workers, len(chunk))
	if workers <= 1 {
		for i := range chunk {
			lists[i], errs[i] = w.view.ReadDir(chunk[i].path)
		}
		return lists, errs
	}
	var wg sync.WaitGroup
	for n := range workers {
		wg.Go(func() {
			for i := n; i < len(chunk); i += workers {
				lists[i], errs[i] = w.view.ReadDir(chunk[i].path)
			}
		})
	}
	wg.Wait()
	return lists, errs
}

// take looks at the names in a directory and returns where to go on.
func (w *walk) take(s *spot, entries []host.Entry, err error) []spot {
	if errors.Is(err, fs.ErrPermission) && w.refused != nil && w.refused(s.path) {
		entries, err = w.view.ReadDir(s.path)
	}
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			w.unread = append(w.unread, s.path)
		}
		return nil
	}
	w.entries += len(entries)
	var next []spot
	for _, e := range entries {
		at, matched := s.at.Step(e.Name)
		if len(matched) == 0 && (e.Type != host.Dir || at.Dead()) {
			continue
		}
		to := spot{path: join(s.path, e.Name), at: at, depth: s.depth + 1, late: s.late}
		if w.visit(&to, e.Type, len(matched) > 0) {
			next = append(next, to)
		}
	}
	return next
}

// visit judges one name and reports whether to go on in it.
func (w *walk) visit(s *spot, typ host.Type, matched bool) bool {
	dir := typ == host.Dir
	if _, root := w.reached[s.path]; root && dir {
		w.reached[s.path] = true
	}
	if matched {
		if rule, ok := w.rules.closes(s.path, dir); ok {
			s.late = true
			return w.find(s.path, typ, rule) && dir && !s.at.Dead()
		}
	}
	if !dir || w.kernel[s.path] || s.at.Dead() {
		return false
	}
	if s.late || !matched && !w.rules.named[s.path] {
		return true
	}
	return w.rules.open(s.path)
}

// join returns the path of a name in a directory.
func join(dir, name string) string {
	if dir == "/" {
		return "/" + name
	}
	return dir + "/" + name
}
