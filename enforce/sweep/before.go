package sweep

import (
	"errors"
	"io/fs"
	"slices"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
)

// Before is what matched before the run.
type Before struct {
	rules   *rules
	kernel  map[string]bool
	start   int64           // nanoseconds since 1970, by the clock of the files
	matches map[string]was  // by path
	objects map[object]int  // the rules of those matches
	missing []absence       // paths closed by name that did not exist
	unread  map[string]bool // directories that could not be listed
	short   bool            // a bound was met, so there may have been more
}

// object tells a file from all others, later ones with the same inode included
// where the file system says when an inode was born, in nanoseconds since 1970.
type object struct {
	dev, ino uint64
	born     int64
}

// was is a match, and the directory that it was in.
type was struct{ self, parent object }

// absence is a path that did not exist, and the first of its components that did
// not.
type absence struct{ path, first string }

// Look remembers what matches before the start. Where the view knows the
// listings already, as after a lowering, that costs no system calls but one for
// each match; without anything closed that a mount may not hold, it costs
// nothing. It must be done before the command can change anything.
func Look(o Options) *Before {
	b := &Before{rules: newRules(o.Decider, o.Writable)}
	if b.rules.idle() {
		return b
	}
	b.start = now()
	b.matches, b.objects, b.unread, b.kernel = map[string]was{}, map[object]int{}, map[string]bool{}, map[string]bool{}
	mounts, _ := o.View.Mounts() // without a table nothing is left out
	for _, m := range mounts {
		if m.Kernel() {
			b.kernel[m.Point] = true
		}
	}
	w := &walk{rules: b.rules, view: o.View, budget: o.Budget, kernel: b.kernel, workers: 1}
	parents := map[string]object{}
	w.find = func(path string, _ host.Type, rule int) bool {
		self, dir := objectAt(path), ir.Parent(path)
		parent, ok := parents[dir]
		if !ok {
			parent = objectAt(dir)
			parents[dir] = parent
		}
		b.matches[path] = was{self, parent}
		b.objects[self] = rule
		return false
	}
	w.run()
	b.short = w.bound != ""
	for _, dir := range w.unread {
		b.unread[dir] = true
	}
	b.named(o.View)
	return b
}

// named notes which of the paths that are closed by name do not exist.
func (b *Before) named(v host.View) {
	for _, p := range b.rules.closed {
		if _, err := v.Lstat(p); !errors.Is(err, fs.ErrNotExist) {
			continue // it exists, or nobody may know
		}
		first := p
		for _, a := range slices.Backward(ir.Ancestors(p)) {
			if _, err := v.Lstat(a); !errors.Is(err, fs.ErrNotExist) {
				break
			}
			first = a
		}
		b.missing = append(b.missing, absence{p, first})
	}
}

// unsure reports whether the path may have matched before without being
// remembered.
func (b *Before) unsure(path string) bool {
	if b.short {
		return true
	}
	for dir := ir.Parent(path); dir != "/" && len(b.unread) > 0; dir = ir.Parent(dir) {
		if b.unread[dir] {
			return true
		}
	}
	return false
}
