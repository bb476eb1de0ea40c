package bench_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sandboxc/sbc/enforce/prove"
	"github.com/sandboxc/sbc/frontend"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
	"github.com/sandboxc/sbc/target/seatbelt"
)

// workspace is the one of the machine that the examples are compiled for.
const workspace = "/home/user/app"

// exampleFiles serves the examples as if they lay in the workspace.
type exampleFiles struct{}

func (exampleFiles) ReadFile(path string) ([]byte, error) {
	return os.ReadFile(filepath.Join("../../examples", filepath.Base(path)))
}

// load loads an example or a built-in profile for the machine of the examples.
func load(b *testing.B, name string) (*ir.Policy, host.View, *host.Facts) {
	b.Helper()
	src, err := os.ReadFile("../../examples/host.json")
	if err != nil {
		b.Fatal(err)
	}
	rec, ds := host.ParseRecord(src, "host.json")
	if ds.HasErrors() {
		b.Fatal(ds)
	}
	facts := rec.Facts()
	p, ds := frontend.Load(frontend.Options{
		Policy: name, Workspace: workspace, WorkDir: workspace, Host: rec, Facts: &facts, Files: exampleFiles{},
		Env: func(string) (string, bool) { return "", false },
	})
	if p == nil {
		b.Fatal(ds)
	}
	return p, rec, &facts
}

// proof returns what proves what a target makes of a policy: the reading back
// and the comparison, not the lowering.
func proof(b *testing.B, backend target.Backend, p *ir.Policy, v host.View, facts *host.Facts) func() {
	b.Helper()
	art, rep := backend.Lower(p, v, target.Options{Facts: facts})
	if art == nil {
		b.Fatal(rep.Diagnostics)
	}
	return func() {
		found, err := prove.Lowered(p, art, rep, prove.Options{View: v})
		if err != nil || !found.Holds() {
			b.Fatalf("no proof: %v %+v", err, found)
		}
	}
}

// BenchmarkProof proves what each built-in profile and each example compiles to:
// the median in ms, and what is allocated on the way, which is more than is ever
// in use.
func BenchmarkProof(b *testing.B) {
	names := []string{"readonly", "strict", "workspace-proxy", "workspace-write", "workspace-write-no-network"}
	examples, err := filepath.Glob("../../examples/*")
	if err != nil {
		b.Fatal(err)
	}
	for _, file := range examples {
		name := filepath.Base(file)
		if ext := filepath.Ext(name); (ext == ".hcl" || ext == ".json") && !strings.HasPrefix(name, "sbc.") && name != "host.json" {
			names = append(names, name)
		}
	}
	for _, name := range names {
		for _, backend := range []target.Backend{seatbelt.Backend{}, bwrap.Backend{}} {
			b.Run(name+"/"+backend.Name(), func(b *testing.B) {
				p, v, facts := load(b, name)
				prove := proof(b, backend, p, v, facts)
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				var times []time.Duration
				for b.Loop() {
					times = append(times, timed(prove))
				}
				runtime.ReadMemStats(&after)
				slices.Sort(times)
				b.ReportMetric(float64(median(times).Microseconds())/1e3, "ms")
				b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/float64(len(times))/1e6, "MB")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// BenchmarkProofRules proves policies of many rules, twenty of them globs at any
// depth, next to one of fifty: the time, and how many times that of fifty.
func BenchmarkProofRules(b *testing.B) {
	for _, backend := range []target.Backend{seatbelt.Backend{}, bwrap.Backend{}} {
		for _, n := range []int{50, 100, 200, 400, 800, 1000} {
			b.Run(fmt.Sprintf("%s/%d", backend.Name(), n), func(b *testing.B) {
				v := readable{}
				few, many := globbed(50), globbed(n)
				base, got := inTurn(b, proof(b, backend, few, v, nil), proof(b, backend, many, v, nil))
				b.ReportMetric(float64(median(got).Microseconds())/1e3, "ms")
				b.ReportMetric(float64(median(got))/float64(median(base)), "x-of-50")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// readable is a view in which every path is a directory that anybody may read.
type readable struct{ everything }

func (readable) Lstat(string) (host.Node, error) {
	return host.Node{Type: host.Dir, Nlink: 1, Perm: 0o755}, nil
}

// globbed is a policy of n rules, twenty of them the globs.
func globbed(n int) *ir.Policy {
	p := policyOf(n - len(globs))
	var closings []ir.FileRule
	for i, g := range globs {
		closings = append(closings, ir.FileRule{
			Match: ir.Glob{Pattern: glob.MustParse("/srv/data/" + g)}, Read: ir.Deny, Write: ir.Deny,
			Group: ir.GroupDeny, Layer: ir.LayerWorkspace, Origin: ir.Origin{Address: fmt.Sprintf("filesystem.deny.g%d", i)},
		})
	}
	p.Files = append(closings, p.Files...)
	return p
}
