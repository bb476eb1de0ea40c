package recheck

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target/bwrap"
)

// Change is a path that is not what it was.
type Change struct {
	Path string
	Text string // "is no longer a directory", lower case, without a full stop
	// Gone is set if it has vanished and the plan can do without it. A plan that
	// is made again leaves it out.
	Gone bool
}

// String returns the change as a clause.
func (c Change) String() string { return fmt.Sprintf("%q %s", c.Path, c.Text) }

// ChangedError reports that something is not as it was when the policy was
// compiled. The policy can be compiled again.
type ChangedError struct{ Changes []Change }

// Error implements error.
func (e *ChangedError) Error() string {
	var list []string
	for _, c := range e.Changes {
		list = append(list, c.String())
	}
	return "the machine has changed since the policy was compiled: " + strings.Join(list, "; ")
}

// Sources returns what has changed since the plan was made. Was answers as it
// did then (a [host.Memo]); look says what is at a path now, as [Look] does.
func Sources(p *bwrap.Plan, was host.View, look func(path string) (host.Node, error)) []Change {
	var out []Change
	for _, m := range p.Mounts {
		if _, ok := m.Needs(); !ok {
			continue
		}
		before, err := was.Lstat(m.Path)
		if errors.Is(err, fs.ErrNotExist) && made(p, m.Path) {
			before, err = look(m.Path) // nothing is known of it but that it must be there
		}
		if err != nil {
			out = append(out, Change{Path: m.Path, Text: fmt.Sprintf("could not be looked at (%v)", err)})
			continue
		}
		now, err := look(m.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			out = append(out, Change{Path: m.Path, Text: "has vanished", Gone: m.Optional})
		case err != nil:
			out = append(out, Change{Path: m.Path, Text: err.Error()})
		case now.Type != before.Type:
			out = append(out, Change{Path: m.Path, Text: fmt.Sprintf("was a %s and is a %s now", before.Type, now.Type)})
		case now.Dev != before.Dev || now.Ino != before.Ino:
			out = append(out, Change{Path: m.Path, Text: fmt.Sprintf("is another %s now", before.Type)})
		}
	}
	return out
}

// made reports whether the launcher has made the directory for this run.
func made(p *bwrap.Plan, path string) bool {
	return slices.ContainsFunc(p.Create, func(dir string) bool { return ir.Beneath(dir, path) })
}
