package bench_test

import (
	"fmt"
	"testing"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
	"github.com/sandboxc/sbc/target/seatbelt"
)

// BenchmarkLower lowers and prints policies of many literal rules, next to one
// of 100: how many times its time a rule (x-per-rule). Linear is 1. Ten
// thousand rules are more than bubblewrap takes arguments for: that is found
// when everything else is done.
func BenchmarkLower(b *testing.B) {
	for _, backend := range []target.Backend{seatbelt.Backend{}, bwrap.Backend{}} {
		for _, n := range []int{100, 1_000, 10_000} {
			b.Run(fmt.Sprintf("%s/%d", backend.Name(), n), func(b *testing.B) {
				few, many := policyOf(100), policyOf(n)
				view := everything{}
				base, got := inTurn(b, func() { lower(b, backend, few, view) }, func() { lower(b, backend, many, view) })
				b.ReportMetric(float64(median(got))/float64(n)/(float64(median(base))/100), "x-per-rule")
				b.ReportMetric(float64(median(got).Microseconds())/1e3, "ms")
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

func lower(b *testing.B, backend target.Backend, p *ir.Policy, v host.View) {
	b.Helper()
	art, rep := backend.Lower(p, v, target.Options{})
	if art == nil {
		if len(p.Files) < 10_000 || rep.Diagnostics[0].Code != diag.CodeArgumentCap {
			b.Fatal(rep.Diagnostics)
		}
		return
	}
	if _, err := art.Render(target.Text); err != nil {
		b.Fatal(err)
	}
}

// policyOf is a policy of n rules: openings, and closings within them.
func policyOf(n int) *ir.Policy {
	p := &ir.Policy{Version: 1, Workspace: "/w"}
	for i := range n / 2 {
		p.Files = append(p.Files, ir.FileRule{
			Match: ir.Subtree(fmt.Sprintf("/srv/data/part-%d/item-%d/closed", i/100, i)), Read: ir.Deny, Write: ir.Deny,
			Group: ir.GroupDeny, Layer: ir.LayerWorkspace, Origin: ir.Origin{Address: fmt.Sprintf("filesystem.deny.d%d", i)},
		})
	}
	for i := range n / 2 {
		write := ir.Deny
		if i%2 == 0 {
			write = ir.Allow
		}
		p.Files = append(p.Files, ir.FileRule{
			Match: ir.Subtree(fmt.Sprintf("/srv/data/part-%d/item-%d", i/100, i)), Read: ir.Allow, Write: write,
			Group: ir.GroupRoot, Layer: ir.LayerWorkspace, Origin: ir.Origin{Address: fmt.Sprintf("filesystem.read[%d]", i)},
		})
	}
	return p
}

// everything is a view in which every path is a directory.
type everything struct{ host.Empty }

func (everything) Lstat(string) (host.Node, error) {
	return host.Node{Type: host.Dir, Nlink: 1}, nil
}
