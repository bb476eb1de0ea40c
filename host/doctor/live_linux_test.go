package doctor_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/host/doctor"
	"github.com/sandboxc/sbc/ir/diag"

	"github.com/sandboxc/sbc/internal/program"
)

// modeEnv makes the test binary print the checks of the place that it runs in,
// after it has made that place worse in the way that is named.
const modeEnv = "SBC_TEST_DOCTOR"

const nobody = 65534

func TestMain(m *testing.M) {
	mode, ok := os.LookupEnv(modeEnv)
	if !ok {
		os.Exit(m.Run())
	}
	if err := prepare(mode); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	ctx := context.Background()
	sources := host.LiveSources(os.Getenv)
	facts, err := host.Probe(ctx, sources)
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(doctor.Run(ctx, facts, doctor.LiveMachine(sources)))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// prepare makes the place of this process worse.
func prepare(mode string) error {
	switch mode {
	case "":
		return nil
	case "no namespaces": // in a user namespace of its own
		return os.WriteFile("/proc/sys/user/max_user_namespaces", []byte("0"), 0)
	case "landlock":
		return underLandlock()
	}
	return fmt.Errorf("unknown mode %q", mode)
}

// underLandlock starts this program again with a Landlock ruleset that handles
// the making of sockets and permits it nowhere.
func underLandlock() error {
	runtime.LockOSThread() // both belong to the thread, and exec takes them along
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	attr := struct{ handled uint64 }{unix.LANDLOCK_ACCESS_FS_MAKE_SOCK}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0) //nolint:gosec // G103: x/sys has no wrapper
	if errno != 0 {
		return errno
	}
	if _, _, errno = unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); errno != 0 {
		return errno
	}
	if err := os.Setenv(modeEnv, ""); err != nil {
		return err
	}
	return unix.Exec("/proc/self/exe", os.Args, os.Environ())
}

// place is where the checks run: how the test binary is started there.
type place struct {
	mode    string
	outer   []string // arguments of a bubblewrap to start it in
	seccomp []byte   // its seccomp program
	attr    *syscall.SysProcAttr
	user    bool // as an ordinary user, not as whoever runs the tests
}

// checks runs the checks in a place, by name.
func (p place) checks(t *testing.T) map[string]doctor.Check {
	t.Helper()
	dir := t.TempDir()
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil { // an ordinary user comes through
		t.Fatal(err)
	}
	bin := filepath.Join(dir, "test")
	copyFile(t, "/proc/self/exe", bin)
	argv := []string{bin}
	if p.outer != nil {
		argv = slices.Concat([]string{"bwrap"}, p.outer, []string{"--", bin})
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = "/"
	cmd.Env = append(os.Environ(), modeEnv+"="+p.mode, "HOME="+dir, "TMPDIR="+dir)
	cmd.SysProcAttr = p.attr
	if p.user && os.Getuid() == 0 {
		if err := os.Chown(dir, nobody, nobody); err != nil {
			t.Fatal(err)
		}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	if p.seccomp != nil {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(p.seccomp); err != nil {
			t.Fatal(err)
		}
		_ = w.Close()
		defer func() { _ = r.Close() }()
		cmd.ExtraFiles = []*os.File{r}
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr.Bytes())
	}
	var list []doctor.Check
	if err := json.Unmarshal(out, &list); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	left, err := filepath.Glob(dir + "/sbc-doctor-*")
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %q, %v", left, err)
	}
	byName := map[string]doctor.Check{}
	for _, c := range list {
		byName[c.Name] = c
	}
	return byName
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err == nil {
		err = program.Write(to, text)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// outcome is the part of a check that a test names.
type outcome struct {
	Status doctor.Status
	Code   diag.Code
}

func outcomes(checks map[string]doctor.Check, names ...string) map[string]outcome {
	got := map[string]outcome{}
	for _, n := range names {
		got[n] = outcome{checks[n].Status, checks[n].Code}
	}
	return got
}

// TestThisMachine runs every check where the tests run, which can make
// sandboxes, as root and as an ordinary user.
func TestThisMachine(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		at   place
	}{{"as it is", place{}}, {"user", place{user: true}}} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			checks := tt.at.checks(t)
			names := []string{"bubblewrap", "version", "options", "user namespace", "namespaces", "proc", "dev", "network", "seccomp", "nested namespaces"}
			want := map[string]outcome{}
			for _, n := range names {
				want[n] = outcome{Status: doctor.OK}
			}
			if diff := cmp.Diff(want, outcomes(checks, names...)); diff != "" {
				t.Errorf("(-want +got):\n%s\n%+v", diff, checks)
			}
			if abi := checks["landlock"]; abi.Status == doctor.OK && !strings.Contains(abi.Detail, "version ") {
				t.Errorf("landlock: %+v", abi)
			}
		})
	}
}

// TestKnownCVE holds the trial of the vulnerability to what this bubblewrap does
// when it is really attacked: a directory appears outside, or it does not.
func TestKnownCVE(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(dir+"/root", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/oldroot"+dir, dir+"/root/evil"); err != nil {
		t.Fatal(err)
	}
	_ = exec.Command("bwrap", "--ro-bind", "/", "/", "--bind", dir+"/root", dir+"/root", "--tmpfs", dir+"/root/evil/ghost", "--", "/bin/true").Run()
	_, err := os.Lstat(dir + "/ghost")
	vulnerable := err == nil

	for _, user := range []bool{false, true} {
		c := place{user: user}.checks(t)["cve-2026-87766"]
		want := outcome{Status: doctor.OK}
		if vulnerable {
			want = outcome{doctor.Warn, diag.CodeKnownCVE}
		}
		if diff := cmp.Diff(want, outcome{c.Status, c.Code}); diff != "" {
			t.Errorf("user %t (-want +got):\n%s\n%+v", user, diff, c)
		}
		if strings.Contains(c.Detail, "could not be tried") {
			t.Errorf("it was not tried: %+v", c)
		}
	}
}

// TestWorsePlaces starts the real bubblewrap where it cannot work.
func TestWorsePlaces(t *testing.T) {
	t.Parallel()
	ownNamespace := &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	everything := []string{"--unshare-user", "--dev-bind", "/", "/"}
	for _, tt := range []struct {
		name   string
		at     place
		check  string
		status doctor.Status
		code   diag.Code
		said   string
	}{
		{
			name: "no user namespaces left", at: place{mode: "no namespaces", attr: ownNamespace},
			check: "user namespace", status: doctor.Fail, code: diag.CodeUsernsDisabled, said: "user.max_user_namespaces is 0.",
		},
		{
			name: "user namespaces turned off", at: place{outer: append(everything, "--disable-userns")},
			check: "user namespace", status: doctor.Fail, code: diag.CodeUsernsDisabled, said: "max_*_namespaces exceeded",
		},
		{
			name: "unshare and clone refused", at: place{outer: append(everything, "--seccomp", "3"), seccomp: refuseNamespaces(t)},
			check: "user namespace", status: doctor.Fail, code: diag.CodeUsernsDisabled, said: "No permissions to creat",
		},
		{
			name: "read-only proc", at: place{outer: append(everything, "--ro-bind", "/proc", "/proc")},
			check: "user namespace", status: doctor.Fail, code: diag.CodeProcRestricted, said: "setting up uid map: Read-only file system",
		},
		{
			name: "hidden proc", at: place{outer: append(everything, "--unshare-pid", "--proc", "/proc", "--ro-bind", "/dev/null", "/proc/keys")},
			check: "proc", status: doctor.Fail, code: diag.CodeProcRestricted, said: "Can't mount proc on",
		},
		{
			name: "hidden proc, the rest works", at: place{outer: append(everything, "--unshare-pid", "--proc", "/proc", "--ro-bind", "/dev/null", "/proc/keys")},
			check: "seccomp", status: doctor.OK, said: "System calls can be filtered.",
		},
		{
			name: "read-only proc/sys", at: place{outer: append(everything, "--ro-bind", "/proc/sys", "/proc/sys")},
			check: "nested namespaces", status: doctor.Fail, code: diag.CodeProcRestricted, said: "Read-only file system",
		},
		{
			name: "landlock", at: place{mode: "landlock"},
			check: "user namespace", status: doctor.Fail, code: diag.CodeStartFailed, said: "Failed to make / slave: Operation not permitted",
		},
		{
			name: "landlock, what follows", at: place{mode: "landlock"},
			check: "network", status: doctor.Unknown, said: "Not asked: a user namespace is needed.",
		},
		{
			name: "no bubblewrap", at: place{outer: append(everything, "--setenv", "PATH", "/nonexistent")},
			check: "bubblewrap", status: doctor.Fail, code: diag.CodeBinaryMissing, said: "no program bwrap",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			checks := tt.at.checks(t)
			got := checks[tt.check]
			if diff := cmp.Diff(outcome{tt.status, tt.code}, outcome{got.Status, got.Code}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if !strings.Contains(got.Detail, tt.said) {
				t.Errorf("%q does not hold %q", got.Detail, tt.said)
			}
			if (got.Status == doctor.Fail) != (got.Remedy != "") {
				t.Errorf("the remedy is %q", got.Remedy)
			}
			if t.Failed() {
				t.Logf("%+v", checks)
			}
		})
	}
}

// refuseNamespaces is a seccomp program that answers EPERM to unshare, and to
// clone with flags for namespaces, as container runtimes do.
func refuseNamespaces(t *testing.T) []byte {
	t.Helper()
	const (
		load, equal, set, ret = 0x20, 0x15, 0x45, 0x06
		allow, refuse         = 0x7fff0000, 0x00050001
		namespaces            = 0x7e020000
		arguments             = 16 // of struct seccomp_data
	)
	var out []byte
	for _, i := range []unix.SockFilter{
		{Code: load, K: 0},
		{Code: equal, Jf: 0, Jt: 4, K: unix.SYS_UNSHARE},
		{Code: equal, Jf: 2, K: unix.SYS_CLONE},
		{Code: load, K: arguments},
		{Code: set, Jt: 1, K: namespaces},
		{Code: ret, K: allow},
		{Code: ret, K: refuse},
	} {
		out = binary.NativeEndian.AppendUint16(out, i.Code)
		out = append(out, i.Jt, i.Jf)
		out = binary.NativeEndian.AppendUint32(out, i.K)
	}
	return out
}
