package doctor_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/host/doctor"
	"github.com/sandboxc/sbc/ir/diag"
)

// runner answers every command by a function.
type runner func(c host.Command) (host.Output, error)

func (r runner) Run(_ context.Context, c host.Command) (host.Output, error) { return r(c) }

// fine is a bubblewrap that works, seccomp included.
func fine(c host.Command) (host.Output, error) {
	if len(c.Files) > 0 && len(c.Files[0]) > 8 {
		return host.Output{Code: 1, Stderr: []byte("bwrap: execvp /usr/bin/bwrap: Operation not permitted\n")}, nil
	}
	return host.Output{Stdout: []byte("bubblewrap 0.12.0\n")}, nil
}

// failing is a bubblewrap that says something and fails if its arguments hold
// an option.
func failing(option, message string) runner {
	return func(c host.Command) (host.Output, error) {
		if slices.Contains(c.Args, option) {
			return host.Output{Code: 1, Stderr: []byte(message)}, nil
		}
		return fine(c)
	}
}

func bwrap(version string, without ...string) *host.Bwrap {
	b := &host.Bwrap{Path: "/usr/bin/bwrap", Version: version}
	for _, f := range append(doctor.NeededFlags(), "--disable-userns", "--size", "--json-status-fd") {
		if !slices.Contains(without, f) {
			b.Flags = append(b.Flags, f)
		}
	}
	return b
}

// machine is one where everything works.
func machine(r host.Runner, files map[string]string) doctor.Machine {
	record, ds := host.ParseRecord([]byte(`{
		"sbc_host": 1,
		"facts": {"os": "linux", "arch": "amd64", "uid": 0, "home": "/h", "temp": "/t", "cache": "/c", "config": "/f"},
		"tree": {"/usr/bin/sandbox-exec": {"perm": "755"}},
		"mounts": [
			{"dev": "0:1", "root": "/", "point": "/sys/fs/cgroup", "fstype": "cgroup2"},
			{"dev": "0:1", "root": "/other", "point": "/mnt", "fstype": "cgroup2"},
			{"dev": "0:2", "root": "/", "point": "/sys/fs/cgroup/cpu", "fstype": "cgroup"}
		]
	}`), "host.json")
	if len(ds) > 0 {
		panic(ds[0].Summary)
	}
	all := map[string]string{
		"/proc/self/cgroup":                         "1:cpu:/x\n0::/user/me\n",
		"/sys/fs/cgroup/user/me/cgroup.controllers": "cpuset cpu io memory pids\n",
	}
	for name, text := range files {
		all[name] = text
	}
	return doctor.Machine{
		Sources: host.Sources{
			View: record, Runner: r,
			ReadFile: func(p string) ([]byte, error) {
				if text := all[p]; text != "" {
					return []byte(text), nil
				}
				return nil, &fs.PathError{Op: "open", Path: p, Err: fs.ErrNotExist}
			},
		},
		Landlock: func() (int, error) { return 7, nil },
		Writable: func(p string) bool { return strings.HasPrefix(p, "/sys/fs/cgroup/user/me") },
		Plant: func(_ string, try func(string)) (bool, bool, error) {
			try("/t/x/root")
			return false, true, nil
		},
	}
}

func named(t *testing.T, checks []doctor.Check, name string) doctor.Check {
	t.Helper()
	i := slices.IndexFunc(checks, func(c doctor.Check) bool { return c.Name == name })
	if i < 0 {
		t.Fatalf("no check %q in %+v", name, checks)
	}
	return checks[i]
}

func TestEverythingWorks(t *testing.T) {
	t.Parallel()
	checks := doctor.Run(t.Context(), host.Facts{OS: "linux", Arch: "amd64", Bwrap: bwrap("0.12.0")}, machine(runner(fine), nil))
	var names []string
	for _, c := range checks {
		names = append(names, c.Name)
		if c.Status != doctor.OK || c.Code != "" || c.Remedy != "" || c.Detail == "" {
			t.Errorf("got %+v", c)
		}
	}
	want := []string{
		"bubblewrap", "version", "options", "optional options", "user namespace", "namespaces", "proc", "dev", "network", "seccomp",
		"nested namespaces", "cve-2026-87766", "landlock", "cgroup",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if !doctor.Usable(checks) {
		t.Error("not usable")
	}
}

// TestCommands holds what is started: each time a sandbox without capabilities
// that sees everything read-only, with no environment.
func TestCommands(t *testing.T) {
	t.Parallel()
	var got []string
	m := machine(runner(func(c host.Command) (host.Output, error) {
		if c.Path != "/usr/bin/bwrap" || c.Env != nil {
			t.Errorf("got the command %+v", c)
		}
		got = append(got, strings.Join(c.Args, " "))
		return fine(c)
	}), nil)
	doctor.Run(t.Context(), host.Facts{OS: "linux", Arch: "arm64", Bwrap: bwrap("0.12.0")}, m)
	const before, after = "--unshare-user --cap-drop ALL --ro-bind / / ", "-- /usr/bin/bwrap --version"
	want := []string{
		before + after,
		before + "--unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try " + after,
		before + "--unshare-pid --proc /proc " + after,
		before + "--dev /dev " + after,
		before + "--unshare-net " + after,
		before + "--seccomp 3 " + after,
		before + "--seccomp 3 " + after,
		before + "--disable-userns " + after,
		before + "--bind /t/x/root /t/x/root --tmpfs /t/x/root/evil/ghost " + after,
		before + "--bind /t/x/root /t/x/root --tmpfs /t/x/root/ghost " + after,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestProgram(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		bwrap *host.Bwrap
		want  map[string]doctor.Check
	}{
		{"missing", nil, map[string]doctor.Check{
			"bubblewrap": {
				Status: doctor.Fail, Code: diag.CodeBinaryMissing, Detail: "There is no program bwrap in the absolute directories of PATH.",
				Remedy: `Install the package "bubblewrap": apt install bubblewrap, dnf install bubblewrap, or pacman -S bubblewrap.`,
			},
			"user namespace": {Status: doctor.Unknown, Detail: "Not asked: bubblewrap is missing."},
			"cve-2026-87766": {Status: doctor.Unknown, Detail: "Not asked: bubblewrap is missing."},
		}},
		{"too old", bwrap("0.4.1", "--perms", "--chmod"), map[string]doctor.Check{
			"version": {
				Status: doctor.Fail, Code: diag.CodeVersionTooOld, Detail: "It is bubblewrap 0.4.1; 0.5.0 is the oldest that will do.",
				Remedy: "Install bubblewrap 0.5.0 or newer.",
			},
			"options": {
				Status: doctor.Fail, Code: diag.CodeFeatureMissing, Detail: "bwrap --help does not list --perms, --chmod.",
				Remedy: "Install bubblewrap 0.5.0 or newer.",
			},
		}},
		{"old, with the options of a newer one", bwrap("0.4.1"), map[string]doctor.Check{
			"version": {Status: doctor.OK, Detail: "It is bubblewrap 0.4.1."},
			"options": {Status: doctor.OK, Detail: "It has every option that is needed."},
		}},
		{"new, without an option", bwrap("0.12.0", "--seccomp"), map[string]doctor.Check{
			"version": {Status: doctor.OK, Detail: "It is bubblewrap 0.12.0."},
			"options": {
				Status: doctor.Fail, Code: diag.CodeFeatureMissing, Detail: "bwrap --help does not list --seccomp.",
				Remedy: "Install bubblewrap 0.5.0 or newer.",
			},
		}},
		{"without version", bwrap(""), map[string]doctor.Check{
			"version": {
				Status: doctor.Warn, Code: diag.CodeVersionTooOld, Detail: "/usr/bin/bwrap --version does not say which bubblewrap it is.",
				Remedy: "Install bubblewrap 0.5.0 or newer.",
			},
		}},
		{"without any answer", &host.Bwrap{Path: "/usr/bin/bwrap"}, map[string]doctor.Check{
			"version": {
				Status: doctor.Fail, Code: diag.CodeStartFailed, Detail: "/usr/bin/bwrap answers neither --version nor --help.",
				Remedy: "See what it prints, and install bubblewrap again.",
			},
		}},
		{"without optional options", bwrap("0.6.0", "--disable-userns", "--size"), map[string]doctor.Check{
			"optional options": {
				Status: doctor.Warn, Code: diag.CodeFeatureMissing,
				Detail: "Without --disable-userns nested user namespaces are refused by the seccomp program alone; without --size a private directory may take half of the memory.",
				Remedy: "Install bubblewrap 0.8.0 or newer.",
			},
			"nested namespaces": {Status: doctor.Unknown, Detail: "Not asked: bubblewrap has no --disable-userns."},
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			checks := doctor.Run(t.Context(), host.Facts{OS: "linux", Arch: "amd64", Bwrap: tt.bwrap}, machine(runner(fine), nil))
			for name, want := range tt.want {
				want.Name = name
				if diff := cmp.Diff(want, named(t, checks, name)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			}
		})
	}
}

// TestMessages holds what the messages of bubblewrap mean that cannot be had
// here; the others are in TestWorsePlaces.
func TestMessages(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, message string
		code          diag.Code
		meaning       string // the first words
		remedy        bool
	}{
		{"apparmor", "bwrap: setting up uid map: Permission denied\n", diag.CodeUsernsDisabled, "AppArmor restricts user namespaces", true},
		{"no rights in the network", "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted", diag.CodeUsernsDisabled, "A network namespace can be made but not set up", true},
		{
			"old wording", "bwrap: No permissions to creating new namespace, likely because the kernel does not allow non-privileged user namespaces.",
			diag.CodeUsernsDisabled, "New namespaces are refused, by a setting", true,
		},
		{"no user namespaces in the kernel", "bwrap: Creating new namespace failed: Invalid argument", diag.CodeUsernsDisabled, "New namespaces are refused.", true},
		{"uid map", "bwrap: setting up uid map: Operation not permitted", diag.CodeUsernsDisabled, "A user namespace can be made but not set up", true},
		{
			"no seccomp", "bwrap: Unable to set up system call filtering as requested: prctl(PR_SET_SECCOMP) reported EINVAL. (Hint: this requires a kernel configured with CONFIG_SECCOMP and CONFIG_SECCOMP_FILTER.)",
			diag.CodeSeccompMissing, "The kernel takes no seccomp program", true,
		},
		{"unknown option", "bwrap: Unknown option --perms", diag.CodeFeatureMissing, "bubblewrap does not know an option", true},
		{"capabilities", "bwrap: Unexpected capabilities but not setuid, old file caps config?", diag.CodeStartFailed, "This process has capabilities without being root", true},
		{"initramfs", "bwrap: pivot_root: Invalid argument", diag.CodeStartFailed, "The root directory is no mount of its own", true},
		{"anything else", "bwrap: out of cheese\nredo from start", diag.CodeStartFailed, `The sandbox does not start. It said "bwrap: out of cheese".`, false},
		{"nothing", "", diag.CodeStartFailed, "The sandbox does not start. It ended with status 1 and said nothing.", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			checks := doctor.Run(t.Context(), host.Facts{OS: "linux", Arch: "amd64", Bwrap: bwrap("0.12.0")}, machine(failing("--unshare-user", tt.message), nil))
			got := named(t, checks, "user namespace")
			if got.Status != doctor.Fail || got.Code != tt.code || !strings.HasPrefix(got.Detail, tt.meaning) || (got.Remedy != "") != tt.remedy {
				t.Errorf("got %+v", got)
			}
			if next := named(t, checks, "seccomp"); next.Status != doctor.Unknown || next.Detail != "Not asked: a user namespace is needed." {
				t.Errorf("what follows: got %+v", next)
			}
			if doctor.Usable(checks) {
				t.Error("usable")
			}
		})
	}
}

func TestCannotBeStarted(t *testing.T) {
	t.Parallel()
	m := machine(runner(func(host.Command) (host.Output, error) { return host.Output{}, errors.New("did not end in time") }), nil)
	got := named(t, doctor.Run(t.Context(), host.Facts{OS: "linux", Bwrap: bwrap("0.12.0")}, m), "user namespace")
	want := doctor.Check{Name: "user namespace", Status: doctor.Fail, Code: diag.CodeStartFailed, Detail: "bubblewrap cannot be started: did not end in time."}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

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

func TestDarwin(t *testing.T) {
	t.Parallel()
	holds := runner(func(c host.Command) (host.Output, error) {
		if c.Path != "/usr/bin/sandbox-exec" || len(c.Args) != 3 || c.Args[0] != "-p" || c.Args[2] != "/usr/bin/true" {
			t.Errorf("got the command %+v", c)
		}
		if strings.Contains(c.Args[1], "deny process-exec") {
			return host.Output{Code: 71, Stderr: []byte("sandbox-exec: execvp() of '/usr/bin/true' failed: Operation not permitted\n")}, nil
		}
		return host.Output{}, nil
	})
	says := func(out host.Output, err error) runner {
		return func(host.Command) (host.Output, error) { return out, err }
	}
	for _, tt := range []struct {
		name   string
		runner runner
		want   doctor.Check
	}{
		{"holds", holds, doctor.Check{Status: doctor.OK, Detail: "A profile loads and holds."}},
		{"does not hold", says(host.Output{}, nil), doctor.Check{
			Status: doctor.Fail, Code: diag.CodeStartFailed,
			Detail: "A profile loads but does not hold: it denies to start programs, and one started.",
		}},
		{"inside another", says(host.Output{Code: 71, Stderr: []byte("sandbox-exec: sandbox_apply: Operation not permitted\n")}, nil), doctor.Check{
			Status: doctor.Fail, Code: diag.CodeStartFailed,
			Detail: `A profile does not load. It said "sandbox-exec: sandbox_apply: Operation not permitted".`,
			Remedy: "Start sbc outside of the sandbox that it is in: profiles do not nest.",
		}},
		{"does not load", says(host.Output{Code: 65, Stderr: []byte("version error")}, nil), doctor.Check{
			Status: doctor.Fail, Code: diag.CodeStartFailed, Detail: `A profile does not load. It said "version error".`,
		}},
		{"does not start", says(host.Output{}, errors.New("did not end in time")), doctor.Check{
			Status: doctor.Fail, Code: diag.CodeStartFailed, Detail: "/usr/bin/sandbox-exec cannot be started: did not end in time.",
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			checks := doctor.Run(t.Context(), host.Facts{OS: "darwin"}, machine(tt.runner, nil))
			if first := named(t, checks, "sandbox-exec"); first.Status != doctor.OK {
				t.Errorf("got %+v", first)
			}
			tt.want.Name = "profile"
			if diff := cmp.Diff(tt.want, named(t, checks, "profile")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestDarwinWithoutProgram(t *testing.T) {
	t.Parallel()
	m := machine(runner(fine), nil)
	m.Sources.View = host.Empty{}
	want := []doctor.Check{
		{
			Name: "sandbox-exec", Status: doctor.Fail, Code: diag.CodeBinaryMissing, Detail: "There is no /usr/bin/sandbox-exec.",
			Remedy: "It is a part of macOS: run sbc on macOS 13 or newer.",
		},
		{Name: "profile", Status: doctor.Unknown, Detail: "Not asked: sandbox-exec is missing."},
	}
	if diff := cmp.Diff(want, doctor.Run(t.Context(), host.Facts{OS: "darwin"}, m)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOtherSystem(t *testing.T) {
	t.Parallel()
	got := doctor.Run(t.Context(), host.Facts{OS: "plan9"}, doctor.Machine{})
	if len(got) != 1 || got[0].Code != diag.CodeHostUnsupported || doctor.Usable(got) || got[0].Detail != "Sandboxes run on Linux and macOS; this is plan9." {
		t.Errorf("got %+v", got)
	}
}

func TestJSONKeys(t *testing.T) {
	t.Parallel()
	got, err := json.Marshal(doctor.Check{Name: "n", Status: doctor.Warn, Code: diag.CodeCgroup, Detail: "d", Remedy: "r"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(`{"name":"n","status":"warn","code":"SBC4009","detail":"d","remedy":"r"}`, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
