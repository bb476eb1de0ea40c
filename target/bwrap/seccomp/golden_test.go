package seccomp_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/target/bwrap/seccomp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", file, diff)
	}
}

func TestGolden(t *testing.T) {
	t.Parallel()
	for _, a := range seccomp.Arches() {
		for _, tc := range []struct {
			name string
			o    seccomp.Options
		}{
			{"closed", seccomp.Options{}},
			{"unix-sockets", seccomp.Options{UnixSockets: true}},
			{"open", seccomp.Options{UnixSockets: true, Ptrace: true, Namespaces: true, Terminal: true}},
			{"traced", seccomp.Options{Trace: true}},
		} {
			name := a.String() + "-" + tc.name
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				golden(t, name+".bpf.txt", seccomp.Build(a, tc.o).String())
				golden(t, name+".rules.txt", seccomp.Explain(a, tc.o))
			})
		}
	}
}

// TestStringOfOther: programs that Build does not write are readable too, and
// broken ones do not crash.
func TestStringOfOther(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		p    seccomp.Program
		want string
	}{
		{"empty", nil, ""},
		{"killer", seccomp.Build(0, seccomp.Options{}), "\tret KILL\n"},
		{
			"jump and unknown words",
			seccomp.Program{{Code: 0x20, K: 20}, {Code: 0x05, K: 1}, {Code: 0x16}, {Code: 0x20, K: 16 + 24}, {Code: 0x15, K: 5000, JT: 1, JF: 9}, {Code: 6, K: 7}},
			"\tload other\n\tjump L1\n\tcode=0x0016 jt=0 jf=0 k=0x0\nL1:\n\tload arg3\n\tjeq 0x1388 ? outside(+1) : outside(+9)\n\tret Action(0x00000007)\n",
		},
		{
			"number before the architecture",
			seccomp.Program{{Code: 0x20, K: 0}, {Code: 0x15, K: 101}, {Code: 6, K: 0x7fff0000}},
			"\tload nr\n\tjeq 101 ? next : next\n\tret ALLOW\n",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, tc.p.String()); diff != "" {
				t.Errorf("String (-want +got):\n%s", diff)
			}
		})
	}
}
