package run_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/enforce/run"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/target/bwrap"
	"github.com/sandboxc/sbc/target/seatbelt"
)

func TestSupervise(t *testing.T) {
	t.Parallel()
	watched := &bwrap.Artifact{Plan: bwrap.Plan{Supervise: &bwrap.Supervision{Mode: ir.SuperviseOpen, Removals: true}}}
	got := (&run.Job{Artifact: watched}).Supervise()
	if got == nil || got.Mode != ir.SuperviseOpen || !got.Removals {
		t.Errorf("%+v", got)
	}
	for _, j := range []run.Job{{Artifact: &bwrap.Artifact{}}, {Artifact: &seatbelt.Profile{}}, {}} {
		if got := j.Supervise(); got != nil {
			t.Errorf("%T: %+v", j.Artifact, got)
		}
	}
}

// TestSupervisePolicy: what decides about a call says nothing of names that a
// rule leaves free, and those alone are looked for afterwards.
func TestSupervisePolicy(t *testing.T) {
	t.Parallel()
	closing := func(pattern string) ir.FileRule {
		return ir.FileRule{Match: ir.Glob{Pattern: glob.MustParse(pattern)}, Write: ir.Deny, Group: ir.GroupDeny, Layer: ir.LayerGuard}
	}
	root := func(path string, read, write ir.Effect) ir.FileRule {
		return ir.FileRule{Match: ir.Subtree(path), Read: read, Write: write, Group: ir.GroupRoot, Layer: ir.LayerWorkspace}
	}
	p := &ir.Policy{Files: []ir.FileRule{
		closing("/w/**/hooks"), closing("/w/**/config"), root("/w/none", ir.Deny, ir.Deny), root("/w/ro", ir.Allow, ir.Deny), root("/w", ir.Allow, ir.Allow),
	}}
	for _, tt := range []struct {
		free          []int
		decides, left map[string]ir.Effect // left nil means that nothing is looked for
	}{
		{nil, map[string]ir.Effect{"/w/a/hooks": ir.Deny, "/w/a/config": ir.Deny, "/w/a/x": ir.Allow}, nil},
		{
			[]int{1},
			map[string]ir.Effect{"/w/a/hooks": ir.Deny, "/w/a/config": ir.Allow, "/w/none/a": ir.Deny, "/w/ro/a": ir.Deny},
			map[string]ir.Effect{"/w/a/hooks": ir.Allow, "/w/a/config": ir.Deny, "/w/none/a": ir.Deny, "/w/ro/a": ir.Deny, "/w/a": ir.Allow},
		},
	} {
		j := run.Job{Artifact: &bwrap.Artifact{Plan: bwrap.Plan{Supervise: &bwrap.Supervision{Free: tt.free}}}}
		answers := func(p *ir.Policy, paths map[string]ir.Effect) map[string]ir.Effect {
			out := map[string]ir.Effect{}
			for path := range paths {
				out[path] = p.Decide(ir.Query{Target: ir.Linux, Op: ir.Write, Path: path}).Effect
			}
			return out
		}
		if diff := cmp.Diff(tt.decides, answers(j.Supervise().Policy(p), tt.decides)); diff != "" {
			t.Errorf("%v decides (-want +got):\n%s", tt.free, diff)
		}
		left := run.Unheld(j.Supervise(), p)
		if (left == nil) != (tt.left == nil) {
			t.Fatalf("%v: looked for: %v", tt.free, left != nil)
		}
		if left != nil {
			if diff := cmp.Diff(tt.left, answers(left, tt.left)); diff != "" {
				t.Errorf("%v looked for (-want +got):\n%s", tt.free, diff)
			}
		}
		if len(p.Files) != 5 || p.Files[1].Write != ir.Deny {
			t.Error("the policy itself was changed")
		}
	}
	if run.Unheld(nil, p) != nil {
		t.Error("something is unheld where nothing is decided")
	}
}
