package bwrap

import (
	"slices"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target/bwrap/seccomp"
)

// settings fills in the part of the plan that is not about files.
func (l *lowering) settings() {
	p, plan := l.policy, &l.plan
	plan.ShareNet = p.Network.Mode.Value == ir.NetFull
	plan.NewSession = !p.Process.Terminal.Value
	plan.DisableUserns = !p.Process.Namespaces.Value && l.has("--disable-userns")
	plan.Env = p.Env
	plan.TmpMode = p.Tmp.Value
	plan.Wall, plan.CPU = p.Limits.Wall.Value, p.Limits.CPU.Value
	plan.Memory, plan.Procs = p.Limits.Memory.Value, p.Limits.Processes.Value
	plan.Open, plan.FileSize = p.Limits.OpenFiles.Value, p.Limits.FileSize.Value
	plan.Output = p.Limits.Output.Value
	slices.Sort(plan.Create)
	slices.Sort(plan.Placeholders)
	slices.Sort(plan.Writable)
}

// has reports whether the bubblewrap knows an option. One that was not looked
// at is taken to be as old as 0.8, which has all that a plan can need.
func (l *lowering) has(flag string) bool {
	f := l.opts.Facts
	return f == nil || f.Bwrap == nil || f.Bwrap.Has(flag)
}

// Filter returns the options of the seccomp program. Pushing input into the
// terminal stays refused even where the command keeps its session: what is
// pushed would be read by the shell outside.
func Filter(p *ir.Policy) seccomp.Options {
	return seccomp.Options{
		UnixSockets: len(p.Network.UnixSockets) > 0,
		Ptrace:      p.Process.Ptrace.Value,
		Namespaces:  p.Process.Namespaces.Value,
	}
}
