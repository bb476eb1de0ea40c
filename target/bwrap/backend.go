package bwrap

import (
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap/seccomp"
)

// Backend is the Linux target. The zero value is ready to use.
type Backend struct{}

// Name implements [target.Backend].
func (Backend) Name() string { return ir.Linux }

// Lower implements [target.Backend]. The artefact is an *[Artifact].
func (b Backend) Lower(p *ir.Policy, v host.View, o target.Options) (target.Artifact, target.Report) {
	art, rep := b.Compile(p, v, o)
	if art == nil {
		return nil, rep
	}
	return art, rep
}

// Compile is Lower with the artefact's own type; it is nil if the report's
// diagnostics hold an error.
func (Backend) Compile(p *ir.Policy, v host.View, o target.Options) (*Artifact, target.Report) {
	l := newLowering(p, v, o)
	l.run()
	arch, known := seccomp.AMD64, true
	if o.Facts != nil && o.Facts.Arch != "" {
		arch, known = seccomp.ArchOf(o.Facts.Arch)
	}
	rep := l.report()
	if !known {
		rep.Diagnostics.Add(diag.Diagnostic{
			Code: diag.CodeSeccompMissing, Severity: diag.Error, Target: ir.Linux,
			Summary: "there is no seccomp program for " + Quote(o.Facts.Arch),
			Detail:  "Without it the command could reach unix sockets and undo the sandbox from inside. Use amd64 or arm64.",
		})
	}
	if rep.Diagnostics.HasErrors() {
		return nil, rep
	}
	l.plan.Supervise = l.supervision(rep)
	art := &Artifact{Plan: l.plan, Seccomp: seccomp.Build(arch, Filter(p)).Encode(), Arch: arch.String()}
	if bw := l.bwrap(); bw != nil {
		art.Bwrap = bw.Path
	}
	return art, rep
}
