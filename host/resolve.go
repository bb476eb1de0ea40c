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
	// Path is the resolved path: no component that exists is a symbolic link,
	// but perhaps the last one of [ResolveParent].
	Path string
	// Links are the links that were followed, in order.
	Links []FollowedLink
	// Missing is the first component that does not exist, as a path, or empty.
	// It is a prefix of Path, unless a link's target goes up again from
	// something that does not exist, or that is no directory ("gone/../x"):
	// then Path is what the path would lead to if Missing were a directory, or
	// what was resolved until that failed with the rest as it was written.
	Missing string
	// Node describes Path; it is zero if Missing is set.
	Node Node
}

// Resolve follows every symbolic link of an absolute path, the final component
// included. Components that do not exist are kept as they are: the deepest
// existing ancestor is resolved first. A name beneath something that is no
// directory does not exist.
//
// It fails on a relative path, on more than 40 links (a loop), on an empty link,
// and where the view may not look; then Path is what was resolved so far with
// the rest as it was written, and Missing and Node are not set. With [Empty],
// where nothing exists, Resolve changes nothing.
//
// Links in /proc whose text is no path, such as those of /proc/self/fd, are
// followed by their text and so lead to something that does not exist.
func Resolve(v View, p string) (Resolution, error) {
	return resolve(v, p, true)
}

// ResolveParent is [Resolve] without following the final component.
func ResolveParent(v View, p string) (Resolution, error) {
	return resolve(v, p, false)
}

func resolve(v View, p string, final bool) (Resolution, error) {
	r := Resolution{Path: "/"}
	rest := split(p)
	fail := func(err error) (Resolution, error) {
		r.Path, r.Node = path.Join(r.Path, path.Join(rest...)), Node{}
		if r.Missing != "" {
			return r, nil // the kernel does not come this far
		}
		return r, fmt.Errorf("cannot resolve %q: %w", p, err)
	}
	if !path.IsAbs(p) {
		return fail(errors.New("the path is not absolute"))
	}
	var node Node   // of r.Path; zero if nobody has looked yet
	var gone string // the missing component that r.Path is or lies beneath
	for len(rest) > 0 {
		name := rest[0]
		if dots := name == "." || name == ".."; dots && node.Type != 0 && node.Type != Dir && r.Missing == "" {
			r.Missing = r.Path
		}
		next := path.Join(r.Path, name)
		switch {
		case name == "..":
			r.Path, node, rest = next, Node{}, rest[1:]
			if len(r.Path) < len(gone) {
				gone = ""
			}
			continue
		case name == ".", gone != "":
			r.Path, rest = next, rest[1:]
			continue
		}
		n, err := v.Lstat(next)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			gone = next
			if r.Missing == "" {
				r.Missing = next
			}
		case err != nil:
			return fail(err)
		case n.Type == Link && (final || len(rest) > 1):
			target, err := follow(v, next, len(r.Links))
			if err != nil {
				return fail(err)
			}
			r.Links = append(r.Links, FollowedLink{Path: next, Target: target})
			if path.IsAbs(target) {
				r.Path, node = "/", Node{}
			}
			rest = append(split(target), rest[1:]...)
			continue
		}
		r.Path, node, rest = next, n, rest[1:]
	}
	if r.Missing != "" {
		return r, nil
	}
	if node.Type == 0 {
		n, err := v.Lstat(r.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			r.Missing = r.Path
		case err != nil:
			return fail(err)
		}
		node = n
	}
	r.Node = node
	return r, nil
}

// follow reads a link after n others.
func follow(v View, link string, n int) (string, error) {
	if n == maxLinks {
		return "", errors.New("too many levels of symbolic links")
	}
	target, err := v.Readlink(link)
	if err == nil && target == "" {
		err = fmt.Errorf("the symbolic link %q is empty", link)
	}
	return target, err
}

func split(p string) []string {
	return strings.FieldsFunc(p, func(c rune) bool { return c == '/' })
}
