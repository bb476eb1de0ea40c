package bwrap

import (
	"errors"
	"io/fs"
	"sync"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/target"
)

// The bounds of a scan where the options leave them open.
const (
	defaultFiles = 2_000_000
	defaultDepth = 64
)

// A walk goes down level by level. The directories of a level are listed in
// chunks, each by several workers at once; what was found is then taken in
// order. So the result does not depend on the workers, even where the budget
// ends the walk.
const (
	chunkSize = 256
	workers   = 4
)

// scan is what the walk for all globs found besides nodes.
type scan struct {
	unread  []string // directories that could not be listed, in walk order
	kernel  []string // file systems of the kernel that were left out
	sockets int      // names looked at for sockets alone
	short   bool     // the budget ended the walk
	entries int      // names looked at
}

// spot is a directory of the walk, or what is still to come of it.
type spot struct {
	path    string
	node    *node // nil if no node lies at or beneath it
	acc     Access
	private bool
	under   bool // a glob's base lies at or above it
	reopen  bool // closed by a glob that has exceptions
	depth   int  // below the first base
	sockets int  // how many levels are searched for sockets
	at      [numSets]glob.State
}

// found is an entry that a walk goes on with.
type found struct {
	name    string
	typ     host.Type
	at      [numSets]glob.State
	matched [numSets][]int
}

// listing is one directory, read.
type listing struct {
	entries int
	found   []found
	err     error
}

// walk matches all globs against the host in one go and makes nodes of what it
// finds.
func (l *lowering) walk() {
	if l.tree.blind {
		return
	}
	files, depth := budget(l.opts.Budget)
	kernel := l.kernelMounts()
	root := spot{path: "/", node: l.tree.root}
	for i, s := range l.patterns.sets() {
		root.at[i] = s.set.Root()
		for _, m := range root.at[i].Matched() {
			l.mark(root.node, s.patterns[m], &root)
		}
	}
	l.enter(&root, nil)
	for level := []spot{root}; len(level) > 0; {
		var next []spot
		for len(level) > 0 {
			chunk := level[:min(chunkSize, len(level))]
			level = level[len(chunk):]
			over := l.opts.Budget.Over()
			read := make([]bool, len(chunk))
			for i := range chunk {
				s := &chunk[i]
				read[i] = l.wants(s)
				switch {
				case !read[i]:
				case over || l.scan.entries >= files || s.depth > depth:
					l.scan.short, read[i] = true, false
				case kernel[s.path]:
					l.scan.kernel = append(l.scan.kernel, s.path)
					read[i] = false
				}
			}
			lists := l.list(chunk, read)
			for i := range chunk {
				next = append(next, l.take(&chunk[i], lists[i])...)
			}
		}
		level = next
	}
}

func budget(b target.Budget) (files, depth int) {
	files, depth = b.Files, b.Depth
	if files == 0 {
		files = defaultFiles
	}
	if depth == 0 {
		depth = defaultDepth
	}
	return files, depth
}

// wants reports whether the names in a directory can matter.
func (l *lowering) wants(s *spot) bool {
	return !s.private && (s.under && l.matters(s) || l.wantsSockets(s))
}

// matters reports whether a pattern may match a name in a directory.
func (l *lowering) matters(s *spot) bool {
	if s.reopen && !s.at[inExcept].Dead() {
		return true
	}
	switch s.acc {
	case Writable:
		return !s.at[inRead].Dead() || !s.at[inWrite].Dead()
	case ReadOnly:
		return !s.at[inRead].Dead()
	case Closed:
	}
	return false
}

// list reads the directories that are to be read.
func (l *lowering) list(chunk []spot, read []bool) []listing {
	out := make([]listing, len(chunk))
	jobs := make(chan int)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := range jobs {
				out[i] = l.listOne(&chunk[i])
			}
		})
	}
	for i := range chunk {
		if read[i] {
			jobs <- i
		}
	}
	close(jobs)
	wg.Wait()
	return out
}

// listOne reads one directory and keeps the directories that a pattern may go
// on in, and everything that one matches.
func (l *lowering) listOne(s *spot) listing {
	entries, err := l.tree.view.ReadDir(s.path)
	out := listing{entries: len(entries), err: err}
	for _, e := range entries {
		f := found{name: e.Name, typ: e.Type}
		keep := e.Type == host.Socket && l.wantSockets || e.Type == host.Dir && s.sockets > 1
		for i := range f.at {
			if s.at[i].Dead() {
				continue
			}
			f.at[i], f.matched[i] = s.at[i].Step(e.Name)
			keep = keep || len(f.matched[i]) > 0 || e.Type == host.Dir && !f.at[i].Dead()
		}
		if keep {
			out.found = append(out.found, f)
		}
	}
	return out
}

// take makes nodes of what a directory holds and returns where to go on:
// into its directories, and to the nodes that were known before.
func (l *lowering) take(s *spot, list listing) []spot {
	l.scan.entries += list.entries
	if !s.under || !l.matters(s) {
		l.scan.entries -= list.entries
		l.scan.sockets += list.entries
	}
	if list.err != nil && !errors.Is(list.err, fs.ErrNotExist) {
		l.scan.unread = append(l.scan.unread, s.path)
	}
	var next []spot
	var listed map[string]bool
	if s.node != nil {
		listed = map[string]bool{}
	}
	for _, f := range list.found {
		if s.node != nil {
			listed[f.name] = true
		}
		if to, ok := l.follow(s, f); ok {
			next = append(next, to)
		}
	}
	if s.node == nil {
		return next
	}
	for _, k := range s.node.sorted() {
		if listed[k.name] {
			continue
		}
		l.tree.look(k)
		if k.state != present {
			continue
		}
		f := found{name: k.name, typ: k.host.Type}
		for i := range f.at {
			f.at[i], f.matched[i] = s.at[i].Step(k.name)
		}
		if to, ok := l.follow(s, f); ok {
			next = append(next, to)
		}
	}
	return next
}

// follow records what an entry matched and, if it is a directory that matters,
// returns the spot to go on with.
func (l *lowering) follow(s *spot, f found) (spot, bool) {
	path := s.path + "/" + f.name
	if s.path == "/" {
		path = "/" + f.name
	}
	to := spot{
		path: path, acc: s.acc, private: s.private, under: s.under, reopen: s.reopen, depth: s.depth, at: f.at,
		sockets: max(s.sockets-1, 0),
	}
	if to.under {
		to.depth++
	}
	if s.node != nil {
		to.node = s.node.kids[f.name]
	}
	if hit(f) || f.typ == host.Socket {
		to.node = l.record(path, f, s)
	}
	l.enter(&to, f.matched[inRead])
	if len(f.matched[inWrite]) > 0 {
		to.reopen = to.reopen || l.hasExceptions(l.patterns.write, f.matched[inWrite])
	}
	if f.typ != host.Dir {
		return to, false
	}
	return to, to.node != nil && len(to.node.kids) > 0 || l.wants(&to)
}

func hit(f found) bool {
	for _, m := range f.matched {
		if len(m) > 0 {
			return true
		}
	}
	return false
}

// enter sets what is decided at a spot, given the matches in the read set.
func (l *lowering) enter(s *spot, matched []int) {
	s.reopen = s.reopen || l.hasExceptions(l.patterns.read, matched)
	n := s.node
	if n == nil {
		return
	}
	s.under = s.under || n.base
	if n.sockets {
		s.sockets = socketDepth
	}
	if n.named {
		l.decide(n)
		s.acc, s.private = n.want, n.private
	}
}

func (l *lowering) hasExceptions(set patternSet, matched []int) bool {
	for _, i := range matched {
		p := set.patterns[i]
		g, _ := closingGlob(&l.policy.Files[p.rule], l.decider.Target())
		if p.role == closes && len(g.Except) > 0 {
			return true
		}
	}
	return false
}

// record makes the node of an entry that patterns matched.
func (l *lowering) record(path string, f found, s *spot) *node {
	n := l.tree.at(path)
	if n.state == unseen {
		n.state, n.host = present, host.Node{Type: f.typ}
		for up := n.parent; up.state == unseen; up = up.parent {
			up.state, up.host = present, host.Node{Type: host.Dir}
		}
	}
	if f.typ == host.Socket && l.wantSockets {
		l.sockets = append(l.sockets, path)
	}
	for i, set := range l.patterns.sets() {
		for _, m := range f.matched[i] {
			l.mark(n, set.patterns[m], s)
		}
	}
	return n
}

// mark notes on a node what one pattern says of it.
func (l *lowering) mark(n *node, p pattern, s *spot) {
	switch p.role {
	case closes:
		if r := &l.policy.Files[p.rule]; r.NonDir && n.host.Type == host.Dir {
			return
		}
		n.named, n.decided = true, false
		l.matches[p.rule] = append(l.matches[p.rule], n)
	case excepts:
		if s.reopen {
			n.named, n.decided = true, false
		}
	case pins:
		if n.host.Type == host.Link { // no mount can hold it
			l.pinnedLinks[p.rule] = true
			return
		}
		n.pin, n.pins = true, append(n.pins, p.rule)
	case folds:
		n.folds = append(n.folds, p.rule)
	}
}

// kernelMounts returns where such file systems are mounted.
func (l *lowering) kernelMounts() map[string]bool {
	out := map[string]bool{}
	for _, m := range l.mounts {
		if m.Kernel() {
			out[m.Point] = true
		}
	}
	return out
}
