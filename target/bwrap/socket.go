package bwrap

import (
	"slices"

	"github.com/sandboxc/sbc/host"
)

// The kernel's list of sockets does not name every one by where it is now: not
// one that was bound by a relative path or renamed since, and none that a process
// in another network namespace has bound, such as a rootless docker. So the places
// where sockets are kept are searched too, this many levels down and for as many
// names.
const (
	socketDepth = 6
	socketNames = 200_000
)

// socketPlaces marks where a walk looks for sockets: where programs put them, and
// what the policy opens.
func (l *lowering) socketPlaces() {
	if !l.wantSockets {
		return
	}
	for _, dir := range []string{"/run", "/var/run", "/tmp", "/var/tmp", l.policy.Home, l.policy.Workspace, l.policy.Temp} {
		if dir != "" && dir != "/" {
			n := l.tree.at(dir)
			l.tree.look(n)
			n.sockets = true
		}
	}
	for i, n := range l.literals {
		if n != nil && l.policy.Files[i].Opens() && n != l.tree.root {
			n.sockets = true
		}
	}
	for _, s := range l.policy.Network.UnixSockets {
		if n := l.tree.at(s.Path).parent; n != nil && n != l.tree.root {
			n.sockets = true
		}
	}
}

// wantsSockets reports whether the names in a directory are looked at for
// sockets.
func (l *lowering) wantsSockets(s *spot) bool {
	return s.sockets > 0 && s.acc != Closed && l.scan.sockets < socketNames
}

// coverSockets closes every bound socket that the command would see and that
// the policy does not list. It is needed only where the policy lists some:
// otherwise no socket of this family can be made at all (package seccomp).
func (l *lowering) coverSockets() {
	if !l.wantSockets {
		return
	}
	paths := slices.Clone(l.sockets)
	if l.opts.Facts != nil {
		paths = append(paths, l.opts.Facts.Sockets...)
	}
	slices.Sort(paths)
	for _, p := range slices.Compact(paths) {
		if p == "" || p[0] != '/' {
			continue // abstract, or bound by a relative path
		}
		r, err := host.Resolve(l.tree.view, p)
		if err != nil || r.Missing != "" || r.Node.Type != host.Socket {
			continue
		}
		n := l.tree.at(r.Path)
		l.tree.look(n)
		l.decide(n)
		if n.listed || n.want == Closed || n.private || n.state != present {
			continue
		}
		n.named, n.decided = true, false
		n.limit, n.alias = Closed, ""
		n.opens = false
		l.decide(n)
		l.covered++
	}
}
