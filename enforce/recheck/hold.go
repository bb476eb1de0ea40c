package recheck

import (
	"os"
	"slices"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target/bwrap"
)

// Held are open files by path.
type Held map[string]*os.File

// Close closes them.
func (h Held) Close() {
	for _, f := range h {
		_ = f.Close() // opened as paths: nothing can be lost
	}
}

// Hold opens the sources of a plan that a command may have exchanged by the time
// of the start: those beneath a directory that some sandbox may write. They are
// what they were when the plan was made, or the error is a [*ChangedError].
func Hold(p *bwrap.Plan, was host.View) (Held, error) {
	held := Held{}
	for _, m := range p.Mounts {
		if _, ok := m.Needs(); !ok || !m.Holdable() || !exchangeable(p, m.Path) || made(p, m.Path) {
			continue
		}
		f, now, err := Open(m.Path)
		if err != nil {
			held.Close()
			return nil, &ChangedError{[]Change{{Path: m.Path, Text: err.Error()}}}
		}
		held[m.Path] = f
		if before, err := was.Lstat(m.Path); err != nil || before.Dev != now.Dev || before.Ino != now.Ino || before.Type != now.Type {
			held.Close()
			return nil, &ChangedError{[]Change{{Path: m.Path, Text: "is not what it was"}}}
		}
	}
	return held, nil
}

// exchangeable reports whether the path lies beneath a directory that the command
// may write.
func exchangeable(p *bwrap.Plan, path string) bool {
	return slices.ContainsFunc(p.Writable, func(dir string) bool { return path != dir && ir.Beneath(path, dir) && p.Storage(dir) == "" })
}
