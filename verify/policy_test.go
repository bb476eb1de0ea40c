package verify_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/ir/irtest"
	"github.com/sandboxc/sbc/verify"
	"github.com/sandboxc/sbc/verify/automata"
)

// The list of a policy decides as the policy does: asked directly, and by the
// table that its automata become.
func TestFromPolicyDecidesAsThePolicy(t *testing.T) {
	t.Parallel()
	asked := map[ir.Op]map[bool]int{}
	pins := 0
	rapid.Check(t, func(t *rapid.T) {
		p := irtest.Policies().Draw(t, "policy")
		target := rapid.SampledFrom([]string{ir.Darwin, ir.Linux}).Draw(t, "target")
		dir := rapid.Bool().Draw(t, "dir")
		d := ir.NewDecider(p, target)
		for _, op := range ir.Ops() {
			list, files := verify.FromDecider(d, op, dir)
			table, err := automata.Compile(&list, automata.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for range 10 {
				path := irtest.Paths(p).Draw(t, "path")
				want := p.Decide(ir.Query{Target: target, Op: op, Path: path, Dir: dir})
				label, rule := list.Decide(path)
				file := -1
				if rule >= 0 {
					file = files[rule]
				}
				allow := want.Effect == ir.Allow
				if (label == 1) != allow || !want.Pinned && file != want.Rule || want.Pinned && rule != 0 {
					t.Fatalf("%s %q (dir %v) on %s: policy says %+v, list says %d by rule %d, of the policy %d\n%s", op, path, dir, target, want, label, rule, file, p.Text())
				}
				if got := table.Decide(path); (got == 1) != allow {
					t.Fatalf("%s %q (dir %v) on %s: policy says %+v, table says %d\n%s", op, path, dir, target, want, got, p.Text())
				}
				if asked[op] == nil {
					asked[op] = map[bool]int{}
				}
				asked[op][allow]++
				if want.Pinned {
					pins++
				}
			}
		}
	})
	if t.Failed() {
		return
	}
	for _, op := range ir.Ops() {
		if asked[op][true] < 20 || asked[op][false] < 20 {
			t.Errorf("too few questions for %s: %v", op, asked[op])
		}
	}
	if pins < 20 {
		t.Errorf("too few pinned paths: %d", pins)
	}
}

func TestFromPolicyUnlink(t *testing.T) {
	t.Parallel()
	p := &ir.Policy{Files: []ir.FileRule{
		{Match: ir.Glob{Pattern: glob.MustParse("/w/**/.git/hooks/*")}, Write: ir.Deny},
		{Match: ir.Subtree("/w/a/b"), Read: ir.Deny, Write: ir.Ask},
		{Match: ir.Subtree("/w"), Read: ir.Allow, Write: ir.Allow},
	}}
	write := verify.FromPolicy(p, ir.Linux, ir.Write, true)
	unlink := verify.FromPolicy(p, ir.Linux, ir.Unlink, true)
	res, err := automata.Explore(automata.In{Lang: automata.Clean()}, []automata.List{write, unlink}, automata.Options{Cases: 9})
	if err != nil {
		t.Fatal(err)
	}
	want := []automata.Class{
		{Labels: []uint8{0, 0}, Cases: []automata.Case{
			{Path: "/", Rules: []int{-1, -1}},
			{Path: "/w/a/b", Rules: []int{1, 2}},
			{Path: "/w/.git/hooks/a", Rules: []int{0, 1}},
		}},
		{Labels: []uint8{1, 0}, Cases: []automata.Case{{Path: "/w", Rules: []int{2, 0}}}},
		{Labels: []uint8{1, 1}, Cases: []automata.Case{{Path: "/w/b", Rules: []int{2, 3}}}},
	}
	if diff := cmp.Diff(want, res.Classes); diff != "" {
		t.Errorf("classes (-want +got):\n%s", diff)
	}
}
