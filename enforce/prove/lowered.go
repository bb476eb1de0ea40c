package prove

import (
	"fmt"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
	"github.com/sandboxc/sbc/target/seatbelt"
	"github.com/sandboxc/sbc/verify"
	"github.com/sandboxc/sbc/verify/mounts"
	"github.com/sandboxc/sbc/verify/snapshot"
)

// Options is what a policy was lowered with.
type Options struct {
	View host.View
	// Sockets are where somebody listens on the host, as host.Facts has them.
	Sockets []string
	Budget  target.Budget
}

// Lowered proves an artefact that a target has just emitted.
func Lowered(p *ir.Policy, art target.Artifact, rep target.Report, o Options) (*verify.Proof, error) {
	switch a := art.(type) {
	case *bwrap.Artifact:
		return verify.Mounts(p, mountsInput(a.Args(), &a.Plan, rep, o))
	case *seatbelt.Profile:
		text, err := a.Render(target.Text)
		if err != nil {
			return nil, err
		}
		return verify.Profile(p, verify.ProfileInput{File: "policy.sb", Text: text, Claims: Claims(rep)})
	default:
		return nil, fmt.Errorf("nothing is known of an artefact of type %T", art)
	}
}

func mountsInput(args []string, plan *bwrap.Plan, rep target.Report, o Options) verify.MountsInput {
	return verify.MountsInput{
		Args: args, Prepared: Prepared(plan), View: o.View, Sockets: o.Sockets, Claims: Claims(rep), Watch: Watched(plan),
		Scan: snapshot.Options{Files: o.Budget.Files, Depth: o.Budget.Depth},
	}
}

// Prepared are the objects that the launcher makes before the start, and what
// every Linux has, whether a record of the host says so or not.
func Prepared(p *bwrap.Plan) map[string]mounts.Object {
	out := map[string]mounts.Object{"/proc/sys": {Kind: mounts.Directory}}
	for _, path := range p.Create {
		for _, a := range ir.Ancestors(path) {
			out[a] = mounts.Object{Kind: mounts.Directory}
		}
		out[path] = mounts.Object{Kind: mounts.Directory}
	}
	for _, path := range p.Placeholders {
		out[path] = mounts.Object{Kind: mounts.Directory}
	}
	if p.MaskFile != "" {
		out[p.MaskFile] = mounts.Object{Kind: mounts.Regular, Modes: true}
	}
	return out
}
