package bwrap

import (
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
)

// collect makes the nodes that need no scan: the paths that rules name, the
// bases of globs, pins, links, devices and sockets.
func (l *lowering) collect() {
	for i := range l.policy.Files {
		r := &l.policy.Files[i]
		if !r.AppliesTo(ir.Linux) {
			continue
		}
		if lit, ok := ir.Literal(r.Match); ok {
			l.literal(i, lit)
		}
		if g, ok := closingGlob(r, ir.Linux); ok {
			for _, base := range g.Pattern.Bases() {
				n := l.tree.at(base)
				l.tree.look(n)
				n.base = true
			}
			for _, e := range g.Except {
				if lit, ok := e.IsLiteral(); ok {
					n := l.tree.at(lit)
					l.tree.look(n)
					n.named = true
				}
			}
		}
	}
	for i, n := range l.literals {
		if n != nil && l.policy.Files[i].Opens() && l.missing(&l.policy.Files[i]) == ir.MissingCreate && n.state == absent {
			l.create(n)
		}
	}
	for _, pin := range l.decider.Pins().Literals {
		if len(pin.Rules) > 0 {
			n := l.tree.at(pin.Path)
			l.tree.look(n)
			n.pin, n.pins = true, append(n.pins, pin.Rules...)
			if n.state == present && n.host.Type == host.Link {
				for _, i := range pin.Rules {
					l.pinnedLinks[i] = true
				}
			}
		}
	}
	for _, d := range l.policy.Process.Devices {
		n := l.tree.at(l.resolve(d.Path))
		l.tree.look(n)
		n.named, n.device = true, true
	}
	for _, s := range l.policy.Network.UnixSockets {
		n := l.tree.at(s.Path)
		l.tree.look(n)
		n.named, n.listed = true, true
	}
	for _, dir := range []string{"/dev", "/proc"} {
		n := l.tree.at(dir)
		l.tree.look(n)
		n.named = true
	}
	l.socketPlaces()
	l.links()
}

func (l *lowering) literal(i int, p string) {
	r := &l.policy.Files[i]
	n := l.tree.at(p)
	l.tree.look(n)
	n.named, n.rules = true, append(n.rules, i)
	n.opens = n.opens || r.Read == ir.Allow || r.Write == ir.Allow
	l.literals[i] = n
}

// create plans a directory that the launcher makes before the start.
func (l *lowering) create(n *node) {
	for up := n; up.state == absent; up = up.parent {
		up.state, up.host = present, host.Node{Type: host.Dir}
	}
	n.created = true
	l.plan.Create = append(l.plan.Create, n.path)
}

// resolve follows the links of a path that the policy gives as it was written.
func (l *lowering) resolve(p string) string {
	if r, err := host.Resolve(l.tree.view, p); err == nil {
		return r.Path
	}
	return p
}

// systemLinks are the names that programs are started through; on most systems
// they are links into /usr.
var systemLinks = []string{"/bin", "/lib", "/lib32", "/lib64", "/libx32", "/sbin"}

// links marks the links that must exist in a made directory: those that an
// opening was written through, and the system's own.
func (l *lowering) links() {
	for _, w := range systemLinks {
		l.link(w, false)
	}
	for i := range l.policy.Files {
		if r := &l.policy.Files[i]; r.Written != "" && r.Opens() && r.AppliesTo(ir.Linux) {
			l.link(r.Written, false)
		}
	}
	for _, s := range l.policy.Network.UnixSockets {
		if s.Written != "" {
			l.link(s.Written, true)
		}
	}
}

// link marks the links that a path passes if what it leads to can be read, or
// is a listed socket.
func (l *lowering) link(written string, listed bool) {
	r, err := host.Resolve(l.tree.view, written)
	if err != nil || r.Missing != "" {
		return
	}
	if !listed && l.decider.Decide(ir.Read, r.Path, r.Node.Type == host.Dir).Effect != ir.Allow {
		return
	}
	for _, f := range r.Links {
		n := l.tree.at(f.Path)
		l.tree.look(n)
		n.named, n.symlink, n.text = true, true, f.Target
	}
}
