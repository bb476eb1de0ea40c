package ir_test

import (
	"fmt"
	"testing"

	"github.com/sandboxc/sbc/ir"
)

// manyRules makes a policy of n rules in the order of their groups: a tenth are
// globs beneath some write root, a tenth are closed, the rest are roots.
func manyRules(n int) *ir.Policy {
	p := &ir.Policy{Version: 1, Workspace: "/w"}
	for i := range n / 10 {
		p.Files = append(p.Files, grouped(ir.GroupDeny, denyWrite(pattern(fmt.Sprintf("/w/d%d/p%d/**/.git/hooks/*", i%50, i)))))
	}
	for i := range n / 10 {
		p.Files = append(p.Files, grouped(ir.GroupAsk, ask(subtree(fmt.Sprintf("/w/d%d/p%d/secret", i%50, i)))))
	}
	for i := len(p.Files); i < n-1; i++ {
		p.Files = append(p.Files, grouped(ir.GroupRoot, write(fmt.Sprintf("/w/d%d/p%d", i%50, i))))
	}
	p.Files = append(p.Files, grouped(ir.GroupRoot, read("/w")))
	for i := range p.Files {
		p.Files[i].Layer = ir.LayerWorkspace
		p.Files[i].Origin.Address = fmt.Sprintf("rules[%d]", i)
	}
	return p
}

func grouped(g ir.Group, r ir.FileRule) ir.FileRule {
	r.Group = g
	return r
}

var sizes = []int{100, 1_000, 10_000}

func each(b *testing.B, f func(b *testing.B, p *ir.Policy)) {
	for _, n := range sizes {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			p := manyRules(n)
			if ds := ir.Validate(p); ds != nil {
				b.Fatal(ds)
			}
			b.ReportAllocs()
			b.ResetTimer()
			f(b, p)
		})
	}
}

func BenchmarkDecide(b *testing.B) {
	each(b, func(b *testing.B, p *ir.Policy) {
		for b.Loop() {
			p.Decide(ir.Query{Target: ir.Linux, Op: ir.Read, Path: "/w/d7/none/a/b"})
		}
	})
}

func BenchmarkDeciderDecide(b *testing.B) {
	each(b, func(b *testing.B, p *ir.Policy) {
		d := ir.NewDecider(p, ir.Linux)
		for b.Loop() {
			d.Decide(ir.Unlink, "/w/d7/p57/a/b", false)
		}
	})
}

func BenchmarkNewDecider(b *testing.B) {
	for _, target := range targets() {
		b.Run(target, func(b *testing.B) {
			each(b, func(b *testing.B, p *ir.Policy) {
				for b.Loop() {
					ir.NewDecider(p, target)
				}
			})
		})
	}
}

func BenchmarkEncode(b *testing.B) {
	each(b, func(b *testing.B, p *ir.Policy) {
		for b.Loop() {
			ir.Encode(p)
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	each(b, func(b *testing.B, p *ir.Policy) {
		src := ir.Encode(p)
		b.SetBytes(int64(len(src)))
		for b.Loop() {
			if _, ds := ir.Decode(src, "x.json"); ds != nil {
				b.Fatal(ds)
			}
		}
	})
}

func BenchmarkHash(b *testing.B) {
	each(b, func(b *testing.B, p *ir.Policy) {
		for b.Loop() {
			ir.Hash(p)
		}
	})
}
