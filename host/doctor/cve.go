package doctor

import (
	"context"
	"fmt"
	"path"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir/diag"
)

// fixedIn is the version in which upstream fixed CVE-2026-87766.
const fixedIn = "0.12.0"

// cve tries CVE-2026-87766 (GHSA-pxhw-h44j-8pfx): while bubblewrap makes the
// mounts, the old root is at /oldroot, and a link to there at a destination
// makes it create files and directories outside of the sandbox. Only a trial
// tells, since distributions fixed it in old versions: in a fresh directory, a
// link leads to an empty directory beside it, in which then something appears or
// does not.
func cve(ctx context.Context, s starter, f host.Facts, m Machine) Check {
	c := Check{Name: "cve-2026-87766", Status: OK}
	outside, inside, err := m.Plant(f.Temp, func(root string) {
		for _, ghost := range []string{path.Join(root, "evil", "ghost"), path.Join(root, "ghost")} {
			// What matters is what appears, not whether the sandbox starts.
			_, _ = s.start(ctx, nil, "--bind", root, root, "--tmpfs", ghost)
		}
	})
	old := f.Bwrap.Before(fixedIn)
	switch {
	case outside:
		c.Status = Warn
		c.Detail = fmt.Sprintf("bubblewrap %s has CVE-2026-87766: it followed a planted link to make a directory outside of the sandbox.", f.Bwrap.Version)
	case err == nil && inside:
		c.Detail = fmt.Sprintf("bubblewrap %s does not follow planted links out of the sandbox: it was tried.", f.Bwrap.Version)
	case old:
		c.Status = Warn
		c.Detail = fmt.Sprintf("bubblewrap %s has CVE-2026-87766, unless its distribution fixed it: it could not be tried.", f.Bwrap.Version)
	default:
		c.Detail = fmt.Sprintf("bubblewrap %s has the fix by its version: it could not be tried.", f.Bwrap.Version)
	}
	if c.Status == Warn {
		c.Code = diag.CodeKnownCVE
		c.Remedy = "Install bubblewrap " + fixedIn + " or newer, or the fixed package of your distribution. Until then, sbc resolves each destination itself and checks it again before the start, which leaves the moment in between."
	}
	return c
}
