package verify

import (
	"fmt"

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
	return append(out, unsaid(s)...)
}

// seccompFD is the descriptor that the program for the kernel is passed on.
const seccompFD = 3

// unsaid are options that no policy asks for.
func unsaid(s *mounts.Sandbox) []Hole {
	var out []Hole
	add := func(name string, at int, text string) { out = append(out, Hole{Name: name, Line: at, Text: text}) }
	filters := 0
	for _, op := range s.Ops {
		switch op := op.(type) {
		case mounts.Bind:
			if op.Try {
				add("try", op.Index, fmt.Sprintf("what shows at %q depends on whether %q exists when the sandbox starts", op.Dest, op.Source))
			}
		case mounts.Setenv:
			add("environment", op.Index, fmt.Sprintf("the variable %s is set; the environment is the launcher's", op.Name))
		case mounts.Seccomp:
			if filters++; filters > 1 || op.FD != seccompFD || op.Add {
				add("seccomp", op.Index, fmt.Sprintf("the filter of system calls is read from descriptor %d, which no launcher passes", op.FD))
			}
		case mounts.BindData, mounts.Cap, mounts.Chmod, mounts.Clearenv, mounts.Descriptor, mounts.Dev, mounts.Dir, mounts.File, mounts.ID,
			mounts.Join, mounts.Mqueue, mounts.Overlay, mounts.Proc, mounts.RemountRO, mounts.Setting, mounts.ShareNet, mounts.Switch,
			mounts.Symlink, mounts.Tmpfs, mounts.Unsetenv, mounts.Unshare:
			// What these do is in the table of mounts, or a flag.
		}
	}
	return out
}
