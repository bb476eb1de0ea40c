package mounts

import "strings"

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
	all     []*mount // in order
	covered map[name]bool
	stores  int
	pid     bool // a pid namespace of its own
}

// Build replays the operations of a sandbox, left to right, on a host.
//
// It fails with an *[Error] if bubblewrap would not start, and if what it does
// depends on its version or is not modelled: overlays, destinations that are
// relative, hold ".." or pass a symbolic link, relative sources, descriptors
// whose path is not known.
func Build(s *Sandbox, o Options) (*Table, error) {
	t := &Table{sandbox: s, host: newMachine(o), covered: map[name]bool{}, pid: ownPID(s)}
	t.base = &mount{point: "/", root: "/", store: t.tmpfs(0o755, -1), at: -1, kids: map[string]*mount{}}
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
func (t *Table) mountAt(p place, m mount) *mount {
	m.point, m.parent, m.covers, m.kids = p.path, p.mount, p.entry(t.host), map[string]*mount{}
	if m.root == "" {
		m.root = "/"
	}
	p.mount.kids[m.point] = &m
	t.all = append(t.all, &m)
	t.covered[m.covers] = true
	return &m
}

// masks finds the mounts that are closed by the mode of what they show: it is
// mounted read-only, nobody may read or pass it, and no writable mount shows it
// as well, where its owner could change that.
func (t *Table) masks() {
	writable := map[string]bool{}
	for _, m := range t.all {
		if m.store.host && !m.ro {
			writable[m.root] = true
		}
	}
	changeable := map[string]bool{}
	for _, m := range t.all {
		if !m.store.host {
			continue
		}
		if m.object.Kind == Device && !m.dev {
			m.unreadable = true
			continue
		}
		if !m.ro || !m.object.Modes || m.object.Perm&0o444 != 0 && m.object.Perm&0o111 != 0 {
			continue
		}
		open, known := changeable[m.root]
		if !known {
			open = writable[m.root]
			for _, dir := range ancestors(m.root) {
				open = open || writable[dir]
			}
			changeable[m.root] = open
		}
		if !open {
			m.unreadable = m.object.Perm&0o444 == 0
			m.impassable = m.object.Kind == Directory && m.object.Perm&0o111 == 0
		}
	}
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
