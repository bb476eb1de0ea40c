package bench_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
)

// globs are twenty patterns as policies have them.
var globs = []string{
	"**/.env", "**/.env.*", "**/.npmrc", "**/.netrc", "**/*.pem", "**/*.key", "**/id_rsa*", "**/.git/hooks/*", "**/.git/config", "**/.vscode",
	"**/.idea", "**/.bashrc", "**/.zshrc", "**/.claude", "**/.cursor", "**/secrets/**", "**/credentials*", "**/.aws/*", "**/.kube/config", "**/*.p12",
}

// BenchmarkSnapshot lowers a policy of twenty globs over a tree of 50,000 files
// for linux, next to find over the same tree, which prints every name: how many
// times its wall time (x-find).
func BenchmarkSnapshot(b *testing.B) {
	dir := filepath.Join(outside(b), "tree")
	for d := range 2500 {
		sub := filepath.Join(dir, fmt.Sprintf("p%d/src/m%d/d%d", d%10, d%50, d))
		if err := os.MkdirAll(sub, 0o755); err != nil {
			b.Fatal(err)
		}
		for f := range 20 {
			name := fmt.Sprintf("file%d.go", f)
			if f == 0 && d%250 == 0 {
				name = ".env"
			}
			if err := os.WriteFile(filepath.Join(sub, name), nil, 0o644); err != nil {
				b.Fatal(err)
			}
		}
	}
	root := func(path string, write ir.Effect) ir.FileRule {
		return ir.FileRule{Match: ir.Subtree(path), Read: ir.Allow, Write: write, Group: ir.GroupRoot, Layer: ir.LayerWorkspace}
	}
	p := &ir.Policy{Version: 1, Workspace: dir}
	for _, g := range globs {
		p.Files = append(p.Files, ir.FileRule{
			Match: ir.Glob{Pattern: glob.MustParse(dir + "/" + g)},
			Read:  ir.Deny, Write: ir.Deny, Group: ir.GroupDeny, Layer: ir.LayerWorkspace,
		})
	}
	p.Files = append(p.Files, root(dir, ir.Allow), root("/usr", ir.Deny))
	find, snapshot := inTurn(b,
		func() {
			if err := exec.Command("find", dir).Run(); err != nil {
				b.Fatal(err)
			}
		},
		func() {
			if art, rep := (bwrap.Backend{}).Lower(p, host.Live{}, target.Options{}); art == nil {
				b.Fatal(rep.Diagnostics)
			}
		})
	b.ReportMetric(float64(median(snapshot))/float64(median(find)), "x-find")
	b.ReportMetric(float64(median(snapshot).Microseconds())/1e3, "ms")
	b.ReportMetric(0, "ns/op")
}
