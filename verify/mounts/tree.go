package mounts

import (
	"path"
	"slices"
	"strings"
)

// Node is one path of a [Table.Tree].
type Node struct {
	Name string // the last component; empty for "/"
	Path string
	// At is the answer at the path itself.
	At Answer
	// Beneath is the answer for everything beneath that no other node is nearer
	// to. Its HostPath is that of the node; the rest of the path is added to it.
	Beneath Answer
	// Link is the text of a symbolic link of the sandbox's own. Paths through
	// it lead elsewhere, see [Table.Resolve]; as they stand they are void.
	Link string
	// Children are the nodes one component further, sorted by name.
	Children []*Node
}

// Child returns the child of the name, or nil.
func (n *Node) Child(name string) *Node {
	i, ok := slices.BinarySearchFunc(n.Children, name, func(c *Node, name string) int { return strings.Compare(c.Name, name) })
	if !ok {
		return nil
	}
	return n.Children[i]
}

// Answer returns the answer at a clean absolute path: At of its node, or
// Beneath of the nearest node above it.
func (n *Node) Answer(p string) Answer {
	at := n
	for at.Path != p {
		rest := strings.TrimPrefix(p[len(at.Path):], "/")
		name, _, _ := strings.Cut(rest, "/")
		next := at.Child(name)
		if next == nil {
			a := at.Beneath
			if a.HostPath != "" {
				a.HostPath = join(a.HostPath, rest)
			}
			return a
		}
		at = next
	}
	return at.At
}

// Tree returns the whole table: a node for every path at which the answer may
// differ from that around it, and for the directories above those.
//
// The law: for every clean absolute path, Tree().Answer(path) is
// Access(path). So whatever is decided for all nodes is decided for all paths.
func (t *Table) Tree() *Node {
	top := &draft{}
	for _, m := range t.all {
		top.add(m.point)
		if m.store.root != nil {
			top.addAll(m.point, m.store.root)
		}
	}
	t.aliases(top)
	return t.grow(root(t.base), "", top)
}

// aliases adds the paths that show what is a mount point elsewhere.
func (t *Table) aliases(top *draft) {
	shows := map[name][]*mount{}
	for _, m := range t.all {
		if m.store.host {
			shows[m.id] = append(shows[m.id], m)
		}
	}
	for n := range t.covered {
		for _, dir := range ancestors(n.path) {
			for _, m := range shows[name{n.store, dir}] {
				top.add(join(m.point, n.path[len(strings.TrimSuffix(dir, "/")):]))
			}
		}
	}
}

func (t *Table) grow(p place, name string, d *draft) *Node {
	// No path holds a NUL, so this name is one that no node has.
	n := &Node{Name: name, Path: p.path, At: t.answer(p), Beneath: t.answer(p.step("\x00"))}
	if n.Beneath.HostPath != "" {
		n.Beneath.HostPath = path.Dir(n.Beneath.HostPath)
	}
	if p.node != nil {
		n.Link = p.node.text
	}
	for _, name := range d.names() {
		n.Children = append(n.Children, t.grow(p.step(name), name, d.kids[name]))
	}
	return n
}

// draft is a set of paths.
type draft struct{ kids map[string]*draft }

func (d *draft) child(name string) *draft {
	if d.kids == nil {
		d.kids = map[string]*draft{}
	}
	if d.kids[name] == nil {
		d.kids[name] = &draft{}
	}
	return d.kids[name]
}

func (d *draft) add(p string) {
	for name := range strings.SplitSeq(p[1:], "/") {
		if name != "" {
			d = d.child(name)
		}
	}
}

// addAll adds everything that a storage of the sandbox's own holds.
func (d *draft) addAll(point string, n *node) {
	for name, kid := range n.kids {
		d.add(join(point, name))
		d.addAll(join(point, name), kid)
	}
}

func (d *draft) names() []string {
	out := make([]string, 0, len(d.kids))
	for name := range d.kids {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}
