package run_test

import (
	"testing"

	"github.com/sandboxc/sbc/enforce/run"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target/bwrap"
	"github.com/sandboxc/sbc/target/seatbelt"
)

func TestSupervised(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		job  run.Job
		want bool
	}{
		{run.Job{Artifact: &bwrap.Artifact{Plan: bwrap.Plan{Supervise: &bwrap.Supervision{Mode: ir.SuperviseOpen}}}}, true},
		{run.Job{Artifact: &bwrap.Artifact{}}, false},
		{run.Job{Artifact: &seatbelt.Profile{}}, false},
		{run.Job{}, false},
	} {
		if got := tt.job.Supervised(); got != tt.want {
			t.Errorf("%T: %t", tt.job.Artifact, got)
		}
	}
}
