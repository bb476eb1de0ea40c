package seccomp_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/target/bwrap/seccomp"
)

// TestLongLists compiles lists that are longer than a conditional jump reaches:
// many calls before the returns, many values in one test, a long block that the
// comparison of the next call has to skip, and all sizes around the limit.
func TestLongLists(t *testing.T) {
	t.Parallel()
	sizes := []int{1, 2, 100, 600, 1000}
	for n := 240; n <= 270; n++ {
		sizes = append(sizes, n)
	}
	for _, n := range sizes {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			longList(t, n)
		})
	}
}

func longList(t *testing.T, n int) {
	t.Helper()
	var names []string
	for i := range n {
		names = append(names, fmt.Sprint(i))
	}
	var values []seccomp.Value
	for i := range n {
		values = append(values, seccomp.Value{N: uint32(1000 + 2*i)})
	}
	first := seccomp.Value{N: 1}
	rules := []seccomp.Rule{
		{Scope: seccomp.ScopeForeign, Action: seccomp.KillProcess},
		{Scope: seccomp.ScopeUnknown, Action: seccomp.ENOSYS},
		{
			Scope: seccomp.ScopeCalls, Calls: []string{"a"}, Action: seccomp.EPERM,
			When: []seccomp.Test{
				{Arg: 5, Op: seccomp.OneOf, Values: []seccomp.Value{first}},
				{Arg: 0, Op: seccomp.OneOf, Values: values},
			},
		},
		{
			Scope: seccomp.ScopeCalls, Calls: []string{"a"}, Action: seccomp.EAFNOSUPPORT,
			When: []seccomp.Test{
				{Arg: 1, Mask: seccomp.Value{N: 0xffff}, Op: seccomp.NoneOf, Values: values},
				{Arg: 2, Op: seccomp.NoneOf, Values: values},
			},
		},
		{Scope: seccomp.ScopeCalls, Calls: names, Action: seccomp.ENOSYS},
		{Scope: seccomp.ScopeCalls, Calls: []string{"b"}, Action: seccomp.EPERM},
	}
	// The numbers of the list need not exist for the comparison of numbers
	// with the spans to let them pass: all lie in one span.
	number := func(name string) uint32 {
		switch name {
		case "a":
			return 300
		case "b":
			return 301
		}
		var i uint32
		fmt.Sscan(name, &i)
		return i % 290
	}
	code := seccomp.Compile(seccomp.AMD64, rules, number).Encode()
	last := uint64(1000 + 2*(n-1))
	for _, tc := range []struct {
		name string
		nr   uint32
		args [6]uint64
		want uint32
	}{
		{"first of the list", 0, [6]uint64{}, enosys},
		{"last of the list", uint32((n - 1) % 290), [6]uint64{}, enosys},
		{"b", 301, [6]uint64{}, eperm},
		{"in no rule", 302, [6]uint64{}, allow},
		{"a, second test holds", 300, [6]uint64{last, 1, 1, 0, 0, 0}, eafnos},
		{"a, first test holds with the last value", 300, [6]uint64{last, 1, 1, 0, 0, 1}, eperm},
		{"a, first test holds with the first value", 300, [6]uint64{1000, 1, 1, 0, 0, 1}, eperm},
		{"a, a value that is not there", 300, [6]uint64{1001, 1000, 1, 0, 0, 1}, allow},
		{"a, masked value is there", 300, [6]uint64{0, last | 0x10000, 1, 0, 0, 1}, allow},
		{"a, other argument is there", 300, [6]uint64{0, 1, last, 0, 0, 1}, allow},
		{"a, neither is there", 300, [6]uint64{0, 1, last + 2, 0, 0, 1}, eafnos},
		{"unknown number", 400, [6]uint64{}, enosys},
	} {
		got, err := interpret(code, seccomp.Call{Arch: archX86, Nr: tc.nr, Args: tc.args})
		if err != nil || got != tc.want {
			t.Errorf("%s: %v, %v; want %v", tc.name, seccomp.Action(got), err, seccomp.Action(tc.want))
		}
	}
}

// TestReach puts the two targets of a comparison on both sides of the longest
// jump, in every combination.
func TestReach(t *testing.T) {
	t.Parallel()
	var distances []int
	for d := 250; d <= 260; d++ {
		distances = append(distances, d)
	}
	distances = append(distances, 0, 1, 600)
	for _, toYes := range distances {
		for _, toNo := range distances {
			if toYes == toNo {
				continue
			}
			code := seccomp.TwoTargets(toYes, toNo).Encode()
			for nr, want := range map[uint32]uint32{1: eperm, 2: enosys, 17: eperm} {
				got, err := interpret(code, seccomp.Call{Nr: nr})
				if err != nil || got != want {
					t.Errorf("%d and %d ahead, number %d: %v, %v; want %v", toYes, toNo, nr, seccomp.Action(got), err, seccomp.Action(want))
				}
			}
		}
	}
}

// TestAnyRules: for any rules, not only those of the table, the program answers
// as reading them one by one does.
func TestAnyRules(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		number := func(name string) (n uint32) {
			fmt.Sscan(name, &n)
			return n
		}
		var rules []seccomp.Rule
		for range rapid.IntRange(0, 6).Draw(t, "rules") {
			r := seccomp.Rule{Scope: seccomp.ScopeCalls, Action: rapid.SampledFrom([]seccomp.Action{seccomp.EPERM, seccomp.ENOSYS, seccomp.EAFNOSUPPORT, seccomp.Allow}).Draw(t, "action")}
			first := rapid.IntRange(0, 20).Draw(t, "first")
			for i := range rapid.SampledFrom([]int{1, 1, 2, 5, 100, 250, 300}).Draw(t, "calls") {
				r.Calls = append(r.Calls, fmt.Sprint(first+i))
			}
			for range rapid.IntRange(0, 3).Draw(t, "tests") {
				test := seccomp.Test{
					Arg:  rapid.IntRange(0, 1).Draw(t, "arg"),
					Mask: seccomp.Value{N: rapid.SampledFrom([]uint32{0, 7, 0x1f}).Draw(t, "mask")},
					Op:   rapid.SampledFrom([]seccomp.Op{seccomp.OneOf, seccomp.NoneOf}).Draw(t, "op"),
				}
				for i := range rapid.IntRange(1, 12).Draw(t, "values") {
					test.Values = append(test.Values, seccomp.Value{N: uint32(2 * i)})
				}
				r.When = append(r.When, test)
			}
			if len(r.When) > 0 { // a block for each call: not too many
				r.Calls = r.Calls[:min(len(r.Calls), 20)]
			}
			rules = append(rules, r)
		}
		code := seccomp.Compile(seccomp.AMD64, rules, number).Encode()
		for range 20 {
			c := seccomp.Call{Arch: archX86, Nr: rapid.Uint32Range(0, 330).Draw(t, "nr")}
			c.Args[0] = rapid.Uint64Range(0, 40).Draw(t, "arg0")
			c.Args[1] = rapid.Uint64Range(0, 40).Draw(t, "arg1")
			want := seccomp.Allow
			for i := len(rules) - 1; i >= 0; i-- {
				if matches(rules[i], fmt.Sprint(c.Nr), c) {
					want = rules[i].Action
				}
			}
			got, err := interpret(code, c)
			if err != nil || got != uint32(want) {
				t.Fatalf("%+v: %v, %v; want %v", c, seccomp.Action(got), err, want)
			}
		}
	})
}

// matches reports whether a rule says something about a call.
func matches(r seccomp.Rule, name string, c seccomp.Call) bool {
	for _, test := range r.When {
		arg := uint32(c.Args[test.Arg])
		if test.Mask.N != 0 {
			arg &= test.Mask.N
		}
		found := false
		for _, v := range test.Values {
			found = found || v.N == arg
		}
		if found != (test.Op == seccomp.OneOf) {
			return false
		}
	}
	return slices.Contains(r.Calls, name)
}
