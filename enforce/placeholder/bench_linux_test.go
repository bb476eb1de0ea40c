package placeholder_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/sandboxc/sbc/enforce/placeholder"
	"github.com/sandboxc/sbc/host"
)

// memoryDir returns a directory in memory: what a disk adds depends on the disk.
func memoryDir(b *testing.B) string {
	b.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "sbc-placeholder")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// BenchmarkRun is all that a run does about placeholders, by their number.
func BenchmarkRun(b *testing.B) {
	for _, n := range []int{0, 1, 10} {
		b.Run(fmt.Sprintf("%d placeholders", n), func(b *testing.B) {
			dir := memoryDir(b)
			o := options(filepath.Join(dir, "state"))
			var paths []string
			for i := range n {
				paths = append(paths, filepath.Join(dir, fmt.Sprint(i)))
			}
			for b.Loop() {
				if _, err := placeholder.NewView(host.Live{}, o); err != nil {
					b.Fatal(err)
				}
				if left, err := placeholder.Reap(o); err != nil || len(left) > 0 {
					b.Fatal(left, err)
				}
				h, err := placeholder.Hold(paths, o)
				if err != nil {
					b.Fatal(err)
				}
				if left, err := h.Release(); err != nil || len(left) > 0 {
					b.Fatal(left, err)
				}
			}
		})
	}
}
