package run

import (
	"slices"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
)

// Supervises reports whether a run decides about names while the command runs.
// A policy must be lowered accordingly ([target.Options.Supervised]): what its
// report calls exact by that would otherwise be held by nobody.
const Supervises = false

// Supervise is what the launcher must decide during a run.
type Supervise struct {
	// Mode is never off.
	Mode ir.SuperviseMode
	// Removals is set if unlink and rmdir must be decided too.
	Removals bool
	// free are the rules that leave names free which do not exist at the start.
	free []int
}

// Policy is what decides about a call: the job's policy without the rules that
// leave names free. The indices of rules stay.
func (s *Supervise) Policy(p *ir.Policy) *ir.Policy {
	return silenced(p, func(i int) bool { return slices.Contains(s.free, i) })
}

// unheld is what is looked for after a run: of what the policy closes, what
// nobody decides about. It is nil if that is nothing.
func (s *Supervise) unheld(p *ir.Policy) *ir.Policy {
	if s == nil || len(s.free) == 0 {
		return nil
	}
	return silenced(p, func(i int) bool {
		return p.Files[i].Group < ir.GroupRequired && !slices.Contains(s.free, i) && !p.Files[i].Opens()
	})
}

// silenced is the policy with some of its rules saying nothing.
func silenced(p *ir.Policy, which func(i int) bool) *ir.Policy {
	out := *p
	out.Files = slices.Clone(p.Files)
	for i := range out.Files {
		if which(i) {
			out.Files[i].Read, out.Files[i].Write = ir.Pass, ir.Pass
		}
	}
	return &out
}

// Supervise returns what the launcher must decide during the run; nil if that is
// nothing. Decisions are those of [ir.Policy.Decide] for [Supervise.Policy].
func (j *Job) Supervise() *Supervise { return superviseOf(j.Artifact) }

func superviseOf(art target.Artifact) *Supervise {
	a, ok := art.(*bwrap.Artifact)
	if !ok || a.Plan.Supervise == nil {
		return nil
	}
	return &Supervise{Mode: a.Plan.Supervise.Mode, Removals: a.Plan.Supervise.Removals, free: a.Plan.Supervise.Free}
}
