package bwrap

import (
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target"
)

// throughLink is for a closing that was written through a symbolic link: the
// rule's other form closes what the link leads to, and nothing holds the link
// itself where it can be replaced.
func (l *lowering) throughLink(n *node) verdict {
	link := n.link()
	v := verdict{feature: target.CloseLink, verdict: target.Exact}
	if link.have < Writable || link.where.private() {
		return v
	}
	if l.supervised() {
		return l.watched(v, target.WatchRemovals, Quote(n.path)+" passes the symbolic link "+Quote(link.path)+
			"; what it leads to is closed, and the launcher refuses to let the command replace the link")
	}
	v.verdict, v.code = target.Snapshot, diag.CodeClosedLink
	v.loss = Quote(n.path) + " passes the symbolic link " + Quote(link.path) +
		"; what it leads to is closed, but the command can replace the link"
	v.instead = "write the path that the link leads to"
	return v
}

// linkVerdict is for a closed symbolic link that lies where its parent gives
// more. Nothing can be mounted on a link.
func (l *lowering) linkVerdict(n *node) verdict {
	v := verdict{feature: target.CloseLink, code: diag.CodeClosedLink}
	p := Quote(n.path)
	switch {
	case n.have == Writable && l.supervised():
		return l.watched(v, target.WatchRemovals, p+" is a symbolic link: what it leads to is closed, and the launcher refuses to let the command replace the link")
	case l.supervised():
		v.verdict = target.Exact
		return l.unmakeable(v, diag.CodeClosedLink, p+" is a symbolic link: what it leads to is closed, and the command cannot replace the link")
	case n.have == Writable:
		v.verdict = target.Wider
		v.loss = p + " is a symbolic link: what it leads to can be closed, but the link itself can be replaced"
		v.instead = "make its directory read-only, or replace the link by what it leads to"
		return v
	}
	v.verdict = target.Snapshot
	v.loss = p + " is a symbolic link: what it leads to is closed, and the link is as it was at the start"
	return v
}
