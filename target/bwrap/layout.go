package bwrap

import (
	"io/fs"
	"slices"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
)

// layout turns the tree into mounts. It goes down once, a node before its
// children, and makes a mount where a node's access differs from what the
// mount above it gives. So each mount lands on what its parent left, and
// nothing is mounted twice.
func (l *lowering) layout() {
	root := l.tree.root
	l.decide(root)
	root.placed, root.have, root.given = true, Closed, root.want
	where := onHost
	switch root.want {
	case Writable:
		l.mount(root, Mount{Kind: WritableBind})
	case ReadOnly:
		l.mount(root, Mount{Kind: ReadOnlyBind})
	case Closed:
		where = inMade
		l.plan.HideRoot = !root.listable
	}
	root.inside = where
	for _, k := range root.sorted() {
		l.visit(k, where, root.given)
	}
	if root.want != Writable {
		l.plan.Seal = append(l.plan.Seal, "/")
	}
	l.numberMasks()
}

// mount appends a mount at a node.
func (l *lowering) mount(n *node, m Mount) {
	m.Path = n.path
	if n.state == present && m.Host == "" {
		m.Host = n.host.Type.String()
	}
	if m.Rules == nil {
		m.Rules = n.causes()
	}
	m.Optional = m.Host != "" && len(n.rules) == 0 && !n.device && !n.listed && n != l.tree.root
	n.mount = len(l.plan.Mounts)
	l.plan.Mounts = append(l.plan.Mounts, m)
	if m.Kind == WritableBind || m.Kind == PrivateTmp {
		l.plan.Writable = append(l.plan.Writable, n.path)
	}
	if m.Kind == WritableBind {
		l.writable++
	}
}

// visit places a node whose parent is made of where and gives have.
func (l *lowering) visit(n *node, where place, have Access) {
	n.placed, n.where, n.have, n.given = true, where, have, have
	l.tree.look(n)
	next, given := where, have
	if n.named || n.pin || len(n.folds) > 0 {
		next, given = l.place(n, where, have)
	}
	n.inside, n.given = next, given
	for _, k := range n.sorted() {
		l.visit(k, next, given)
	}
	l.seal(n)
}

// place makes the node's mount, if it needs one, and returns what its children
// find: what they lie in and what it gives them.
func (l *lowering) place(n *node, where place, have Access) (place, Access) {
	l.decide(n)
	switch {
	case n.symlink && n.host.Type == host.Link:
		if where == inMade || where == inTmp {
			l.parents(n)
			l.mount(n, Mount{Kind: MadeLink, Text: n.text})
			return nowhere, Closed
		}
		return nowhere, have // the host's own, which can be replaced where that is given
	case n.device:
		return l.placeDevice(n, where, have)
	case n.private || kernelDir(n, where, have):
		return l.placePrivate(n, where, have)
	case n.state == unknown:
		return l.placeBlind(n, where, have)
	case n.state == absent && where == onHost:
		l.reserve(n, have)
		return onHost, have
	case n.state != present:
		return nowhere, have
	case n.host.Type == host.Link:
		return nowhere, have
	case where.private():
		return l.placeInPrivate(n, where, have)
	case where == nowhere:
		return nowhere, have
	case where == inMade && n.want == Closed:
		return where, Closed
	case where == inMade:
		l.parents(n)
	}
	return l.placeOnHost(n, have)
}

// placeOnHost is for what exists where the host's files are seen.
func (l *lowering) placeOnHost(n *node, have Access) (place, Access) {
	want := n.want
	switch {
	case want != Closed && l.foldsAll(n, ir.Read):
		n.folded = true
		l.mount(n, Mount{Kind: EmptyDir, Perm: 0o555, Rules: unique(n.folds)})
		return inMade, Closed
	case want == Writable && l.foldsAll(n, ir.Write):
		n.folded, n.overFold = true, l.overFoldsBy(n)
		if have != ReadOnly {
			l.mount(n, Mount{Kind: ReadOnlyBind, Rules: unique(n.folds)})
		}
		return onHost, ReadOnly
	case want == have:
		if n.pin && have == Writable {
			l.mount(n, Mount{Kind: PinBind, Rules: unique(n.pins)})
		}
		return onHost, have
	case want == Writable && !n.opens && overFolded(n):
		return onHost, have
	case want == Writable:
		l.mount(n, Mount{Kind: WritableBind})
		return onHost, want
	case want == ReadOnly:
		l.mount(n, Mount{Kind: ReadOnlyBind})
		return onHost, want
	case n.dir():
		perm := fs.FileMode(0)
		if n.listable {
			perm = 0o555
		}
		l.mount(n, Mount{Kind: ClosedDir, Perm: perm})
		return inMade, Closed
	}
	l.mount(n, Mount{Kind: ClosedFile})
	return nowhere, Closed
}

// foldsAll reports whether a pattern that ends in /* closes every name in the
// directory, those that do not exist included: then one mount does it, and
// nothing that appears later is missed.
func (l *lowering) foldsAll(n *node, op ir.Op) bool {
	if len(n.folds) == 0 || !n.dir() {
		return false
	}
	probe := "\x01"
	for n.kids[probe] != nil {
		probe += "\x01"
	}
	d := l.decider.Decide(op, join(n.path, "/"+probe), true)
	return d.Effect != ir.Allow && slices.Contains(n.folds, d.Rule)
}

// overFoldsBy reports whether a rule that folds the directory has exceptions,
// and notes where the rule then closes too much.
func (l *lowering) overFoldsBy(n *node) bool {
	out := false
	for _, i := range unique(n.folds) {
		if g, ok := l.policy.Files[i].Match.(ir.Glob); ok && len(g.Except) > 0 {
			l.overFolds[i] = append(l.overFolds[i], n)
			out = true
		}
	}
	return out
}

// overFolded reports whether the nearest mount above the node closes what
// exceptions leave open.
func overFolded(n *node) bool {
	for up := n.parent; up != nil; up = up.parent {
		if up.overFold || up.mount >= 0 {
			return up.overFold
		}
	}
	return false
}

// parents makes the directories between a node and the made directory that it
// lies in, and lets the latter be passed through.
func (l *lowering) parents(n *node) {
	var up []*node
	for p := n.parent; p != l.tree.root && p.mount < 0; p = p.parent {
		up = append(up, p)
	}
	if len(up) > 0 {
		n = up[len(up)-1]
	}
	if top := n.parent; top != l.tree.root {
		m := &l.plan.Mounts[top.mount]
		if m.Kind == ClosedDir || m.Kind == EmptyDir {
			m.Late, m.Optional = true, false // what lies in it would be made on the host
			m.Perm |= 0o111
		}
	}
	for _, p := range slices.Backward(up) {
		perm := fs.FileMode(0o111)
		if p.where.private() {
			perm = 0o755
		} else if l.listable(p) {
			perm = 0o555
		}
		p.mount = len(l.plan.Mounts)
		l.plan.Mounts = append(l.plan.Mounts, Mount{Kind: MadeDir, Path: p.path, Perm: perm})
	}
}

// listable reports whether a directory may be listed although a mount of ours
// stands for it.
func (l *lowering) listable(n *node) bool {
	return l.pathRule && l.decider.Decide(ir.Read, n.path, true).Effect == ir.Allow
}

// seal remounts a made directory read-only when what lies in it is in place.
func (l *lowering) seal(n *node) {
	if n.mount >= 0 && l.plan.Mounts[n.mount].Late {
		l.plan.Seal = append(l.plan.Seal, n.path)
	}
}

// numberMasks gives each closed file a descriptor, or all of them one file.
func (l *lowering) numberMasks() {
	n := 0
	for _, m := range l.plan.Mounts {
		if m.Kind == ClosedFile {
			n++
		}
	}
	if n > sharedMasks {
		l.plan.MaskFile = l.maskFile()
		return
	}
	for i := range l.plan.Mounts {
		if m := &l.plan.Mounts[i]; m.Kind == ClosedFile {
			m.FD = MaskFD + l.plan.Masks
			l.plan.Masks++
		}
	}
}

// maskFile is where the shared empty file lies: in the user's own
// configuration of sbc.
func (l *lowering) maskFile() string {
	if f := l.opts.Facts; f != nil && f.Config != "" {
		return join(f.Config, "/sbc/mask")
	}
	return join(l.policy.Home, "/.config/sbc/mask")
}

func unique(rules []int) []int {
	out := slices.Clone(rules)
	slices.Sort(out)
	return slices.Compact(out)
}
