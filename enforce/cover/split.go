package cover

import (
	"io/fs"
	"path"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/target/bwrap"
)

// Least is how many covers make a helper worth its own start.
const Least = 50

// Path is a file or a directory that the helper covers.
type Path struct {
	Name     string
	Dev, Ino uint64 // of what is covered
	// Dir is set for a directory, which becomes an empty one of the mode Perm.
	// A file becomes the mask file.
	Dir  bool
	Perm fs.FileMode
}

// Work is a plan in two steps.
type Work struct {
	// Paths are what the helper covers, in this order.
	Paths []Path
	// MaskFile is what is bound over files.
	MaskFile string
	// Plan is what is left to bubblewrap.
	Plan bwrap.Plan
}

// Split takes out of a plan what can be covered after bubblewrap: closed files
// that the mask file stands for, and empty directories. View answers as it did
// when the plan was made. It is nil if there are fewer than least.
//
// What is covered must be seen there: the nearest mount above shows the host's
// files, and none lies on it or beneath it.
func Split(p *bwrap.Plan, was host.View, least int) *Work {
	w := &Work{MaskFile: p.MaskFile, Plan: *p}
	w.Plan.Mounts = nil
	s := survey(p)
	for i, m := range p.Mounts {
		node, err := was.Lstat(m.Path)
		if err != nil || !coverable(m) || !s.shown(i, m.Path) {
			w.Plan.Mounts = append(w.Plan.Mounts, m)
			continue
		}
		w.Paths = append(w.Paths, Path{Name: m.Path, Dev: node.Dev, Ino: node.Ino, Dir: m.Kind != bwrap.ClosedFile, Perm: m.Perm})
	}
	if len(w.Paths) < least {
		return nil
	}
	return w
}

// coverable reports whether a mount covers what the host has, with nothing of the
// launcher's.
func coverable(m bwrap.Mount) bool {
	switch m.Kind {
	case bwrap.ClosedFile:
		return m.FD == 0 && m.Host != "" && m.Host != host.Dir.String()
	case bwrap.ClosedDir, bwrap.EmptyDir:
		return !m.Late && !m.Placeholder && m.Host == host.Dir.String()
	case bwrap.ReadOnlyBind, bwrap.WritableBind, bwrap.PinBind, bwrap.DeviceBind, bwrap.MadeDir, bwrap.MadeLink,
		bwrap.PrivateTmp, bwrap.PrivateDev, bwrap.PrivateProc:
	}
	return false
}

// surveyed is where the mounts of a plan lie.
type surveyed struct {
	plan  *bwrap.Plan
	at    map[string]int  // the last mount at a path
	first map[string]int  // the first one
	above map[string]bool // there is a mount beneath
}

func survey(p *bwrap.Plan) *surveyed {
	s := &surveyed{p, map[string]int{}, map[string]int{}, map[string]bool{}}
	for i, m := range p.Mounts {
		if _, ok := s.first[m.Path]; !ok {
			s.first[m.Path] = i
		}
		s.at[m.Path] = i
		for dir := m.Path; dir != "/" && !s.above[path.Dir(dir)]; {
			dir = path.Dir(dir)
			s.above[dir] = true
		}
	}
	return s
}

// shown reports whether the mount i lies in a tree of the host's, on it and under
// nothing.
func (s *surveyed) shown(i int, name string) bool {
	if s.above[name] || s.first[name] != i || s.at[name] != i {
		return false
	}
	nearest := -1
	for dir := name; dir != "/"; {
		dir = path.Dir(dir)
		j, ok := s.at[dir]
		switch {
		case !ok:
		case j > i:
			return false // what is seen there is made later
		case nearest < 0:
			nearest = j
		}
	}
	if nearest < 0 {
		return false
	}
	switch s.plan.Mounts[nearest].Kind {
	case bwrap.ReadOnlyBind, bwrap.WritableBind, bwrap.PinBind, bwrap.DeviceBind:
		return true
	case bwrap.ClosedDir, bwrap.ClosedFile, bwrap.EmptyDir, bwrap.MadeDir, bwrap.MadeLink,
		bwrap.PrivateTmp, bwrap.PrivateDev, bwrap.PrivateProc:
	}
	return false
}
