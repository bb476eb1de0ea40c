package verify

import (
	"fmt"
	"slices"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/verify/mounts"
)

// hostLevel finds what takes the whole table to know: sockets of the host that
// the policy does not list and the command could connect to, and files of the
// host that bubblewrap makes or changes itself. Where the policy lists no socket
// none can be made, whatever the mounts show.
func (c *comparison) hostLevel(t *mounts.Table, paths []string) {
	var sockets []string
	if listed := c.policy.Network.UnixSockets; len(listed) > 0 {
		for _, p := range slices.Concat(c.in.Sockets, paths) {
			r, err := host.Resolve(c.in.View, p)
			if err != nil || r.Missing != "" || r.Node.Type != host.Socket {
				continue
			}
			if !slices.ContainsFunc(listed, func(s ir.SocketRule) bool { return s.Path == r.Path }) {
				sockets = append(sockets, r.Path)
			}
		}
	}
	for _, f := range t.Flags(sorted(sockets)) {
		c.proof.Holes = append(c.proof.Holes, Hole{Name: f.Name, Line: f.Index, Text: f.Text})
	}
}

// systemLinks are the links by which every distribution with a merged /usr knows
// its programs and libraries.
var systemLinks = []string{"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"}

// written looks for openings that cannot be reached as the author wrote them, or
// as every program does. A policy opens what a link leads to; where the sandbox
// does not show the host's own directory, the link must be made as well, and lead
// there.
func (c *comparison) written(t *mounts.Table) {
	check := func(link, why string) {
		r, err := host.Resolve(c.in.View, link)
		if err != nil || r.Missing != "" || len(r.Links) == 0 || !c.tree.Answer(r.Path).Read {
			return
		}
		if c.decider.Decide(ir.Read, r.Path, r.Node.Type == host.Dir).Effect != ir.Allow {
			return
		}
		if to, ok := t.Resolve(link, true); !ok || to != r.Path {
			c.proof.Holes = append(c.proof.Holes, Hole{
				Name: "link", Line: -1, Text: fmt.Sprintf("%q does not lead to %q, %s", link, r.Path, why),
			})
		}
	}
	for _, link := range systemLinks {
		check(link, "as on the host")
	}
	for i := range c.policy.Files {
		if r := &c.policy.Files[i]; r.Written != "" && r.Opens() && r.AppliesTo(ir.Linux) {
			check(r.Written, "which "+r.Origin.Address+" opens")
		}
	}
}
