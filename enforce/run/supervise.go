package run

import (
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
}

// Supervise returns what the launcher must decide during the run; nil if that is
// nothing. Decisions are those of [ir.Policy.Decide] for the job's policy.
func (j *Job) Supervise() *Supervise { return superviseOf(j.Artifact) }

func superviseOf(art target.Artifact) *Supervise {
	a, ok := art.(*bwrap.Artifact)
	if !ok || a.Plan.Supervise == nil {
		return nil
	}
	return &Supervise{Mode: a.Plan.Supervise.Mode, Removals: a.Plan.Supervise.Removals}
}
