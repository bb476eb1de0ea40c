package program_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/sandboxc/sbc/internal/program"
)

// TestStartsAtOnce: many programs are written and started at the same time.
// With os.WriteFile in the place of Write it fails within a few hundred.
func TestStartsAtOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			for n := range 50 {
				name := filepath.Join(dir, fmt.Sprint(i, "-", n))
				if err := program.Write(name, []byte("#!/bin/sh\nexit 0\n")); err != nil {
					t.Error(err)
					return
				}
				if err := exec.Command(name).Run(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
}
