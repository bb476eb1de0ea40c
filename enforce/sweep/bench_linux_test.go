package sweep_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/sandboxc/sbc/enforce/sweep"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
)

// BenchmarkSweep is a sweep beneath a write root of that many files, 20 in a
// directory, beside the lowering that comes before it.
func BenchmarkSweep(b *testing.B) {
	for _, files := range []int{0, 10_000} {
		dir := workDir(b, "/dev/shm")
		for i := range files {
			sub := fmt.Sprintf("%s/%d", dir, i/20)
			if err := os.MkdirAll(sub, 0o755); err != nil {
				b.Fatal(err)
			}
			if err := os.WriteFile(fmt.Sprintf("%s/%d.go", sub, i), nil, 0o644); err != nil {
				b.Fatal(err)
			}
		}
		p := &ir.Policy{Version: 1, Files: []ir.FileRule{
			{Match: ir.Subtree(dir), Read: ir.Allow, Write: ir.Allow, Group: ir.GroupRoot, Layer: ir.LayerWorkspace},
			{Match: ir.Subtree("/"), Read: ir.Allow, Write: ir.Deny, Group: ir.GroupRoot, Layer: ir.LayerWorkspace},
		}}
		o := sweep.Options{Decider: ir.NewDecider(p, ir.Linux), Writable: []string{dir}, View: host.NewMemo(host.Live{})}
		b.Run(fmt.Sprintf("%d files/no globs", files), func(b *testing.B) {
			for b.Loop() {
				sweep.After(sweep.Look(o), sweep.AfterOptions{})
			}
		})
		for _, name := range []string{".env", ".git/hooks/*", ".claude", ".vscode/*.json", "*.pem", ".netrc"} {
			g, err := glob.Parse(dir + "/**/" + name)
			if err != nil {
				b.Fatal(err)
			}
			rule := ir.FileRule{Match: ir.Glob{Pattern: g}, Write: ir.Deny, Group: ir.GroupDeny, Layer: ir.LayerWorkspace}
			p.Files = append([]ir.FileRule{rule}, p.Files...)
		}
		o.Decider = ir.NewDecider(p, ir.Linux)
		b.Run(fmt.Sprintf("%d files/lowering", files), func(b *testing.B) {
			for b.Loop() {
				bwrap.Backend{}.Compile(p, host.NewMemo(host.Live{}), target.Options{})
			}
		})
		bwrap.Backend{}.Compile(p, o.View, target.Options{})
		b.Run(fmt.Sprintf("%d files/before", files), func(b *testing.B) {
			for b.Loop() {
				sweep.Look(o)
			}
		})
		before := sweep.Look(o)
		b.Run(fmt.Sprintf("%d files/after", files), func(b *testing.B) {
			for b.Loop() {
				sweep.After(before, sweep.AfterOptions{})
			}
		})
	}
}
