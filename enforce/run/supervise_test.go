package run_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/enforce/run"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target/bwrap"
	"github.com/sandboxc/sbc/target/seatbelt"
)

func TestSupervise(t *testing.T) {
	t.Parallel()
	watched := &bwrap.Artifact{Plan: bwrap.Plan{Supervise: &bwrap.Supervision{Mode: ir.SuperviseOpen, Removals: true}}}
	want := &run.Supervise{Mode: ir.SuperviseOpen, Removals: true}
	if diff := cmp.Diff(want, (&run.Job{Artifact: watched}).Supervise()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, j := range []run.Job{{Artifact: &bwrap.Artifact{}}, {Artifact: &seatbelt.Profile{}}, {}} {
		if got := j.Supervise(); got != nil {
			t.Errorf("%T: %+v", j.Artifact, got)
		}
	}
}
