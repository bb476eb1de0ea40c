package verify

import (
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/verify/mounts"
)

// openings are what a command line leaves open besides files, less what the
// policy permits.
func openings(p *ir.Policy, s *mounts.Sandbox) []Hole {
	permitted := map[string]bool{
		mounts.FlagNetwork: p.Network.Mode.Value == ir.NetFull,
		mounts.FlagSession: p.Process.Terminal.Value,
		mounts.FlagDevices: len(p.Process.Devices) > 0,
	}
	var out []Hole
	for _, f := range mounts.Flags(s) {
		if !f.Info && !permitted[f.Name] {
			out = append(out, Hole{Name: f.Name, Line: f.Index, Text: f.Text})
		}
	}
	return out
}
