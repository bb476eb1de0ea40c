package names

import (
	"sync"

	"github.com/sandboxc/sbc/ir"
)

// Names is what a policy says about names on Linux. It is safe for concurrent use.
type Names struct {
	table func() *table
}

// New returns the names of a policy, which is asked for when the first question
// comes, or by [Names.Prepare], and must not change afterwards. If there is none,
// everything is closed.
//
// The rules of which the indices are free say nothing: they leave names free that
// do not exist at the start.
func New(policy func() (*ir.Policy, error), free ...int) *Names {
	return &Names{table: sync.OnceValue(func() *table {
		p, err := policy()
		if err != nil {
			p, free = &ir.Policy{}, nil
		}
		return newTable(p, free)
	})}
}

// Prepare does what the first question would wait for.
func (n *Names) Prepare() { n.table() }

// Decide reports whether the operation is permitted on an absolute and clean path
// that is, or would become, a directory or something else.
func (n *Names) Decide(op ir.Op, path string, dir bool) bool {
	return n.table().allows(op, path, dir)
}

// Carries reports whether something beneath a directory may be decided
// otherwise once the directory is renamed, so that what it holds must be looked
// at. It may be true though nothing is.
func (n *Names) Carries(from, to string) bool {
	return from != to && !n.table().alike(from, to)
}

// Free returns the rule that would close a path for writing if it did not leave
// names free; -1 if there is none.
func (n *Names) Free(path string, dir bool) int {
	t := n.table()
	p := t.walk(path)
	if i := t.decides(&p, ir.Write, dir, true); i >= 0 && t.free[i] && t.files[i].Write.Closes() {
		return i
	}
	return -1
}
