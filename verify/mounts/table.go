package mounts

import (
	"strconv"
	"strings"
)

// Change is something that bubblewrap does to the host's files while it sets
// the sandbox up.
type Change struct {
	Path  string // on the host
	Entry int    // the option that causes it
	Made  bool   // a directory or an empty file that did not exist; else content or mode
}

// Table is the mount table of a sandbox, at the moment the command starts.
type Table struct {
	// Changes are what the host has of it afterwards, in order.
	Changes []Change

	sandbox *Sandbox
	host    *machine
	base    *mount
	all     []*mount       // in order
	covered map[name]cover // by where it is mounted
	stores  int
	pid     bool // a pid namespace of its own
}

// cover is what is mounted on an object.
type cover uint8

const (
	coveredDirectory cover = iota + 1
	coveredFile
)

// Build replays the operations of a sandbox, left to right, on a host.
//
// It fails with an *[Error] if bubblewrap would not start, and if what it does
// depends on its version or is not modelled: overlays, destinations that are
// relative, hold ".." or pass a symbolic link, relative sources, descriptors
// whose path is not known.
func Build(s *Sandbox, o Options) (*Table, error) {
	t := &Table{sandbox: s, host: newMachine(o), covered: map[name]cover{}, pid: ownPID(s)}
	t.base = &mount{table: t, point: "/", root: "/", store: t.tmpfs(0o755, -1), at: -1, kids: map[string]*mount{}}
	t.base.id = name{t.base.store.name(), "/"}
	t.all = []*mount{t.base}
	for _, op := range s.Ops {
		if err := t.apply(op, o.Descriptors); err != nil {
			return nil, &Error{op.At(), s.Args[op.At()], err.Error()}
		}
	}
	t.masks()
	return t, nil
}

func (t *Table) storage(s storage) *storage {
	t.stores++
	s.id = t.stores
	return &s
}

func (t *Table) tmpfs(mode uint32, at int) *storage {
	return t.storage(storage{root: &node{kind: Directory, mode: mode, at: at, kids: map[string]*node{}}})
}

// name is what tells the storage apart from others.
func (s *storage) name() string { return "#" + strconv.Itoa(s.id) }

// walk goes to a clean absolute path.
func (t *Table) walk(path string) place {
	p := root(t.base)
	for name := range strings.SplitSeq(path[1:], "/") {
		if name != "" {
			p = p.step(name)
		}
	}
	return p
}

// mountAt puts storage on a place.
func (t *Table) mountAt(p place, m mount) {
	m.table, m.point, m.kids = t, p.path, map[string]*mount{}
	if m.store.host {
		m.id = t.host.canonical(m.root)
	} else {
		m.root, m.id = "/", name{m.store.name(), "/"}
	}
	p.mount.kids[m.point] = &m
	t.all = append(t.all, &m)
	t.covered[p.id] = coveredDirectory
	if m.leaf() {
		t.covered[p.id] = coveredFile
	}
}

// masks finds the mounts that are closed by the mode of what they show: it is
// mounted read-only, nobody may read or pass it, and no writable mount shows it
// as well, where its owner could change that.
func (t *Table) masks() {
	writable := map[string][]*mount{} // by what they show
	for _, m := range t.all {
		if m.store.host && !m.ro {
			writable[m.root] = append(writable[m.root], m)
		}
	}
	changeable := map[string]bool{}
	for _, m := range t.all {
		switch {
		case !m.store.host:
			continue
		case m.object.Kind == Device && !m.dev:
			m.unreadable = true
			continue
		case !m.ro || !m.object.Modes || m.object.Perm&0o444 != 0 && m.object.Perm&0o111 != 0:
			continue
		}
		open, known := changeable[m.root]
		if !known {
			open = t.shownBy(writable, m.root)
			changeable[m.root] = open
		}
		if !open {
			m.unreadable = m.object.Perm&0o444 == 0
			m.impassable = m.object.Kind == Directory && m.object.Perm&0o111 == 0
		}
	}
}

// shownBy reports whether one of the mounts shows a path of the host, at a place
// that can be reached.
func (t *Table) shownBy(mounts map[string][]*mount, hostPath string) bool {
	for _, dir := range append(ancestors(hostPath), hostPath) {
		for _, m := range mounts[dir] {
			p := t.walk(join(m.point, strings.TrimPrefix(hostPath, dir)))
			if p.mount == m && !p.void && !p.shut {
				return true
			}
		}
	}
	return false
}

// ancestors returns the directories above a path, "/" first.
func ancestors(path string) []string {
	if path == "/" {
		return nil
	}
	out := []string{"/"}
	for i := 1; i < len(path); i++ {
		if path[i] == '/' {
			out = append(out, path[:i])
		}
	}
	return out
}
