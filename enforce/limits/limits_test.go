package limits_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/enforce/limits"
	"github.com/sandboxc/sbc/target/bwrap"
)

func TestRlimits(t *testing.T) {
	t.Parallel()
	all := limits.Of(&bwrap.Plan{CPU: 1500 * time.Millisecond, Memory: 1 << 30, Procs: 20, Open: 64, FileSize: 4096})
	core := limits.Rlimit{Resource: limits.Core}
	cpu := limits.Rlimit{Resource: limits.CPU, Soft: 2, Hard: 3}
	rest := []limits.Rlimit{{Resource: limits.Open, Soft: 64, Hard: 64}, {Resource: limits.FileSize, Soft: 4096, Hard: 4096}}
	for _, tt := range []struct {
		name  string
		set   limits.Set
		group bool
		want  []limits.Rlimit
	}{
		{"none", limits.Set{}, false, []limits.Rlimit{core}},
		{"all", all, false, append([]limits.Rlimit{
			core, cpu,
			{Resource: limits.Memory, Soft: 1 << 30, Hard: 1 << 30},
			{Resource: limits.Procs, Soft: 21, Hard: 21}, // and process 1
		}, rest...)},
		{"with a group", all, true, append([]limits.Rlimit{core, cpu}, rest...)},
	} {
		if diff := cmp.Diff(tt.want, tt.set.Rlimits(tt.group)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestEnforced(t *testing.T) {
	t.Parallel()
	set := limits.Set{CPU: time.Minute, Memory: 1 << 30, Procs: 20, Open: 64, FileSize: 4096}
	type row struct {
		Limit     string
		Mechanism limits.Mechanism
		Value     uint64
	}
	rest := []row{{"open_files", "RLIMIT_NOFILE", 64}, {"file_size", "RLIMIT_FSIZE", 4096}}
	for _, tt := range []struct {
		name string
		cond limits.Conditions
		want []row
	}{
		{"a user", limits.Conditions{PerSandbox: true}, append([]row{
			{"cpu", "RLIMIT_CPU", 60}, {"memory", "RLIMIT_AS", 1 << 30}, {"processes", "RLIMIT_NPROC", 20},
		}, rest...)},
		{"root", limits.Conditions{PerSandbox: true, Root: true}, append([]row{
			{"cpu", "RLIMIT_CPU", 60}, {"memory", "RLIMIT_AS", 1 << 30}, {"processes", limits.None, 0},
		}, rest...)},
		{"a group", limits.Conditions{Root: true, Group: true}, append([]row{
			{"cpu", "RLIMIT_CPU", 60}, {"memory", limits.Cgroup, 1 << 30}, {"processes", limits.Cgroup, 20},
		}, rest...)},
		{"a smaller hard limit", limits.Conditions{Hard: map[limits.Resource]uint64{limits.Open: 10, limits.FileSize: limits.Infinity}}, []row{
			{"cpu", "RLIMIT_CPU", 60},
			{"memory", "RLIMIT_AS", 1 << 30},
			{"processes", "RLIMIT_NPROC", 20},
			{"open_files", "RLIMIT_NOFILE", 10},
			{"file_size", "RLIMIT_FSIZE", 4096},
		}},
	} {
		var got []row
		for _, e := range set.Enforced(tt.cond) {
			if e.Covers == "" {
				t.Errorf("%s: nothing is said of what %s covers", tt.name, e.Limit)
			}
			got = append(got, row{e.Limit, e.Mechanism, e.Value})
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
	if got := (limits.Set{}).Enforced(limits.Conditions{}); got != nil {
		t.Errorf("without limits: %v", got)
	}
}

// TestCovers holds that the sentence for processes follows the kernel, and that a
// smaller hard limit is said.
func TestCovers(t *testing.T) {
	t.Parallel()
	set := limits.Set{Procs: 20}
	got := []string{}
	for _, c := range []limits.Conditions{
		{}, {PerSandbox: true}, {PerSandbox: true, Hard: map[limits.Resource]uint64{limits.Procs: 5}}, {Root: true},
	} {
		got = append(got, set.Enforced(c)[0].Covers)
	}
	want := []string{
		"processes and threads of the user together, those outside of the sandbox included",
		"processes and threads of the command together",
		"processes and threads of the command together; the hard limit that was in force already is smaller: 5",
		"nothing: RLIMIT_NPROC does not bind root, and there is no control group",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestNewer(t *testing.T) {
	t.Parallel()
	for release, want := range map[string]bool{
		"5.14.0": true, "5.13.19": false, "6.1.0-18-amd64": true, "4.20": false, "5.14-rc1": true, "": false, "x": false,
	} {
		if got := limits.Newer(release, 5, 14); got != want {
			t.Errorf("%q is 5.14 or newer: %t, want %t", release, got, want)
		}
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	const mounts = `25 1 0:22 / / rw - ext4 /dev/sda rw
30 25 0:27 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory
31 25 0:28 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw
`
	const shifted = `31 25 0:28 /outer /cg rw,nosuid shared:4 - cgroup2 cgroup2 rw
`
	for _, tt := range []struct{ name, group, mounts, want, err string }{
		{"a session", "0::/user.slice/a.scope\n", mounts, "/sys/fs/cgroup/user.slice/a.scope", ""},
		{"the root", "0::/\n", mounts, "/sys/fs/cgroup", ""},
		{"both versions", "4:memory:/x\n0::/y\n", mounts, "/sys/fs/cgroup/y", ""},
		{"moved before", "0::/a.scope/sbc-launcher\n", mounts, "/sys/fs/cgroup/a.scope", ""},
		{"a part is mounted", "0::/outer/b\n", shifted, "/cg/b", ""},
		{"another part is mounted", "0::/outerb\n", shifted, "", "the control group /outerb is not mounted"},
		{"version 1 alone", "4:memory:/x\n", mounts, "", "this system has no control groups of version 2"},
	} {
		got, err := limits.Find(tt.group, tt.mounts)
		text := ""
		if err != nil {
			text = err.Error()
		}
		if string(got) != tt.want || text != tt.err {
			t.Errorf("%s: %q, %q; want %q, %q", tt.name, got, text, tt.want, tt.err)
		}
	}
}
