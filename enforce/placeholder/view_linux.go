package placeholder

import (
	"path"

	"github.com/sandboxc/sbc/enforce/dirfd"
)

// recorded returns the paths that records name.
func recorded(o Options) ([]string, error) {
	s, err := openState(o.State, false)
	if s == nil || err != nil {
		return nil, err
	}
	defer s.close()
	var out []string
	for _, e := range s.entries("") {
		out = append(out, e.Path)
	}
	return out, nil
}

// isPlaceholder reports whether what stands at the path looks like a placeholder,
// and whether it is shown to be one.
func isPlaceholder(p string, o Options) (looks, is bool) {
	parent, err := dirfd.Open(path.Dir(p))
	if err != nil {
		return false, false
	}
	defer parent.Close()
	dir, err := parent.List(path.Base(p))
	if err != nil {
		return false, false
	}
	defer dir.Close()
	i, err := dir.Self()
	if err != nil || !looksLike(i) {
		return false, false
	}
	if inside, err := dir.Names(true); err != nil || len(inside) > 0 {
		return false, false
	}
	s, err := openState(o.State, false)
	if err != nil {
		return true, false
	}
	if s == nil {
		return true, locked(i.Identity)
	}
	defer s.close()
	return true, s.proved(p, i.Identity, "")
}
