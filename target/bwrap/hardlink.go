package bwrap

import (
	"slices"
	"sync"

	"github.com/sandboxc/sbc/host"
)

// hardLinks finds the other names of closed files that have several. The
// search covers the roots that the policy opens, but not all of "/": a file
// whose names were not all found is reported.
func (l *lowering) hardLinks(closed []*node) {
	wanted := map[inode]*node{} // the strictest closing of each
	known := map[inode]map[string]bool{}
	reading := false
	for _, n := range closed {
		if n.host.Type == host.Dir || n.host.Type == host.Link {
			continue
		}
		if n.host.Ino == 0 { // from a walk, which does not look at each file
			h, err := l.tree.view.Lstat(n.path)
			if err != nil {
				continue
			}
			n.host = h
		}
		if n.host.Nlink < 2 {
			continue
		}
		id := inode{n.host.Dev, n.host.Ino}
		if known[id] == nil {
			known[id] = map[string]bool{}
		}
		known[id][n.path] = true
		if wanted[id] == nil || n.want < wanted[id].want {
			wanted[id] = n
		}
		reading = reading || n.want == Closed
	}
	if len(wanted) == 0 {
		return
	}
	complete := l.searchLinks(l.openRoots(reading), wanted, known)
	for _, n := range closed {
		id := inode{n.host.Dev, n.host.Ino}
		if wanted[id] != n {
			continue
		}
		for _, other := range sortedKeys(known[id]) {
			l.limitTo(other, n)
		}
		all := uint64(len(known[id])) >= n.host.Nlink
		// A name where nothing can be written does no harm to a file that may
		// be read.
		if !all && (n.want == Closed || !complete) {
			l.aliases.open[n] = "it has more hard links than were found"
		}
	}
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

// searchLinks looks at every file beneath the roots and adds the names of the
// wanted inodes to known. It reports whether it saw everything.
func (l *lowering) searchLinks(roots []string, wanted map[inode]*node, known map[inode]map[string]bool) bool {
	files, depth := budget(l.opts.Budget)
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
			if l.aliases.entries >= files || l.opts.Budget.Over() {
				return false
			}
			for _, found := range l.statChunk(chunk, wanted) {
				l.aliases.entries += found.entries
				for _, h := range found.hits {
					known[h.id][h.path] = true
				}
				for _, dir := range found.dirs {
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

// hit is one name of a wanted inode.
type linkHit struct {
	id   inode
	path string
}

type statted struct {
	entries int
	dirs    []string
	hits    []linkHit
}

func (l *lowering) statChunk(dirs []string, wanted map[inode]*node) []statted {
	out := make([]statted, len(dirs))
	jobs := make(chan int)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := range jobs {
				out[i] = l.statDir(dirs[i], wanted)
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

func (l *lowering) statDir(dir string, wanted map[inode]*node) statted {
	entries, _ := l.tree.view.ReadDir(dir) // what cannot be listed here cannot be listed by the command
	out := statted{entries: len(entries)}
	for _, e := range entries {
		path := join(dir, "/"+e.Name)
		switch e.Type {
		case host.Dir:
			out.dirs = append(out.dirs, path)
		case host.Link:
		case host.File, host.Socket, host.FIFO, host.Char, host.Block:
			h, err := l.tree.view.Lstat(path)
			id := inode{h.Dev, h.Ino}
			if err == nil && wanted[id] != nil {
				out.hits = append(out.hits, linkHit{id, path})
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
