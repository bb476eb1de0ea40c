package verify_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/ir/irtest"
	"github.com/sandboxc/sbc/verify"
)

func grouped(g ir.Group, l ir.Layer, r ir.FileRule) ir.FileRule {
	r.Group, r.Layer = g, l
	return r
}

func TestGrantsKeepDenies(t *testing.T) {
	t.Parallel()
	root := grouped(ir.GroupRoot, ir.LayerWorkspace, file("root", ir.Subtree("/w"), ir.Allow, ir.Allow))
	deny := grouped(ir.GroupDeny, ir.LayerWorkspace, file("deny", ir.Subtree("/w/s"), ir.Deny, ir.Deny))
	guard := grouped(ir.GroupDeny, ir.LayerGuard, file("guard", ir.Glob{Pattern: glob.MustParse("/w/**/.git/hooks/*")}, ir.Pass, ir.Deny))
	ask := grouped(ir.GroupAsk, ir.LayerGuard, file("ask", ir.Subtree("/h/.ssh"), ir.Ask, ir.Ask))
	grant := func(path string) ir.FileRule {
		return grouped(ir.GroupGrant, ir.LayerSession, file("grant", ir.Subtree(path), ir.Allow, ir.Allow))
	}
	for _, tt := range []struct {
		name  string
		rules []ir.FileRule
		want  *verify.Breach
	}{
		{name: "no grant", rules: []ir.FileRule{deny, guard, ask, root}},
		{name: "a grant that answers an ask", rules: []ir.FileRule{deny, guard, grant("/h/.ssh"), ask, root}},
		{name: "a grant below a deny", rules: []ir.FileRule{deny, guard, grant("/w"), ask, root}},
		{
			name: "a grant above a deny", rules: []ir.FileRule{grant("/w/s/x"), deny, guard, ask, root},
			want: &verify.Breach{Op: ir.Read, Path: "/w/s/x", Promise: 1, Broken: 0},
		},
		{
			name: "a grant above a guard", rules: []ir.FileRule{deny, grant("/w/.git"), guard, ask, root},
			want: &verify.Breach{Op: ir.Write, Path: "/w/.git/hooks/a", Promise: 2, Broken: 1},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, target := range []string{ir.Darwin, ir.Linux} {
				got, err := verify.GrantsKeepDenies(files(tt.rules...), target, 0)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("breach on %s (-want +got):\n%s", target, diff)
				}
			}
		})
	}
}

// Whatever is granted in whatever place: what the proof says is so for every
// path that is asked.
func TestGrantsKeepDeniesAgreesWithDecide(t *testing.T) {
	t.Parallel()
	kept, broken := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		p := irtest.Policies().Draw(t, "policy")
		for i := range p.Files {
			if p.Files[i].Layer == ir.LayerSession {
				p.Files[i].Layer = ir.LayerUser
			}
		}
		base := *p
		base.Files = slices.Clone(p.Files)
		for range rapid.IntRange(1, 3).Draw(t, "grants") {
			r := grouped(ir.GroupGrant, ir.LayerSession, file("grant", ir.Subtree(irtest.AnyPath().Draw(t, "path")), ir.Allow, ir.Allow))
			p.Files = slices.Insert(p.Files, rapid.IntRange(0, len(p.Files)).Draw(t, "place"), r)
		}
		target := rapid.SampledFrom([]string{ir.Darwin, ir.Linux}).Draw(t, "target")
		b, err := verify.GrantsKeepDenies(p, target, 0)
		if err != nil {
			t.Fatal(err)
		}
		if b != nil {
			broken++
			return
		}
		kept++
		for range 20 {
			q := ir.Query{Target: target, Op: rapid.SampledFrom(ir.Ops()).Draw(t, "op"), Path: irtest.Paths(p).Draw(t, "path"), Dir: rapid.Bool().Draw(t, "dir")}
			was := base.Decide(q)
			if was.Rule >= 0 && was.Effect.Closes() && !was.Pinned && base.Files[was.Rule].Group == ir.GroupDeny && p.Decide(q).Effect == ir.Allow &&
				!(target == ir.Darwin && slices.ContainsFunc([]string{"/tmp", "/var", "/etc"}, func(l string) bool { return q.Path != l && ir.Beneath(q.Path, l) })) {
				t.Fatalf("%+v is granted\n%s", q, p.Text())
			}
		}
	})
	if !t.Failed() && (kept < 10 || broken < 3) {
		t.Errorf("kept %d, broken %d", kept, broken)
	}
}

func TestGrantsKeepDeniesUndecided(t *testing.T) {
	t.Parallel()
	p := files(
		grouped(ir.GroupGrant, ir.LayerSession, file("grant", ir.Subtree("/w"), ir.Allow, ir.Allow)),
		grouped(ir.GroupDeny, ir.LayerWorkspace, file("deny", ir.Glob{Pattern: glob.MustParse("/**/a*b")}, ir.Deny, ir.Deny)),
	)
	if b, err := verify.GrantsKeepDenies(p, ir.Linux, 1); err == nil || b != nil {
		t.Errorf("breach %v, error %v; want an error alone", b, err)
	}
}

func TestOpensNothing(t *testing.T) {
	t.Parallel()
	root := file("root", ir.Subtree("/w"), ir.Allow, ir.Allow)
	closed := file("closed", ir.Subtree("/w/s"), ir.Deny, ir.Deny)
	for _, tt := range []struct {
		name     string
		old, new *ir.Policy
		want     *verify.Change
	}{
		{name: "equal", old: files(root), new: files(root)},
		{name: "narrower", old: files(root), new: files(closed, root)},
		{
			name: "wider", old: files(closed, root), new: files(root),
			want: &verify.Change{Files: []verify.FileChange{
				{Op: ir.Read, Relation: verify.Wider, Witnesses: []verify.Witness{{Path: "/w/s", Wider: true, Old: ir.Decision{Effect: ir.Deny}, New: ir.Decision{Effect: ir.Allow}}}},
				{Op: ir.Write, Relation: verify.Wider, Witnesses: []verify.Witness{{Path: "/w/s", Wider: true, Old: ir.Decision{Effect: ir.Deny}, New: ir.Decision{Effect: ir.Allow}}}},
				{Op: ir.Unlink, Relation: verify.Wider, Witnesses: []verify.Witness{{Path: "/w/s", Wider: true, Old: ir.Decision{Effect: ir.Deny}, New: ir.Decision{Effect: ir.Allow}}}},
			}},
		},
		{
			name: "a setting", old: files(), new: &ir.Policy{Process: ir.Process{Ptrace: set(true)}},
			want: &verify.Change{Settings: []verify.SettingChange{{Field: "process.ptrace", Relation: verify.Wider, Old: "false", New: "true"}}},
		},
		{name: "a narrower setting", old: &ir.Policy{Process: ir.Process{Ptrace: set(true)}}, new: files()},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := verify.OpensNothing(tt.old, tt.new, ir.Linux, 0)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("what is open (-want +got):\n%s", diff)
			}
		})
	}
}

// Closings on top of any policy open nothing.
func TestClosingsOpenNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := irtest.Policies().Draw(t, "policy")
		more := *p
		more.Files = slices.Clone(p.Files)
		for _, r := range irtest.Policies().Draw(t, "more").Files {
			if r.Write.Closes() && !r.Opens() {
				r.Group = ir.GroupDeny
				more.Files = append([]ir.FileRule{r}, more.Files...)
			}
		}
		target := rapid.SampledFrom([]string{ir.Darwin, ir.Linux}).Draw(t, "target")
		c, err := verify.OpensNothing(p, &more, target, 0)
		if err != nil || c != nil {
			t.Fatalf("%+v, %v\n%s", c, err, more.Text())
		}
	})
}
