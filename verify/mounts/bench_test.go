package mounts_test

import (
	"fmt"
	"testing"

	"github.com/sandboxc/sbc/verify/mounts"
)

// BenchmarkTree reads a command line with masks, builds its table and the tree.
func BenchmarkTree(b *testing.B) {
	for _, n := range []int{10, 100, 1000, 2900} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			args := []string{"--ro-bind", "/", "/", "--bind", "/w", "/w"}
			for i := range n {
				args = append(args, "--ro-bind", "/mask", fmt.Sprintf("/w/some/directory/of/a/project%d/file%d", i%50, i))
			}
			b.ReportAllocs()
			for b.Loop() {
				s, err := mounts.Read(args, mounts.ReadOptions{})
				if err != nil {
					b.Fatal(err)
				}
				t, err := mounts.Build(s, mounts.Options{})
				if err != nil {
					b.Fatal(err)
				}
				_ = t.Tree()
			}
		})
	}
}
