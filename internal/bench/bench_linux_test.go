package bench_test

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// pairs is how many pairs are run at least.
const pairs = 15

// inTurn runs a and b in turn, as often as the benchmark asks, and returns
// their wall times in order of size.
func inTurn(b *testing.B, first, second func()) (a, z []time.Duration) {
	b.Helper()
	turn := func() {
		a = append(a, timed(first))
		z = append(z, timed(second))
	}
	for b.Loop() {
		turn()
	}
	for len(a) < pairs {
		turn()
	}
	slices.Sort(a)
	slices.Sort(z)
	return a, z
}

func timed(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}

// median of values in order of size.
func median[T cmp.Ordered](sorted []T) T { return sorted[len(sorted)/2] }

// outside makes a directory that is not beneath a temporary directory, which
// policies treat in their own way.
func outside(b *testing.B) string {
	b.Helper()
	parent := "/srv"
	if os.Getuid() != 0 {
		var err error
		if parent, err = os.UserHomeDir(); err != nil {
			b.Fatal(err)
		}
	}
	dir, err := os.MkdirTemp(parent, "sbc-bench-")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { os.RemoveAll(dir) })
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		b.Fatal(err)
	}
	return dir
}
