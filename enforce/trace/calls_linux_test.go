package trace_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/enforce/trace"
	"github.com/sandboxc/sbc/target/bwrap/seccomp"
)

// TestEveryCallIsUnderstood: the filter stops exactly for what the tracer knows
// how to read.
func TestEveryCallIsUnderstood(t *testing.T) {
	t.Parallel()
	stops, reads := seccomp.Traced(), trace.Calls()
	slices.Sort(stops)
	slices.Sort(reads)
	if diff := cmp.Diff(stops, reads); diff != "" {
		t.Errorf("the filter stops for (-), the tracer reads (+):\n%s", diff)
	}
}
