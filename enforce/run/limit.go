package run

import (
	"errors"
	"fmt"
	"os"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/sandboxc/sbc/enforce/launch"
	"github.com/sandboxc/sbc/enforce/limits"
	"github.com/sandboxc/sbc/enforce/request"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target/bwrap"
)

// limited is what keeps the limits of one run.
type limited struct {
	set      limits.Set
	group    *limits.Group // nil if there is none
	rlimits  []limits.Rlimit
	enforced []limits.Enforced
}

// Enforced says how each limit of a plan is kept on this machine. It makes
// nothing.
func Enforced(p *bwrap.Plan) ([]limits.Enforced, error) {
	l := limited{set: limits.Of(p)}
	err := l.settle()
	return l.enforced, err
}

// limit makes what keeps the limits. A control group is made where the user may
// and where it keeps something better. A limit that nothing keeps is an error
// unless its loss was accepted.
func limit(p *bwrap.Plan, accepted []string) (*limited, error) {
	l := &limited{set: limits.Of(p)}
	if l.set.Wants() {
		if tree, err := limits.Own(); err == nil {
			l.group, _ = limits.Make(tree, os.Getpid(), alive, l.set) // without one, resource limits are set
		}
	}
	err := l.settle()
	for _, e := range l.enforced {
		if rule := "limits." + e.Limit; err == nil && e.Mechanism == limits.None && !slices.Contains(accepted, rule) {
			err = &request.Error{
				Status: request.StatusRefused, Text: fmt.Sprintf("%s is kept by %s", rule, e.Covers),
				Hint: fmt.Sprintf("run it as another user, leave the limit out, or accept that: --accept %s:%s", diag.CodeLimit, rule),
			}
		}
	}
	if err != nil {
		return nil, errors.Join(err, l.remove())
	}
	return l, nil
}

// settle works out the resource limits, and what is kept how.
func (l *limited) settle() error {
	hard, err := limits.Hard()
	if err != nil {
		return err
	}
	l.rlimits = limits.Lower(l.set.Rlimits(l.group != nil), hard)
	l.enforced = l.set.Enforced(limits.Conditions{Group: l.group != nil, Root: os.Getuid() == 0, Hard: hard, PerSandbox: limits.PerSandbox()})
	return nil
}

// alive reports whether a process runs, whoever it belongs to.
func alive(pid int) bool { return unix.Kill(pid, 0) != unix.ESRCH }

// hit names the limits that stopped something, as far as that shows.
func (l *limited) hit(end *launch.Result) []string {
	var out []string
	if end.TimedOut {
		out = append(out, "wall")
	}
	if end.Signal == int(unix.SIGXCPU) {
		out = append(out, "cpu")
	}
	if end.Signal == int(unix.SIGXFSZ) {
		out = append(out, "file_size")
	}
	if l.group == nil {
		return out
	}
	if use, err := l.group.Use(); err == nil {
		if use.OutOfMemory {
			out = append(out, "memory")
		}
		if use.OutOfProcs {
			out = append(out, "processes")
		}
	}
	return out
}

// remove removes the control group.
func (l *limited) remove() error {
	if l.group == nil {
		return nil
	}
	return l.group.Remove()
}
