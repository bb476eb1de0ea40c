package run

import (
	"maps"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/sandboxc/sbc/enforce/names"
	"github.com/sandboxc/sbc/enforce/supervise"
	"github.com/sandboxc/sbc/enforce/sweep"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
)

// Supervises reports whether a run decides about names while the command runs.
// A policy must be lowered accordingly ([target.Options.Supervised]): what its
// report calls exact by that would otherwise be held by nobody.
const Supervises = true

// Supervised reports whether names are decided about during the run.
func (j *Job) Supervised() bool { return supervision(j.Artifact) != nil }

func supervision(art target.Artifact) *bwrap.Supervision {
	if a, ok := art.(*bwrap.Artifact); ok {
		return a.Plan.Supervise
	}
	return nil
}

// supervise is what the launcher is to decide, by the policy; nil for nothing.
func (e *evidence) supervise(plan *bwrap.Plan) *supervise.Config {
	s := plan.Supervise
	if s == nil {
		return nil
	}
	policy := func() (*ir.Policy, error) {
		time.AfterFunc(settled, debug.FreeOSMemory) // what it takes to read it
		return e.policy()
	}
	e.fresh = &fresh{names: names.New(policy, s.Free...), paths: map[string]int{}}
	return &supervise.Config{
		Names: e.fresh.names, Permitted: e.fresh.permitted,
		Opens: s.Mode == ir.SuperviseOpen, Removals: s.Removals, Sockets: s.Sockets,
	}
}

// fresh is what the command was permitted to make although a rule closes it: a
// rule that leaves names free which do not exist at the start.
type fresh struct {
	names *names.Names

	mu    sync.Mutex
	paths map[string]int // the rule, by the path
}

// maxFresh is how many of them are told of.
const maxFresh = 1000

func (f *fresh) permitted(path string, dir bool) {
	rule := f.names.Free(path, dir)
	if rule < 0 || exists(path) {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.paths) < maxFresh {
		f.paths[path] = rule
	}
}

// matches are those of the paths that are there now.
func (f *fresh) matches(p *ir.Policy) []sweep.LateMatch {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []sweep.LateMatch
	for _, path := range slices.Sorted(maps.Keys(f.paths)) {
		n, err := host.Live{}.Lstat(path)
		if err != nil {
			continue
		}
		r := &p.Files[f.paths[path]]
		out = append(out, sweep.LateMatch{
			Path: path, Type: n.Type, Kind: sweep.Appeared, Rule: f.paths[path], Address: r.Origin.Address, Runs: r.Sweep == ir.SweepQuarantine,
		})
	}
	return out
}
