package placeholder_test

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sandboxc/sbc/enforce/placeholder"
)

// chance returns a number from 0 to n-1.
func chance(n int) int { return rand.IntN(n) } //nolint:gosec // G404: a test's moments need not be secret

// loop holds random sets of paths for moments until its input ends, and starts
// as every run does: STATE PATH...
func loop(args []string) error {
	fmt.Println("held")
	ended := make(chan struct{})
	go func() {
		_, _ = bufio.NewReader(os.Stdin).ReadByte()
		close(ended)
	}()
	for {
		if left, err := placeholder.Reap(options(args[0])); err != nil || len(left) > 0 {
			return fmt.Errorf("reap: left %v, error %w", left, err)
		}
		set := append([]string(nil), args[1:]...)
		for i := range set {
			j := chance(i + 1)
			set[i], set[j] = set[j], set[i]
		}
		h, err := placeholder.Hold(set[:1+chance(len(set))], placeholder.Options{State: args[0], Wait: time.Minute})
		if err != nil {
			return err
		}
		for range chance(4) {
			time.Sleep(time.Duration(chance(2000)) * time.Microsecond)
			if gone := h.Check(); len(gone) > 0 {
				return fmt.Errorf("gone while held: %v", gone)
			}
		}
		if err := finish(h); err != nil {
			return err
		}
		select {
		case <-ended:
			return nil
		default:
		}
	}
}

// TestProcesses holds that with many processes and scripts that hold overlapping
// sets, some of which are killed at any moment, no living one sees its
// placeholder vanish, and nothing is left in the end.
func TestProcesses(t *testing.T) {
	t.Parallel()
	dir := workDir(t)
	state := filepath.Join(dir, "state")
	var paths []string
	for i := range 5 {
		paths = append(paths, filepath.Join(dir, "w", fmt.Sprintf("closed %d\xff", i)))
	}
	if err := os.Mkdir(filepath.Join(dir, "w"), 0o755); err != nil {
		t.Fatal(err)
	}
	args := append([]string{state}, paths...)
	var steady []*process
	for range 2 {
		steady = append(steady, start(t, "loop", args...))
	}
	for range 5 {
		var victims []*process
		for range 3 {
			victims = append(victims, start(t, "loop", args...))
		}
		time.Sleep(time.Duration(chance(10_000)) * time.Microsecond)
		i := chance(3)
		s := script(t, paths[i:i+2]...)
		var wg sync.WaitGroup
		for _, v := range victims {
			wg.Go(func() {
				time.Sleep(time.Duration(chance(20_000)) * time.Microsecond)
				v.kill()
			})
		}
		wg.Wait()
		s.end(t)
	}
	for _, p := range steady {
		p.end(t)
	}
	if left, err := placeholder.Reap(options(state)); err != nil || len(left) > 0 {
		t.Errorf("left %v, error %v", left, err)
	}
	nothingIn(t, filepath.Join(dir, "w"))
	nothingIn(t, state)
}

// nothingIn holds that a directory is there and empty.
func nothingIn(t testing.TB, dir string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Error(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if len(names) > 0 {
		t.Errorf("in %s is left: %q", dir, strings.Join(names, " "))
	}
}
