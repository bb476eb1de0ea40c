package verify

import (
	"slices"
	"strings"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
)

// aliases knows what closed things are called by other names: a hard link, or
// the same part of a file system that is mounted a second time. A policy closes
// the thing, so that an artefact may close those names too.
type aliases struct {
	view   host.View
	mounts []host.Mount
	files  map[[2]uint64]string // closed files with several names, by device and inode
	places map[place]string     // closed paths
	dirs   []string             // closed directories
	// left is how many names within closed directories are still to be looked
	// at, should a file with several names ask for it; they are once.
	left int
}

// mostNames is how many names are looked at within closed directories.
const mostNames = 100_000

// place is a path within a file system, whatever it is mounted at.
type place struct{ dev, path string }

func newAliases(view host.View, p *ir.Policy) *aliases {
	a := &aliases{view: view, left: mostNames, files: map[[2]uint64]string{}, places: map[place]string{}}
	a.mounts, _ = view.Mounts() // without a table there are no second mounts
	for i := range p.Files {
		r := &p.Files[i]
		if !r.Write.Closes() || r.Opens() {
			continue
		}
		base := r.Match.Base()
		switch n, err := view.Lstat(base); {
		case err != nil:
		case n.Type == host.Dir:
			a.dirs = append(a.dirs, base)
		case n.Type == host.Link:
			a.link(base)
		case n.Nlink > 1:
			a.files[[2]uint64{n.Dev, n.Ino}] = base
		}
		a.places[a.place(base)] = base
	}
	return a
}

// place returns where a path lies.
func (a *aliases) place(path string) place {
	best := -1
	for i, m := range a.mounts {
		if ir.Beneath(path, m.Point) && (best < 0 || len(m.Point) >= len(a.mounts[best].Point)) {
			best = i
		}
	}
	if best < 0 {
		return place{path: path}
	}
	m := a.mounts[best]
	rest := strings.TrimPrefix(path[len(strings.TrimSuffix(m.Point, "/")):], "/")
	return place{dev: m.Dev, path: strings.TrimSuffix(strings.TrimSuffix(m.Root, "/")+"/"+rest, "/")}
}

// closed reports whether the path is another name of something closed, or lies
// beneath one.
func (a *aliases) closed(path string) bool {
	if n, err := a.view.Lstat(path); err == nil && n.Type != host.Dir && n.Nlink > 1 {
		for ; len(a.dirs) > 0 && a.left > 0; a.dirs = a.dirs[1:] {
			a.search(a.dirs[0])
		}
		if name, ok := a.files[[2]uint64{n.Dev, n.Ino}]; ok && name != path {
			return true
		}
	}
	for p := path; p != "/"; p = ir.Parent(p) {
		if name, ok := a.places[a.place(p)]; ok && name != p {
			return true
		}
	}
	return false
}

// search notes the files with several names in a closed directory.
func (a *aliases) search(dir string) {
	entries, _ := a.view.ReadDir(dir) // what cannot be listed has no names here
	for _, e := range entries {
		if a.left--; a.left < 0 {
			return
		}
		name := strings.TrimSuffix(dir, "/") + "/" + e.Name
		if e.Type == host.Dir {
			a.search(name)
			continue
		}
		if n, err := a.view.Lstat(name); err == nil && n.Nlink > 1 {
			a.files[[2]uint64{n.Dev, n.Ino}] = name
		}
	}
}

// link notes what a closed symbolic link leads to.
func (a *aliases) link(path string) {
	r, err := host.Resolve(a.view, path)
	if err != nil || r.Missing != "" {
		return
	}
	a.places[a.place(r.Path)] = path
	switch {
	case r.Node.Type == host.Dir:
		a.dirs = append(a.dirs, r.Path)
	case r.Node.Nlink > 1:
		a.files[[2]uint64{r.Node.Dev, r.Node.Ino}] = path
	}
}

// mountPoint reports whether something is mounted at the path on the host.
func (a *aliases) mountPoint(path string) bool {
	return slices.ContainsFunc(a.mounts, func(m host.Mount) bool { return m.Point == path })
}
