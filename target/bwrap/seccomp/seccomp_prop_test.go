package seccomp_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/target/bwrap/seccomp"
)

// genOptions draws any combination of options.
func genOptions(t *rapid.T) seccomp.Options {
	return seccomp.Options{
		UnixSockets: rapid.Bool().Draw(t, "unix"),
		Ptrace:      rapid.Bool().Draw(t, "ptrace"),
		Namespaces:  rapid.Bool().Draw(t, "namespaces"),
		Terminal:    rapid.Bool().Draw(t, "terminal"),
		Trace:       rapid.Bool().Draw(t, "trace"),
	}
}

// genCall draws a call that is often one that a rule is about, with arguments
// that are often values of a test, give or take one, or with other upper halves.
func genCall(t *rapid.T, a seccomp.Arch) seccomp.Call {
	var numbers, values []uint32
	for _, n := range seccomp.Names() {
		if nr, ok := seccomp.Number(a, n); ok {
			numbers = append(numbers, nr)
		}
	}
	for _, s := range seccomp.Spans(a) {
		numbers = append(numbers, s[0]-1, s[0], s[1], s[1]+1)
	}
	for _, n := range []string{"clone", "ioctl", "socket", "socketpair", "newfstatat", "statx", "sendto"} { // the ones with tests: more often
		nr, _ := seccomp.Number(a, n)
		numbers = append(numbers, nr, nr, nr, nr, nr, nr, nr, nr)
	}
	for _, r := range seccomp.Rules(a, seccomp.Options{Trace: true}) {
		for _, test := range r.When {
			for _, v := range append([]seccomp.Value{test.Mask}, test.Values...) {
				values = append(values, v.N-1, v.N, v.N, v.N+1, v.N|0x80000)
			}
		}
	}
	c := seccomp.Call{
		Arch: rapid.OneOf(rapid.Just(a.Audit().N), rapid.Just(a.Audit().N), rapid.SampledFrom([]uint32{archX86, archArm64, archI386, archArm}), rapid.Uint32()).Draw(t, "arch"),
		Nr:   rapid.OneOf(rapid.SampledFrom(numbers), rapid.SampledFrom(numbers), rapid.Uint32Range(0, 600), rapid.Uint32()).Draw(t, "nr"),
	}
	for i := range c.Args {
		low := rapid.OneOf(rapid.SampledFrom(values), rapid.Uint32()).Draw(t, "low")
		high := rapid.OneOf(rapid.Just(uint32(0)), rapid.Uint32()).Draw(t, "high")
		c.Args[i] = uint64(high)<<32 | uint64(low)
	}
	return c
}

// TestProgramAnswersAsTheRules: for every call, program(rules) = rules.
func TestProgramAnswersAsTheRules(t *testing.T) {
	t.Parallel()
	rapid.Check(t, propProgram)
}

func FuzzProgramAnswersAsTheRules(f *testing.F) { f.Fuzz(rapid.MakeFuzz(propProgram)) }

func propProgram(t *rapid.T) {
	a := rapid.SampledFrom(seccomp.Arches()).Draw(t, "built for")
	o := genOptions(t)
	c := genCall(t, a)
	got, err := interpret(seccomp.Build(a, o).Encode(), c)
	if want := seccomp.Decide(a, o, c); err != nil || got != uint32(want) {
		t.Fatalf("%s %+v %+v: program %v, %v; rules %v", a, o, c, seccomp.Action(got), err, want)
	}
}

// TestOptionsOnlyOpen: setting an option never takes a permission away, and
// what it opens a rule names as its own.
func TestOptionsOnlyOpen(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SampledFrom(seccomp.Arches()).Draw(t, "built for")
		less := genOptions(t)
		less.Trace = false
		more := less
		for _, f := range []*bool{&more.UnixSockets, &more.Ptrace, &more.Namespaces, &more.Terminal} {
			*f = *f || rapid.Bool().Draw(t, "more")
		}
		c := genCall(t, a)
		if seccomp.Decide(a, less, c) == seccomp.Allow && seccomp.Decide(a, more, c) != seccomp.Allow {
			t.Fatalf("%s %+v: allowed under %+v and not under %+v", a, c, less, more)
		}
	})
}

// TestUpperHalvesDoNotMatter: no answer depends on what the kernel cuts off.
func TestUpperHalvesDoNotMatter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SampledFrom(seccomp.Arches()).Draw(t, "built for")
		code := seccomp.Build(a, genOptions(t)).Encode()
		c := genCall(t, a)
		cut := c
		for i := range cut.Args {
			cut.Args[i] &= 0xffffffff
		}
		one, err1 := interpret(code, c)
		two, err2 := interpret(code, cut)
		if one != two || err1 != nil || err2 != nil {
			t.Fatalf("%+v: %v with, %v without upper halves (%v, %v)", c, seccomp.Action(one), seccomp.Action(two), err1, err2)
		}
	})
}

// TestTraceRefusesNothing: what is traced is what would be allowed, and is one
// of the calls that say so; all else is decided as without tracing.
func TestTraceRefusesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SampledFrom(seccomp.Arches()).Draw(t, "built for")
		plain := genOptions(t)
		plain.Trace = false
		traced := plain
		traced.Trace = true
		c := genCall(t, a)
		without, with := seccomp.Decide(a, plain, c), seccomp.Decide(a, traced, c)
		if with == without {
			return
		}
		named := slices.ContainsFunc(seccomp.Traced(), func(name string) bool {
			nr, ok := seccomp.Number(a, name)
			return ok && nr == c.Nr
		})
		if without != seccomp.Allow || with != seccomp.Trace || !named {
			t.Fatalf("%s %+v %+v: %v without tracing, %v with it", a, plain, c, without, with)
		}
	})
}
