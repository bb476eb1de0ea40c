package bwrap

import (
	"slices"
	"strings"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
)

// aliases is what is known about other names of closed things.
type aliases struct {
	// closed lists the other names that were closed as well, by the node that
	// they are names of.
	closed map[*node][]string
	// open says for a node how it can still be reached under another name.
	open map[*node]string
	// unsure are the closed directories that hold too much to look for hard links
	// in.
	unsure map[*node]bool
	// entries counts the names that the search for hard links looked at.
	entries int
}

// inode names a file on the host.
type inode struct{ dev, ino uint64 }

// findAliases looks for other names of what is closed, second mounts and hard
// links, and closes them too.
func (l *lowering) findAliases() {
	l.aliases = aliases{closed: map[*node][]string{}, open: map[*node]string{}, unsure: map[*node]bool{}}
	if l.tree.blind {
		return
	}
	closed := l.closedNodes()
	l.secondMounts(closed)
	l.linkTargets(closed)
	l.hardLinks(closed)
}

// closedNodes returns the nodes that a rule gives less than their surroundings
// have, in the order of the tree.
func (l *lowering) closedNodes() []*node {
	var out []*node
	var visit func(n *node, acc Access)
	visit = func(n *node, acc Access) {
		private := false
		if n.named {
			l.decide(n)
			if n.want < acc && n.state == present && len(n.by()) > 0 {
				out = append(out, n)
			}
			acc, private = n.want, n.private
		}
		if private {
			acc = Closed
		}
		for _, k := range n.sorted() {
			visit(k, acc)
		}
	}
	visit(l.tree.root, Closed)
	return out
}

// limitTo closes another name of a closed node, unless a rule opens that very
// name.
func (l *lowering) limitTo(other string, of *node) {
	n := l.tree.at(other)
	l.tree.look(n)
	if n.state != present || n == of {
		return
	}
	if n.opens {
		l.aliases.open[of] = "a rule opens " + Quote(other) + ", which is the same"
		return
	}
	l.decide(n)
	if n.want <= of.want {
		return
	}
	n.named, n.decided = true, false
	if of.want < n.limit {
		n.limit, n.alias = of.want, of.path
	}
	l.decide(n)
	n.readBy, n.writeBy = of.readBy, of.writeBy
	l.aliases.closed[of] = append(l.aliases.closed[of], other)
}

// secondMounts closes what is closed at every place where the same part of the
// same file system is mounted (mountinfo in proc(5)).
func (l *lowering) secondMounts(closed []*node) {
	same := map[string][]host.Mount{}
	for _, m := range l.mounts {
		if !m.Kernel() && l.mountAt(m.Point) == m {
			same[m.Dev] = append(same[m.Dev], m)
		}
	}
	for dev, ms := range same {
		if len(ms) < 2 {
			delete(same, dev)
		}
	}
	if len(same) == 0 {
		return
	}
	for _, n := range closed {
		on := l.mountAt(n.path)
		if inside, ok := beneath(n.path, on.Point); ok {
			l.secondNames(same[on.Dev], on, join(on.Root, inside), n)
		}
		if !n.dir() {
			continue
		}
		for _, m := range l.mounts { // what is mounted beneath it is closed with it
			inside, ok := beneath(m.Point, n.path)
			if ok && inside != "" && slices.Contains(same[m.Dev], m) && l.closedAt(m.Point, n.want) {
				l.secondNames(same[m.Dev], m, m.Root, n)
			}
		}
	}
}

// closedAt reports whether what is mounted at the path, beneath something
// closed, is no more open.
func (l *lowering) closedAt(path string, want Access) bool {
	write, _ := l.answer(ir.Write, path, true)
	read, _ := l.answer(ir.Read, path, true)
	return !write && (!read || want >= ReadOnly)
}

// secondNames closes the part of a file system that begins at real, as seen
// through the mount on, wherever else it is mounted.
func (l *lowering) secondNames(mounts []host.Mount, on host.Mount, real string, of *node) {
	for _, m := range mounts {
		if m == on {
			continue
		}
		if rest, ok := beneath(real, m.Root); ok {
			l.secondName(join(m.Point, rest), m, of)
		} else if _, ok := beneath(m.Root, real); ok {
			l.secondName(m.Point, m, of)
		}
	}
}

// secondName closes other, unless something else is mounted over it.
func (l *lowering) secondName(other string, m host.Mount, of *node) {
	if _, within := beneath(other, of.path); !within && l.mountAt(other) == m {
		l.limitTo(other, of)
	}
}

// mountAt returns the mount that a path lies on: the last one made at or above
// it, since a mount hides everything that was beneath its point.
func (l *lowering) mountAt(path string) host.Mount {
	var on host.Mount
	for _, m := range l.mounts {
		if _, ok := beneath(path, m.Point); ok {
			on = m
		}
	}
	return on
}

// linkTargets closes the file that a link leads to, if a glob closes the link
// for reading: the author meant the content. A directory, and a file that a
// rule opens by name, stays open and is reported.
func (l *lowering) linkTargets(closed []*node) {
	globbed := map[*node]bool{}
	for rule, ns := range l.matches {
		if l.policy.Files[rule].Read.Closes() {
			for _, n := range ns {
				globbed[n] = true
			}
		}
	}
	for _, n := range closed {
		if n.host.Type != host.Link || n.want != Closed || !globbed[n] {
			continue
		}
		r, err := host.Resolve(l.tree.view, n.path)
		if err != nil || r.Missing != "" {
			continue
		}
		if d := l.decider.Decide(ir.Read, r.Path, r.Node.Type == host.Dir); d.Effect != ir.Allow || l.policy.Files[d.Rule].Private {
			continue
		}
		if r.Node.Type == host.Dir || l.tree.at(r.Path).opens || l.excepted(n, r.Path) {
			l.aliases.open[n] = "it is a link to " + Quote(r.Path) + ", which is open"
			continue
		}
		l.limitTo(r.Path, n)
	}
}

// excepted reports whether an exception of a glob that closes n covers path.
func (l *lowering) excepted(n *node, path string) bool {
	return slices.ContainsFunc(n.by(), func(rule int) bool {
		g, ok := closingGlob(&l.policy.Files[rule], l.decider.Target())
		return ok && g.Pattern.Covers(path, glob.Exact) && !g.Matches(path, glob.Exact)
	})
}

// beneath returns what is left of path below dir, "" or "/x", if it is dir or
// lies beneath it.
func beneath(path, dir string) (rest string, ok bool) {
	if dir == "/" {
		return strings.TrimSuffix(path, "/"), strings.HasPrefix(path, "/")
	}
	rest, ok = strings.CutPrefix(path, dir)
	return rest, ok && (rest == "" || rest[0] == '/')
}

func join(dir, rest string) string {
	if dir == "/" && rest != "" {
		return rest
	}
	return dir + rest
}
