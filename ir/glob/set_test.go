package glob_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/ir/glob"
)

func parseAll(patterns ...string) []*glob.Pattern {
	var out []*glob.Pattern
	for _, p := range patterns {
		out = append(out, glob.MustParse(p))
	}
	return out
}

func TestSetWalk(t *testing.T) {
	t.Parallel()
	set := glob.NewSet(parseAll("/w/**/.env", "/w/*.{a,b}", "/w/d/**", "/", "/w/x", "/w/{x,?}"))
	for _, tc := range []struct {
		name, path string
		matched    []int
		dead       bool
	}{
		{"root", "/", []int{3}, false},
		{"base", "/w", nil, false},
		{"elsewhere", "/v", nil, true},
		{"beneath elsewhere", "/v/.env", nil, true},
		{"doublestar of none", "/w/.env", []int{0}, false},
		{"doublestar of two", "/w/p/q/.env", []int{0}, false},
		{"beneath a match", "/w/.env/r", nil, false},
		{"one of alternatives", "/w/p.b", []int{1}, false},
		{"two patterns, one through two alternatives", "/w/x", []int{4, 5}, false},
		{"trailing doublestar", "/w/d", []int{2, 5}, false},
		{"trailing doublestar beneath", "/w/d/e/f", []int{2}, false},
		{"two at once", "/w/d/.env", []int{0, 2}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := set.Root()
			matched := s.Matched()
			if tc.path != "/" {
				for name := range strings.SplitSeq(tc.path[1:], "/") {
					s, matched = s.Step(name)
				}
			}
			if diff := cmp.Diff(tc.matched, matched); diff != "" {
				t.Errorf("matched (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(matched, s.Matched()); diff != "" {
				t.Errorf("Matched() (-Step +Matched):\n%s", diff)
			}
			if s.Dead() != tc.dead {
				t.Errorf("Dead() = %v, want %v", s.Dead(), tc.dead)
			}
		})
	}
}

func TestSetDead(t *testing.T) {
	t.Parallel()
	var zero glob.State
	if next, matched := zero.Step("a"); !zero.Dead() || next != zero || matched != nil || zero.Matched() != nil {
		t.Error("the zero State is not dead")
	}
	if s := glob.NewSet(nil).Root(); !s.Dead() {
		t.Error("a set of nothing is not dead")
	}
	s, matched := glob.NewSet(parseAll("/a")).Root().Step("a")
	if diff := cmp.Diff([]int{0}, matched); diff != "" || !s.Dead() {
		t.Errorf("the end of a literal: dead %v, matched (-want +got):\n%s", s.Dead(), diff)
	}
}

// Not parallel: allocations are counted.
func TestSetSharesStates(t *testing.T) {
	root := glob.NewSet(parseAll("/**/.env", "/**/a/*")).Root()
	a, _ := root.Step("x")
	b, _ := a.Step("y")
	if a != root || b != root {
		t.Error("names that nothing matches do not lead back to the same state")
	}
	if n := testing.AllocsPerRun(100, func() { root.Step("x") }); n != 0 {
		t.Errorf("a step without a match allocates %v times", n)
	}
	if n := testing.AllocsPerRun(100, func() { root.Step("a") }); n != 0 {
		t.Errorf("a step to a known state allocates %v times", n)
	}
}

// Step after Step = Match of each pattern on each path, and nothing matches
// beneath a dead state.
func TestSetIsMatch(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		patterns := parseAll(rapid.SliceOfN(genPattern(odd), 0, 6).Draw(t, "patterns")...)
		set := glob.NewSet(patterns)
		for range 5 {
			path := genPath(odd).Draw(t, "path")
			if len(patterns) > 0 {
				path = genPathFor(rapid.SampledFrom(patterns).Draw(t, "near"), odd).Draw(t, "path")
			}
			s, matched, dead := set.Root(), set.Root().Matched(), false
			for i := 1; ; {
				at := path[:max(i-1, 1)]
				var want []int
				for j, p := range patterns {
					if p.Match(at, glob.Exact) {
						want = append(want, j)
					}
				}
				if !slices.Equal(matched, want) {
					t.Fatalf("%q at %q: %v, want %v", patterns, at, matched, want)
				}
				if dead && matched != nil {
					t.Fatalf("%q: %q matches beneath a dead state", patterns, at)
				}
				if dead = s.Dead(); i >= len(path) {
					break
				}
				name, _, _ := strings.Cut(path[i:], "/")
				s, matched = s.Step(name)
				i += len(name) + 1
			}
		}
	})
}

func TestSetFromManyGoroutines(t *testing.T) {
	t.Parallel()
	set := glob.NewSet(parseAll("/**/a/**/b", "/**/[ab]/*", "/**/b/**/a/?"))
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			s := set.Root()
			for j := range 200 {
				s, _ = s.Step([]string{"a", "b", "x"}[(i+j*j)%3])
				if s.Dead() {
					t.Error("dead beneath **")
				}
			}
		})
	}
	wg.Wait()
}
