package placeholder

import (
	"io/fs"
	"path"
	"slices"
	"sync"

	"github.com/sandboxc/sbc/host"
)

// View is a host on which the placeholders of other runs do not exist. What is
// compiled against it plans its own, and so holds those; a directory that was
// taken to exist would vanish with the run that made it, and the mount on it.
//
// It answers the same for the same path as long as it lives.
type View struct {
	host.View
	options Options

	mu       sync.Mutex
	asked    map[string]bool     // paths that may be placeholders, and whether they are
	hidden   map[string][]string // names that are, by directory
	doubtful []string
}

// NewView hides the placeholders of others from a view of this host. Without
// records and directories with the mode 0500 that costs next to nothing. The
// error is that of a state directory that cannot be trusted.
func NewView(v host.View, o Options) (*View, error) {
	out := &View{View: v, options: o, asked: map[string]bool{}, hidden: map[string][]string{}}
	paths, err := recorded(o)
	if err != nil {
		return nil, err
	}
	for _, p := range paths {
		out.hides(p)
	}
	return out, nil
}

// hides reports whether a placeholder stands at the path.
func (v *View) hides(p string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	is, ok := v.asked[p]
	if !ok {
		var looks bool
		looks, is = isPlaceholder(p, v.options)
		v.asked[p] = is
		switch dir := path.Dir(p); {
		case is:
			v.hidden[dir] = append(v.hidden[dir], path.Base(p))
		case looks:
			v.doubtful = append(v.doubtful, p)
		}
	}
	return is
}

// Doubtful returns, sorted, the paths that were looked at and are empty
// directories of this user with the mode 0500 that nothing shows to be
// placeholders. They are taken to exist and are never removed. But if one is what
// a killed script left, the end of another script removes it, and a mount on it:
// whoever relies on such a path should say so.
func (v *View) Doubtful() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	out := slices.Clone(v.doubtful)
	slices.Sort(out)
	return out
}

// Lstat implements [host.View].
func (v *View) Lstat(p string) (host.Node, error) {
	n, err := v.View.Lstat(p)
	if err == nil && n.Type == host.Dir && n.Perm == 0o500 && v.hides(p) {
		return host.Node{}, &fs.PathError{Op: "lstat", Path: p, Err: host.ErrHidden}
	}
	return n, err
}

// ReadDir implements [host.View]. A placeholder of a script, which has no record,
// is hidden only if it was looked at before.
func (v *View) ReadDir(p string) ([]host.Entry, error) {
	entries, err := v.View.ReadDir(p)
	v.mu.Lock()
	defer v.mu.Unlock()
	names := v.hidden[p]
	if len(names) == 0 || err != nil {
		return entries, err
	}
	out := make([]host.Entry, 0, len(entries))
	for _, e := range entries {
		if e.Type != host.Dir || !slices.Contains(names, e.Name) {
			out = append(out, e)
		}
	}
	return out, nil
}

// Stamp implements [host.Stamper]. There is none of a directory in which a name
// is hidden.
func (v *View) Stamp(p string) (host.Stamp, bool) {
	s, ok := v.View.(host.Stamper)
	v.mu.Lock()
	defer v.mu.Unlock()
	if !ok || len(v.hidden[p]) > 0 {
		return host.Stamp{}, false
	}
	return s.Stamp(p)
}

// Steady implements [host.Stamper].
func (v *View) Steady(p string) bool {
	s, ok := v.View.(host.Stamper)
	return ok && s.Steady(p)
}
