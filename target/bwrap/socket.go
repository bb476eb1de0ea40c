package bwrap

import (
	"slices"

	"github.com/sandboxc/sbc/host"
)

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
