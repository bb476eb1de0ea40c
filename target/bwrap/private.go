package bwrap

import (
	"strings"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
)

// kernelDir reports whether the node is /dev or /proc and the host's would be
// seen: its own /proc shows the host's processes, and devices do not work
// through a bind, so the sandbox always gets fresh ones.
func kernelDir(n *node, where place, have Access) bool {
	return (n.path == "/dev" || n.path == "/proc") && n.want != Closed && (where == onHost && have != Closed || n.opens)
}

// placePrivate gives the sandbox storage of its own.
func (l *lowering) placePrivate(n *node, where place, have Access) (place, Access) {
	if where.private() {
		return where, Writable
	}
	if where == nowhere || where == onHost && !n.dir() && n.state != unknown {
		return nowhere, have // nothing to mount on, and it cannot be made
	}
	if where == inMade {
		l.parents(n)
	}
	switch n.path {
	case "/dev":
		l.mount(n, Mount{Kind: PrivateDev})
		return inDev, Writable
	case "/proc":
		l.mount(n, Mount{Kind: PrivateProc})
		return inProc, Writable
	}
	l.mount(n, Mount{Kind: PrivateTmp, Perm: tmpPerm})
	return inTmp, Writable
}

// placeDevice makes a device usable, unless a rule closes it.
func (l *lowering) placeDevice(n *node, where place, have Access) (place, Access) {
	if n.state != present && n.state != unknown || where == nowhere || l.refused(n) {
		return nowhere, have
	}
	if where != onHost {
		l.parents(n)
	}
	l.mount(n, Mount{Kind: DeviceBind})
	return nowhere, Writable
}

// refused reports whether a rule that stands above all roots closes the node.
func (l *lowering) refused(n *node) bool {
	d := l.decider.Decide(ir.Write, n.path, n.dir())
	return d.Effect.Closes() && d.Rule >= 0 && l.policy.Files[d.Rule].Group < ir.GroupRoot
}

// placeInPrivate is for a host path beneath private storage. An opening of it is
// bound into the storage, but not over what the sandbox has of its own in /dev
// and /proc. A closing has an effect there, and needs none in storage that
// starts empty.
func (l *lowering) placeInPrivate(n *node, where place, have Access) (place, Access) {
	own := where != inTmp && l.kernelName(n, where)
	switch {
	case n.opens && n.want != Closed && (where == inTmp || where == inDev && n.dir() && !own):
		l.parents(n)
		return l.placeOnHost(n, Closed)
	case n.want != Closed || !own:
		return where, have
	case n.dir():
		l.mount(n, Mount{Kind: ClosedDir})
		return inMade, Closed
	}
	l.mount(n, Mount{Kind: ClosedFile})
	return nowhere, Closed
}

// devNames are the names that bubblewrap makes in a private /dev, links aside
// (setup of --dev in bubblewrap.c).
var devNames = map[string]host.Type{
	"null": host.Char, "zero": host.Char, "full": host.Char, "random": host.Char, "urandom": host.Char,
	"tty": host.Char, "shm": host.Dir, "pts": host.Dir,
}

// kernelName reports whether the node exists in the sandbox's own /dev or
// /proc. A process of the host does not.
func (l *lowering) kernelName(n *node, where place) bool {
	if where == inDev {
		t, ok := devNames[strings.TrimPrefix(n.path, "/dev/")]
		return ok && (t == host.Dir) == n.dir()
	}
	first, _, _ := strings.Cut(strings.TrimPrefix(n.path, "/proc/"), "/")
	return strings.Trim(first, "0123456789") != "" && first != "self" && first != "thread-self"
}

// placeBlind is for a path of which nothing is known, without a host view: an
// opening is taken to be a directory that exists.
func (l *lowering) placeBlind(n *node, where place, have Access) (place, Access) {
	if !n.opens || n.want <= have {
		return where, have
	}
	if where != onHost {
		l.parents(n)
	}
	kind := ReadOnlyBind
	if n.want == Writable {
		kind = WritableBind
	}
	l.mount(n, Mount{Kind: kind, Host: host.Dir.String()})
	return onHost, n.want
}
