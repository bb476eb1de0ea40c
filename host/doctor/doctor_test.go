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
		host.SeccompActions:                         "kill_thread trap errno user_notif trace log allow\n",
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
	checks := doctor.Run(t.Context(), host.Facts{OS: "linux", Arch: "amd64", Kernel: "5.19.0", Supervise: true, Bwrap: bwrap("0.12.0")}, machine(runner(fine), nil))
	var names []string
	for _, c := range checks {
		names = append(names, c.Name)
		if c.Status != doctor.OK || c.Code != "" || c.Remedy != "" || c.Detail == "" {
			t.Errorf("got %+v", c)
		}
	}
	want := []string{
		"bubblewrap", "version", "options", "optional options", "user namespace", "namespaces", "proc", "dev", "network", "seccomp",
		"nested namespaces", "cve-2026-87766", "supervise", "landlock", "cgroup",
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
