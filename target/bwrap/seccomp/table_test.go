package seccomp_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/target/bwrap/seccomp"
)

// TestTable: every row is whole.
func TestTable(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	var entries []seccomp.Scope
	for _, r := range seccomp.Table() {
		if r.Name == "" || names[r.Name] {
			t.Errorf("name %q: empty or used twice", r.Name)
		}
		names[r.Name] = true
		if len(r.Reason) < 30 || strings.HasSuffix(r.Reason, ".") {
			t.Errorf("%s: reason %q", r.Name, r.Reason)
		}
		if r.Action == seccomp.Allow || r.Action == 0 || strings.HasPrefix(r.Action.String(), "Action(") {
			t.Errorf("%s: action %v", r.Name, r.Action)
		}
		if strings.HasPrefix(r.Unless.String(), "Option(") {
			t.Errorf("%s: option %v", r.Name, r.Unless)
		}
		if r.Scope != seccomp.ScopeCalls {
			entries = append(entries, r.Scope)
			if len(r.Calls)+len(r.When) != 0 || r.Unless != seccomp.None {
				t.Errorf("%s: a rule about entering names calls, tests or an option", r.Name)
			}
			continue
		}
		if len(r.Calls) == 0 {
			t.Errorf("%s: no calls", r.Name)
		}
		for _, test := range r.When {
			if test.Arg < 0 || test.Arg > 5 || len(test.Values) == 0 || (test.Op != seccomp.OneOf && test.Op != seccomp.NoneOf) {
				t.Errorf("%s: test %v", r.Name, test)
			}
			for _, v := range test.Values {
				if v.Name == "" || (test.Mask.N != 0 && v.N&^test.Mask.N != 0) {
					t.Errorf("%s: value %+v under mask %#x", r.Name, v, test.Mask.N)
				}
			}
		}
	}
	if diff := cmp.Diff([]seccomp.Scope{seccomp.ScopeForeign, seccomp.ScopeX32, seccomp.ScopeUnknown}, entries); diff != "" {
		t.Errorf("rules about entering (-want +got):\n%s", diff)
	}
}

// TestNumberTable: the rows are sorted, each is used, and each call of a rule
// has a row.
func TestNumberTable(t *testing.T) {
	t.Parallel()
	var used []string
	for _, r := range seccomp.Table() {
		used = append(used, r.Calls...)
	}
	used = append(used, seccomp.Traced()...)
	slices.Sort(used)
	used = slices.Compact(used)
	if diff := cmp.Diff(used, seccomp.Names()); diff != "" {
		t.Errorf("calls of the rules (-) and rows of the numbers (+):\n%s", diff)
	}
}

// TestNumbersAgainstGenerated compares numbers and spans of both architectures
// with the files that golang.org/x/sys generates from the kernel's headers.
func TestNumbersAgainstGenerated(t *testing.T) {
	t.Parallel()
	for _, a := range seccomp.Arches() {
		t.Run(a.String(), func(t *testing.T) {
			t.Parallel()
			all := generated(t, a)
			got, want := map[string]uint32{}, map[string]uint32{}
			for _, n := range seccomp.Names() {
				if nr, ok := seccomp.Number(a, n); ok {
					got[n] = nr
				}
				if nr, ok := all[n]; ok {
					want[n] = nr
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("numbers (-generated +ours):\n%s", diff)
			}
			if diff := cmp.Diff(runs(all), seccomp.Spans(a)); diff != "" {
				t.Errorf("spans (-generated +ours):\n%s", diff)
			}
		})
	}
}

// TestEveryCallIsJudged: each call of the kernel is either in a rule or in
// testdata/permitted.txt, so that a call that a new kernel brings stops this
// test until somebody has decided about it.
func TestEveryCallIsJudged(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/permitted.txt")
	if err != nil {
		t.Fatal(err)
	}
	judged := map[string]string{}
	for _, r := range seccomp.Table() {
		for _, c := range r.Calls {
			judged[c] = r.Name
		}
	}
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "#")
		for _, c := range strings.Fields(line) {
			if by := judged[c]; by != "" {
				t.Errorf("%s: permitted, but also in %s", c, by)
			}
			judged[c] = "permitted.txt"
		}
	}
	exists := map[string]bool{}
	for _, a := range seccomp.Arches() {
		for c := range generated(t, a) {
			exists[c] = true
			if judged[c] == "" {
				t.Errorf("%s on %s is in no rule and not in permitted.txt", c, a)
			}
		}
	}
	for c, by := range judged {
		if !exists[c] {
			t.Errorf("%s (%s) is no system call", c, by)
		}
	}
}

// runs returns the runs of numbers without a gap, in order.
func runs(all map[string]uint32) [][2]uint32 {
	var nrs []uint32
	for _, n := range all {
		nrs = append(nrs, n)
	}
	slices.Sort(nrs)
	var out [][2]uint32
	for _, n := range nrs {
		if len(out) > 0 && out[len(out)-1][1]+1 == n {
			out[len(out)-1][1] = n
			continue
		}
		out = append(out, [2]uint32{n, n})
	}
	return out
}

var constant = regexp.MustCompile(`(?m)^\tSYS_(\w+)\s+= (\d+)$`)

// generated reads the system calls of an architecture from the source of
// golang.org/x/sys, which has a file for each and compiles only one.
func generated(t *testing.T, a seccomp.Arch) map[string]uint32 {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/sys").Output()
	if err != nil {
		t.Fatalf("go list golang.org/x/sys: %v", err)
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), "unix", "zsysnum_linux_"+a.String()+".go"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]uint32{}
	for _, m := range constant.FindAllStringSubmatch(string(text), -1) {
		nr, err := strconv.ParseUint(m[2], 10, 32)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.ToLower(m[1])
		if name == "arch_specific_syscall" { // where a block for other processors begins
			continue
		}
		out[name] = uint32(nr)
	}
	if len(out) < 300 {
		t.Fatalf("%d calls for %s: the file is not what it was", len(out), a)
	}
	return out
}
