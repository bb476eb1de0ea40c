package mounts

// storage is what can be mounted.
type storage struct {
	id   int
	host bool  // the host's tree; everything else is the sandbox's own
	root *node // of a tmpfs, or the one file of bind-data; nil otherwise
	// kernel is set for the file systems that the kernel fills: proc, devpts,
	// mqueue. mirror is the path on the host that has the same names.
	kernel bool
	mirror string
	sealed bool // nobody creates or removes names in it: proc, devpts
	gone   bool // a file that bubblewrap unlinks: nothing can be mounted on it
}

// node is an object in storage of the sandbox's own; its owner is the command.
type node struct {
	kind Kind
	mode uint32
	text string // of a link
	at   int    // the option that made it, or gave it its mode
	kids map[string]*node
}

// mount is one mount of the sandbox.
type mount struct {
	table  *Table
	point  string // where, as a path in the sandbox
	id     name   // of what is mounted
	store  *storage
	root   string // the path of the host that is mounted; "/" of other storage
	object Object // what that is
	ro     bool
	dev    bool // devices can be used
	at     int  // the option that made it
	kids   map[string]*mount

	// sealed are set in the end: the object that is mounted is closed by its
	// own mode, to reading and to passing.
	unreadable, impassable bool
}

// top returns what is mounted last at the mount's point, above it.
func (m *mount) top() *mount {
	for m.kids[m.point] != nil {
		m = m.kids[m.point]
	}
	return m
}

// place is where a path leads to.
type place struct {
	path  string
	id    name // of the object: at the root of a mount, of what is mounted
	mount *mount
	rel   string // beneath the mount's root, "" for the root itself
	node  *node  // in storage of the sandbox's own; nil if nothing is there
	void  bool   // the path goes through something that is no directory
	shut  bool   // the path goes through a directory that may not be passed
	by    int    // the option that made it void or shut
}

func root(m *mount) place {
	m = m.top()
	return place{path: m.point, id: m.id, mount: m, node: m.store.root}
}

// hostPath is the path on the host, or "".
func (p place) hostPath() string {
	if !p.mount.store.host {
		return ""
	}
	return join(p.mount.root, p.rel)
}

// leaf reports whether nothing can exist beneath the place, now and later.
func (p place) leaf() bool {
	switch {
	case p.node != nil:
		return p.node.kind != Directory && (p.rel == "" || p.mount.ro)
	case p.rel == "":
		return p.mount.leaf()
	default:
		// A file that is a mount point by another path cannot be replaced.
		return p.mount.table.covered[p.id] == coveredFile
	}
}

// leaf reports whether what is mounted is certainly no directory.
func (m *mount) leaf() bool {
	if m.store.host {
		return m.object.Kind != Directory && m.object.Kind != Unknown
	}
	return m.store.root != nil && m.store.root.kind != Directory
}

// step goes to a name in the place, as the command does.
func (p place) step(name string) place {
	next := p
	next.path = join(p.path, name)
	switch {
	case p.void || p.shut:
	case p.leaf():
		next.void, next.by = true, p.decides()
	case !p.passable():
		next.shut, next.by = true, p.decides()
	}
	if m := p.mount.kids[next.path]; m != nil {
		to := root(m)
		to.void, to.shut, to.by = next.void, next.shut, next.by
		return to
	}
	next.rel, next.id, next.node = p.rel+"/"+name, p.id.child(name), nil
	if p.node != nil {
		next.node = p.node.kids[name]
	}
	return next
}

// passable reports whether the directory may be passed: its owner, who is the
// command, may change the mode unless the mount is read-only.
func (p place) passable() bool {
	switch {
	case p.mount.impassable && p.rel == "":
		return false
	case p.node != nil && p.node.kind == Directory:
		return !p.mount.ro || p.node.mode&0o100 != 0
	}
	return true
}

// decides returns the option that the place's access comes from.
func (p place) decides() int {
	if p.node != nil {
		return p.node.at
	}
	return p.mount.at
}

// kind is what there is, for bubblewrap, which nothing stops.
func (p place) kind(h *machine) Kind {
	switch {
	case p.mount.store.host && p.rel == "":
		return p.mount.object.Kind
	case p.mount.store.host:
		return h.look(p.hostPath()).Kind
	case p.mount.store.kernel:
		if p.rel == "" {
			return Directory
		}
		if p.mount.store.mirror != "" {
			if k := h.look(p.mount.store.mirror + p.rel).Kind; k != Missing {
				return k
			}
		}
		return Unknown
	case p.node != nil:
		return p.node.kind
	}
	return Missing
}
