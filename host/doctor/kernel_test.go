package doctor_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/host/doctor"
	"github.com/sandboxc/sbc/ir/diag"
)

// TestSettings holds which settings are blamed for a failure.
func TestSettings(t *testing.T) {
	t.Parallel()
	const (
		limit    = "/proc/sys/user/max_user_namespaces"
		clone    = "/proc/sys/kernel/unprivileged_userns_clone"
		apparmor = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns"
	)
	for _, tt := range []struct {
		name  string
		files map[string]string
		uid   int
		want  string // the end of the detail
	}{
		{"none", nil, 1000, `It said "bwrap: no".`},
		{"all as they should be", map[string]string{limit: "96551\n", clone: "1\n", apparmor: "0\n"}, 1000, `It said "bwrap: no".`},
		{"limit", map[string]string{limit: "0\n"}, 0, `It said "bwrap: no". user.max_user_namespaces is 0.`},
		{"clone", map[string]string{clone: "0\n"}, 1000, `It said "bwrap: no". kernel.unprivileged_userns_clone is 0.`},
		{"apparmor", map[string]string{apparmor: "1\n"}, 1000, `It said "bwrap: no". kernel.apparmor_restrict_unprivileged_userns is 1.`},
		{"root is exempt", map[string]string{clone: "0\n", apparmor: "1\n"}, 0, `It said "bwrap: no".`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := host.Facts{OS: "linux", UID: tt.uid, Bwrap: bwrap("0.12.0")}
			got := named(t, doctor.Run(t.Context(), f, machine(failing("--unshare-user", "bwrap: no"), tt.files)), "user namespace")
			if !strings.HasSuffix(got.Detail, tt.want) {
				t.Errorf("got %q, want the end %q", got.Detail, tt.want)
			}
			if blamed := strings.Contains(tt.want, " is "); blamed != (got.Code == diag.CodeUsernsDisabled) {
				t.Errorf("the code is %s", got.Code)
			}
			fineToo := named(t, doctor.Run(t.Context(), f, machine(runner(fine), tt.files)), "user namespace")
			if fineToo.Status != doctor.OK {
				t.Errorf("blamed though it works: %+v", fineToo)
			}
		})
	}
}

func TestSeccompThatDoesNothing(t *testing.T) {
	t.Parallel()
	lax := runner(func(host.Command) (host.Output, error) { return host.Output{}, nil })
	got := named(t, doctor.Run(t.Context(), host.Facts{OS: "linux", Arch: "amd64", Bwrap: bwrap("0.12.0")}, machine(lax, nil)), "seccomp")
	want := doctor.Check{
		Name: "seccomp", Status: doctor.Fail, Code: diag.CodeSeccompMissing, Detail: "A seccomp program is taken but does nothing.",
		Remedy: "Use a kernel that has seccomp filters (CONFIG_SECCOMP_FILTER).",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCVE(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, version   string
		outside, inside bool
		err             error
		status          doctor.Status
		detail          string
	}{
		{"vulnerable", "0.8.0", true, true, nil, doctor.Warn, "bubblewrap 0.8.0 has CVE-2026-87766: it followed a planted link to make a directory outside of the sandbox."},
		{"vulnerable though new", "0.13.0", true, false, nil, doctor.Warn, "bubblewrap 0.13.0 has CVE-2026-87766: it followed a planted link to make a directory outside of the sandbox."},
		{"fixed", "0.12.0", false, true, nil, doctor.OK, "bubblewrap 0.12.0 does not follow planted links out of the sandbox: it was tried."},
		{"fixed by the distribution", "0.9.0", false, true, nil, doctor.OK, "bubblewrap 0.9.0 does not follow planted links out of the sandbox: it was tried."},
		{"old and not tried", "0.11.2", false, false, nil, doctor.Warn, "bubblewrap 0.11.2 has CVE-2026-87766, unless its distribution fixed it: it could not be tried."},
		{"old and no directory", "0.11.2", false, true, errors.New("no space"), doctor.Warn, "bubblewrap 0.11.2 has CVE-2026-87766, unless its distribution fixed it: it could not be tried."},
		{"new and not tried", "0.12.1", false, false, errors.New("no space"), doctor.OK, "bubblewrap 0.12.1 has the fix by its version: it could not be tried."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			m := machine(runner(fine), nil)
			m.Plant = func(temp string, _ func(string)) (bool, bool, error) {
				if temp != "/t" {
					t.Errorf("planted in %q", temp)
				}
				return tt.outside, tt.inside, tt.err
			}
			got := named(t, doctor.Run(t.Context(), host.Facts{OS: "linux", Temp: "/t", Bwrap: bwrap(tt.version)}, m), "cve-2026-87766")
			if got.Status != tt.status || got.Detail != tt.detail || (got.Status == doctor.Warn) != (got.Code == diag.CodeKnownCVE && got.Remedy != "") {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestLandlockMissing(t *testing.T) {
	t.Parallel()
	m := machine(runner(fine), nil)
	m.Landlock = func() (int, error) { return 0, errors.New("function not implemented") }
	checks := doctor.Run(t.Context(), host.Facts{OS: "linux", Arch: "amd64", Bwrap: bwrap("0.12.0")}, m)
	got := named(t, checks, "landlock")
	if got.Status != doctor.Warn || got.Code != diag.CodeLandlock || !doctor.Usable(checks) ||
		got.Detail != "The kernel has no Landlock (function not implemented). Compiled policies do not need it." {
		t.Errorf("got %+v", got)
	}
}

func TestCgroup(t *testing.T) {
	t.Parallel()
	const own, have = "/proc/self/cgroup", "/cgroup.controllers"
	for _, tt := range []struct {
		name   string
		files  map[string]string
		status doctor.Status
		detail string
	}{
		{"delegated", nil, doctor.OK, "The cgroup /sys/fs/cgroup/user/me may be divided and has the controllers cpu, memory, pids."},
		{
			"not writable",
			map[string]string{own: "0::/system\n", "/sys/fs/cgroup/system" + have: "cpu memory pids\n"},
			doctor.Warn, "The cgroup /sys/fs/cgroup/system may not be divided by this user.",
		},
		{
			"without controllers",
			map[string]string{"/sys/fs/cgroup/user/me" + have: "hugetlb memory\n"},
			doctor.Warn, "The cgroup /sys/fs/cgroup/user/me lacks the controllers cpu, pids.",
		},
		{"version 1 alone", map[string]string{own: "2:cpu:/x\n1:name=systemd:/y\n"}, doctor.Warn, "There is no cgroup of version 2 for this process: /proc/self/cgroup names none."},
		{"outside of the namespace", map[string]string{own: "0::/../x\n"}, doctor.Warn, "There is no cgroup of version 2 for this process: /../x is not mounted."},
		{
			"mounted in part",
			map[string]string{own: "0::/other/me\n", "/mnt/me" + have: "cpu\n"},
			doctor.Warn, "The cgroup /mnt/me lacks the controllers memory, pids.",
		},
		{"the root", map[string]string{own: "0::/\n", "/sys/fs/cgroup" + have: "memory pids\n"}, doctor.Warn, "The cgroup /sys/fs/cgroup lacks the controllers cpu."},
		{"unreadable", map[string]string{own: "0::/gone\n"}, doctor.Warn, "The controllers of /sys/fs/cgroup/gone cannot be read: open /sys/fs/cgroup/gone/cgroup.controllers: file does not exist."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := named(t, doctor.Run(t.Context(), host.Facts{OS: "linux", Bwrap: bwrap("0.12.0")}, machine(runner(fine), tt.files)), "cgroup")
			if got.Status != tt.status || got.Detail != tt.detail || (got.Status == doctor.Warn) != (got.Code == diag.CodeCgroup && got.Remedy != "") {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestSupervise(t *testing.T) {
	t.Parallel()
	const cannot = "Closed names that do not exist yet cannot be held by asking at each call: "
	for _, tt := range []struct {
		kernel, actions string
		permitted       bool
		status          doctor.Status
		code            diag.Code
		detail          string
	}{
		{"6.1.0", "errno user_notif\n", true, doctor.OK, "", "The kernel lets a launcher decide about calls that make, rename or remove a name."},
		{"6.1.0", "errno user_notif\n", false, doctor.Warn, diag.CodeSupervise, cannot + "this process may not load such a filter, as in some containers."},
		{"5.15.0", "errno user_notif\n", true, doctor.Warn, diag.CodeSupervise, cannot + "the kernel is 5.15.0, and 5.19 is needed."},
		{"6.1.0", "errno\n", true, doctor.Warn, diag.CodeSupervise, cannot + "the kernel's seccomp filters cannot ask another process (user_notif)."},
	} {
		m := machine(runner(fine), map[string]string{host.SeccompActions: tt.actions})
		got := named(t, doctor.Run(t.Context(), host.Facts{OS: "linux", Kernel: tt.kernel, Supervise: tt.permitted}, m), "supervise")
		if got.Status != tt.status || got.Code != tt.code || got.Detail != tt.detail || (got.Remedy == "") != (tt.status == doctor.OK) {
			t.Errorf("%s, %q: %+v", tt.kernel, tt.actions, got)
		}
	}
}
