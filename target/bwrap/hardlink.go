package bwrap

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/sandboxc/sbc/host"
)

// severalNames is a closed file with several names.
type severalNames struct {
	node  *node // what closes it: the file's own node, or a closed directory above
	nlink uint64
	known map[string]bool // the names that were found
}

// hardLinks finds the other names of closed files that have several: of those
// that are closed themselves and of those that lie in a closed directory. The
// search covers the roots that the policy opens, but not all of "/": a file
// whose names were not all found is reported.
func (l *lowering) hardLinks(closed []*node) {
	wanted := map[inode]*severalNames{}
	reading := false
	for _, n := range closed {
		for _, f := range l.closedFiles(n) {
			w := wanted[f.id]
			if w == nil {
				w = &severalNames{node: n, nlink: f.nlink, known: map[string]bool{}}
				wanted[f.id] = w
			}
			if n.want < w.node.want {
				w.node = n // the strictest closing counts
			}
			w.known[f.path] = true
			reading = reading || n.want == Closed
		}
	}
	if len(wanted) == 0 {
		return
	}
	complete := l.searchLinks(l.openRoots(reading), wanted)
	for _, w := range inOrder(wanted) {
		for _, other := range sortedKeys(w.known) {
			if !l.closedAt(other, w.node.want) {
				l.limitTo(other, w.node)
			}
		}
		all := uint64(len(w.known)) >= w.nlink
		// A name where nothing can be written does no harm to a file that may
		// be read.
		if !all && (w.node.want == Closed || !complete) {
			l.aliases.open[w.node] = "a file has more hard links than were found: " + Quote(sortedKeys(w.known)[0])
		}
	}
}

// inOrder returns the files in an order that does not depend on the map.
func inOrder(wanted map[inode]*severalNames) []*severalNames {
	out := slices.Collect(maps.Values(wanted))
	slices.SortFunc(out, func(a, b *severalNames) int {
		return strings.Compare(sortedKeys(a.known)[0], sortedKeys(b.known)[0])
	})
	return out
}

// closedFiles returns the files with several names that a closed node is, or
// holds. What a rule opens again beneath a closed directory is not among them.
func (l *lowering) closedFiles(n *node) []linkHit {
	switch n.host.Type {
	case host.Link:
		return nil
	case host.Dir:
		return l.linksBeneath(n)
	case host.File, host.Socket, host.FIFO, host.Char, host.Block:
	}
	if n.host.Ino == 0 { // from a walk, which does not look at each file
		h, err := l.tree.view.Lstat(n.path)
		if err != nil {
			return nil
		}
		n.host = h
	}
	if n.host.Nlink < 2 {
		return nil
	}
	return []linkHit{{id: inode{n.host.Dev, n.host.Ino}, path: n.path, nlink: n.host.Nlink}}
}

// closedNames is how many names in closed directories are looked at for files
// with several hard links. A home directory that is closed as a whole may hold
// millions, and each look costs a system call.
const closedNames = 100_000

// linksBeneath looks at the files in a closed directory, and notes if there are
// too many.
func (l *lowering) linksBeneath(n *node) []linkHit {
	var hits []linkHit
	several := func(h host.Node) bool { return h.Nlink > 1 }
	complete := l.searchTrees([]string{n.path}, closedNames, several, func(h linkHit) {
		if l.closedAt(h.path, n.want) {
			hits = append(hits, h)
		}
	})
	if !complete {
		l.aliases.unsure[n] = true
	}
	return hits
}

// openRoots returns the directories to search: everything that can be written
// and, for files that may not be read, what can be read, except "/" itself.
func (l *lowering) openRoots(reading bool) []string {
	var out []string
	var visit func(n *node, acc Access)
	visit = func(n *node, acc Access) {
		if n.named {
			l.decide(n)
			opened := n.want == Writable && acc < Writable || n.want == ReadOnly && acc == Closed && reading && n.path != "/"
			acc = n.want
			if n.private {
				acc = Closed
			} else if opened && n.dir() {
				out = append(out, n.path)
			}
		}
		for _, k := range n.sorted() {
			visit(k, acc)
		}
	}
	visit(l.tree.root, Closed)
	return out
}

// searchLinks looks at every file beneath the roots for other names of the
// wanted files. It reports whether it saw everything.
func (l *lowering) searchLinks(roots []string, wanted map[inode]*severalNames) bool {
	is := func(h host.Node) bool { return wanted[inode{h.Dev, h.Ino}] != nil }
	files, _ := budget(l.opts.Budget)
	return l.searchTrees(roots, files, is, func(h linkHit) { wanted[h.id].known[h.path] = true })
}

// searchTrees looks at every file beneath the roots and hands on those that are
// looked for, until all searches together have looked at so many names. It
// reports whether it saw everything.
func (l *lowering) searchTrees(roots []string, names int, is func(host.Node) bool, found func(linkHit)) bool {
	_, depth := budget(l.opts.Budget)
	kernel := l.kernelMounts()
	seen := map[string]bool{}
	level := roots
	for d := 0; len(level) > 0; d++ {
		if d > depth {
			return false
		}
		var next []string
		for len(level) > 0 {
			chunk := level[:min(chunkSize, len(level))]
			level = level[len(chunk):]
			if l.aliases.entries >= names || l.opts.Budget.Over() {
				return false
			}
			for _, s := range l.statChunk(chunk, is) {
				l.aliases.entries += s.entries
				for _, h := range s.hits {
					found(h)
				}
				for _, dir := range s.dirs {
					if !seen[dir] && !kernel[dir] && !l.privateDir(dir) {
						seen[dir] = true
						next = append(next, dir)
					}
				}
			}
		}
		level = next
	}
	return true
}

// privateDir reports whether the directory is storage of the sandbox's own.
func (l *lowering) privateDir(dir string) bool {
	n := l.tree.find(dir)
	return n.path == dir && n.named && n.private
}

// linkHit is one name of a file that is looked for.
type linkHit struct {
	id    inode
	path  string
	nlink uint64
}

type statted struct {
	entries int
	dirs    []string
	hits    []linkHit
}

func (l *lowering) statChunk(dirs []string, is func(host.Node) bool) []statted {
	out := make([]statted, len(dirs))
	jobs := make(chan int)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := range jobs {
				out[i] = l.statDir(dirs[i], is)
			}
		})
	}
	for i := range dirs {
		jobs <- i
	}
	close(jobs)
	wg.Wait()
	return out
}

func (l *lowering) statDir(dir string, is func(host.Node) bool) statted {
	entries, _ := l.tree.view.ReadDir(dir) // what cannot be listed here cannot be listed by the command
	out := statted{entries: len(entries)}
	for _, e := range entries {
		path := join(dir, "/"+e.Name)
		switch e.Type {
		case host.Dir:
			out.dirs = append(out.dirs, path)
		case host.Link:
		case host.File, host.Socket, host.FIFO, host.Char, host.Block:
			if h, err := l.tree.view.Lstat(path); err == nil && is(h) {
				out.hits = append(out.hits, linkHit{inode{h.Dev, h.Ino}, path, h.Nlink})
			}
		}
	}
	return out
}

func sortedKeys(m map[string]bool) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
