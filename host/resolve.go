package host

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// maxLinks is how many symbolic links one resolution follows, as Linux does
// (path_resolution(7)).
const maxLinks = 40

// FollowedLink is a symbolic link that a resolution followed.
type FollowedLink struct {
	Path   string // where the link lies, resolved but for itself
	Target string // its text
}

// Resolution is what a path leads to.
type Resolution struct {
	// Path is the resolved path: no component that exists is a symbolic link.
	Path string
	// Links are the links that were followed, in order.
	Links []FollowedLink
	// Missing is the first component that does not exist, as a path, or empty.
	Missing string
	// Node describes Path; it is zero if Missing is set.
	Node Node
}

// Resolve follows every symbolic link of an absolute, clean path, the final
// component included. Components that do not exist are kept as they are: the
// deepest existing ancestor is resolved first. It fails on a loop, and where
// the view may not look.
func Resolve(v View, p string) (Resolution, error) {
	return resolve(v, p, true)
}

// ResolveParent is Resolve without following the final component.
func ResolveParent(v View, p string) (Resolution, error) {
	return resolve(v, p, false)
}

func resolve(v View, p string, final bool) (Resolution, error) {
	var r Resolution
	done, rest := "/", split(p)
	node, err := v.Lstat("/")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return r, err
	}
	for len(rest) > 0 {
		name := rest[0]
		rest = rest[1:]
		switch name {
		case ".":
			continue
		case "..":
			done = path.Dir(done)
			continue
		}
		next := path.Join(done, name)
		if r.Missing != "" {
			done = next
			continue
		}
		node, err = v.Lstat(next)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			r.Missing = next
			node = Node{}
		case err != nil:
			return r, fmt.Errorf("cannot resolve %q: %w", p, err)
		case node.Type == Link && (final || len(rest) > 0):
			if len(r.Links) == maxLinks {
				return r, fmt.Errorf("cannot resolve %q: too many levels of symbolic links", p)
			}
			target, err := v.Readlink(next)
			if err != nil {
				return r, fmt.Errorf("cannot resolve %q: %w", p, err)
			}
			r.Links = append(r.Links, FollowedLink{Path: next, Target: target})
			if strings.HasPrefix(target, "/") {
				done = "/"
			}
			rest = append(split(target), rest...)
			node, err = v.Lstat(done)
			if err != nil {
				return r, fmt.Errorf("cannot resolve %q: %w", p, err)
			}
			continue
		}
		done = next
	}
	r.Path = done
	if r.Missing == "" {
		r.Node = node
		if node.Type == 0 || path.Clean(p) != done {
			if r.Node, err = v.Lstat(done); err != nil {
				return r, fmt.Errorf("cannot resolve %q: %w", p, err)
			}
		}
	} else {
		r.Node = Node{}
	}
	return r, nil
}

func split(p string) []string {
	return strings.FieldsFunc(p, func(c rune) bool { return c == '/' })
}
