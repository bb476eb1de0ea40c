package supervise_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sandboxc/sbc/enforce/launch"
	"github.com/sandboxc/sbc/enforce/supervise"
	"github.com/sandboxc/sbc/enforce/trace"
	"github.com/sandboxc/sbc/internal/program"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target/bwrap"
	"github.com/sandboxc/sbc/target/bwrap/seccomp"
)

// job is what a launcher in a process of its own is to do, as JSON.
type job struct {
	Command  []string
	Dir      string
	Writable []string
	Mounts   []bwrap.Mount
	// Supervised is set if names are decided about: those of Closed are.
	Supervised bool
	Closed     []string // last components that are closed
	Beneath    []string // paths beneath which everything is closed
	Opens      bool
	Removals   bool
	Sockets    bool
	Permit     bool // with a seccomp program that permits everything
	Wall       time.Duration
	Repeat     int // run it that many times, and print how long each took
}

// result is what the launcher says in the end.
type result struct {
	Code    int
	Records []trace.Record
	Error   string
	Took    time.Duration
}

// The roles of the test executable.
const (
	jobVariable   = "SBC_SUPERVISE_JOB"
	probeVariable = "SBC_SUPERVISE_PROBE"
)

var scratch string

func TestMain(m *testing.M) {
	if text := os.Getenv(jobVariable); text != "" {
		os.Exit(launcher(text))
	}
	if text := os.Getenv(probeVariable); text != "" {
		os.Exit(probe(text))
	}
	dir, err := os.MkdirTemp("/srv", "sbc-supervise")
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	if err == nil {
		scratch = dir
		err = copySelf()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

func self() string { return filepath.Join(scratch, "self") }

func copySelf() error {
	name, err := os.Executable()
	if err != nil {
		return err
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	return program.Write(self(), text)
}

// rules are what a test closes.
type rules struct{ closed, beneath []string }

func (r rules) Decide(_ ir.Op, p string, _ bool) bool {
	for _, b := range r.beneath {
		if ir.Beneath(p, b) {
			return false
		}
	}
	return !slices.Contains(r.closed, path.Base(p))
}

// Carries is true where a directory comes to or from something closed.
func (r rules) Carries(from, to string) bool {
	for _, b := range r.beneath {
		if ir.Beneath(to, path.Dir(b)) || ir.Beneath(from, path.Dir(b)) {
			return true
		}
	}
	return false
}

func launcher(text string) int {
	var j job
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	arch, _ := seccomp.ArchOf(runtime.GOARCH)
	plan := bwrap.Plan{
		NewSession: true, DisableUserns: true,
		Mounts: []bwrap.Mount{
			{Kind: bwrap.ReadOnlyBind, Path: "/"},
			{Kind: bwrap.PrivateDev, Path: "/dev"},
			{Kind: bwrap.PrivateProc, Path: "/proc"},
		},
	}
	for _, dir := range j.Writable {
		plan.Mounts = append(plan.Mounts, bwrap.Mount{Kind: bwrap.WritableBind, Path: dir})
	}
	for _, m := range j.Mounts {
		if m.Kind == bwrap.ClosedFile {
			m.FD = bwrap.MaskFD + plan.Masks
			plan.Masks++
		}
		plan.Mounts = append(plan.Mounts, m)
	}
	filter := seccomp.Build(arch, seccomp.Options{UnixSockets: j.Sockets}).Encode()
	if j.Permit {
		filter = []byte{6, 0, 0, 0, 0, 0, 0xff, 0x7f} // SECCOMP_RET_ALLOW
	}
	spec := &launch.Spec{
		Artifact: &bwrap.Artifact{Plan: plan, Seccomp: filter},
		Bwrap:    "/usr/bin/bwrap",
		Command:  j.Command, Env: []string{"PATH=/usr/bin:/bin", probeVariable + "=" + strings.Join(j.Command[1:], " ")}, Dir: j.Dir,
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Wall: j.Wall, Grace: time.Second,
	}
	if j.Supervised {
		spec.Supervise = &supervise.Config{
			Names: rules{j.Closed, j.Beneath}, Opens: j.Opens, Removals: j.Removals, Sockets: j.Sockets,
		}
	}
	var out result
	if j.Repeat > 0 {
		var times []time.Duration
		for range j.Repeat {
			start := time.Now()
			if _, err := launch.Run(context.Background(), spec); err != nil {
				fmt.Fprintln(os.Stderr, err)
				return 1
			}
			times = append(times, time.Since(start))
		}
		if err := json.NewEncoder(os.Stdout).Encode(times); err != nil {
			return 1
		}
	}
	res, err := launch.Run(context.Background(), spec)
	if err != nil {
		out.Error = err.Error()
	} else {
		out.Code, out.Records, out.Took = res.Code, res.Refused, res.Usage.Wall
	}
	data, err := json.Marshal(out)
	if err == nil {
		_, err = os.NewFile(3, "result").Write(data)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

const ordinary = 65534

// asUsers runs a test as root and as an ordinary user, or only as who runs it.
func asUsers(t *testing.T, f func(t *testing.T, uid int)) {
	t.Helper()
	uids := []int{0, ordinary}
	if os.Getuid() != 0 {
		uids = []int{os.Getuid()}
	}
	for _, uid := range uids {
		t.Run("uid "+strconv.Itoa(uid), func(t *testing.T) {
			t.Parallel()
			f(t, uid)
		})
	}
}

// workDir is a directory that belongs to a user.
func workDir(t testing.TB, uid int) string {
	t.Helper()
	dir, err := os.MkdirTemp(scratch, "w")
	if err == nil {
		err = os.Chown(dir, uid, uid)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func command(t testing.TB, uid int, j job) (*exec.Cmd, *os.File) {
	t.Helper()
	text, err := json.Marshal(j)
	if err != nil {
		t.Fatal(err)
	}
	out, err := os.Create(filepath.Join(scratch, fmt.Sprintf("result-%d", time.Now().UnixNano())))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self())
	cmd.Env = []string{jobVariable + "=" + string(text), "GORACE=atexit_sleep_ms=0"}
	cmd.Dir = "/"
	cmd.ExtraFiles = []*os.File{out}
	if uid != os.Getuid() {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}}
	}
	return cmd, out
}

// run runs a command under a launcher and returns what it wrote to stdout.
func run(t testing.TB, uid int, j job) (string, result) {
	t.Helper()
	cmd, out := command(t, uid, j)
	defer func() { _ = out.Close() }()
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v: %s", err, stderr.String())
	}
	data, err := os.ReadFile(out.Name())
	if err != nil {
		t.Fatal(err)
	}
	var res result
	if err := json.Unmarshal(data, &res); err != nil {
		t.Fatalf("%v: %s", err, data)
	}
	if res.Error != "" {
		t.Fatalf("%s: %s", res.Error, stderr.String())
	}
	if s := stderr.String(); s != "" && testing.Verbose() {
		t.Log(s)
	}
	return stdout.String(), res
}

// probing is a job of the test executable inside.
func probing(dir string, args ...string) job {
	return job{Command: append([]string{self()}, args...), Dir: dir, Writable: []string{dir}}
}
