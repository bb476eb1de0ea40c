package mutation_test

import (
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// largeText is how many bytes a profile has at least that is proved slowly. Those
// with all guards are, and they are much alike.
const largeText = 20_000

// few is how many mutants of each kind an ordinary test takes of a policy, and of
// how many kinds it takes one. All of them take hours, and are for the soak.
func few(large bool) (of, every int) {
	switch {
	case os.Getenv("SBC_MUTANTS") == "all":
		return 0, 1
	case large:
		return 1, 3 * slower
	default:
		return 2, slower
	}
}

// trial is one mutant and what judges it.
type trial struct {
	o     *original
	m     mutant
	judge func(*original, mutant) (outcome, error)
}

// TestMutants: no mutant of an artefact that changes a decision gets through.
func TestMutants(t *testing.T) {
	t.Parallel()
	var profiles, mounts []trial
	for i, o := range originals(t, os.Getenv("SBC_MUTANTS") == "all") {
		if only := os.Getenv("SBC_MUTANTS_OF"); only != "" && only != o.name {
			continue
		}
		of, every := few(len(o.profile) > largeText)
		if o.profile != nil {
			for _, m := range sample(profileMutants(t, string(o.profile)), of, every, i) {
				profiles = append(profiles, trial{o, m, judgeProfile})
			}
		}
		if o.args != nil {
			for _, m := range sample(mountsMutants(o.args), of, every, i) {
				mounts = append(mounts, trial{o, m, judgeMounts})
			}
		}
	}
	for _, part := range []struct {
		name   string
		trials []trial
	}{{"profiles", profiles}, {"mounts", mounts}} {
		t.Run(part.name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			result := run(t, part.trials)
			t.Logf("%s, in %v: %s", part.name, time.Since(start).Round(time.Second), result)
		})
	}
}

// run judges mutants, several at a time, and reports those that got through.
func run(t *testing.T, trials []trial) *table {
	t.Helper()
	var wg sync.WaitGroup
	var mu sync.Mutex
	result := newTable()
	next := make(chan trial)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for x := range next {
				out, err := x.judge(x.o, x.m)
				mu.Lock()
				result.add(x.m.kind, out)
				mu.Unlock()
				switch {
				case err != nil:
					t.Errorf("%s: %s: %s: %v", x.o.name, x.m.kind, x.m.what, err)
				case out.verdict == survived:
					t.Errorf("%s: %s: %s: got through: %s", x.o.name, x.m.kind, x.m.what, strings.TrimSpace(out.reason))
				}
			}
		})
	}
	for _, x := range trials {
		next <- x
	}
	close(next)
	wg.Wait()
	return result
}
