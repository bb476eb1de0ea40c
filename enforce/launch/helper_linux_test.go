package launch_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/sandboxc/sbc/enforce/cover"
	"github.com/sandboxc/sbc/enforce/launch"
	"github.com/sandboxc/sbc/enforce/limits"
	"github.com/sandboxc/sbc/internal/program"
	"github.com/sandboxc/sbc/target/bwrap"
	"github.com/sandboxc/sbc/target/bwrap/seccomp"
)

// ordinary is the user that the tests act as besides root.
const ordinary = 65534

// users returns who to run as: root and an ordinary user, or only the one who
// runs the tests.
func users() []int {
	if os.Getuid() == 0 {
		return []int{0, ordinary}
	}
	return []int{os.Getuid()}
}

func asUsers(t *testing.T, f func(t *testing.T, uid int)) {
	t.Helper()
	for _, uid := range users() {
		t.Run("uid "+strconv.Itoa(uid), func(t *testing.T) {
			t.Parallel()
			f(t, uid)
		})
	}
}

// job is what a launcher in a process of its own is to do, as JSON.
type job struct {
	Command   []string
	Env       []string
	Dir       string
	Terminal  bool // the command keeps the terminal on stdin
	Bare      bool // without a session of its own, as a control
	NoSeccomp bool // with a seccomp program that permits everything, as a control
	Masks     []string
	Writable  []string
	Missing   string   // a path to bind that is not there
	Held      string   // "fail", "file PATH"
	Closing   *closing // closed files and directories, covered by a helper
	Attach    bool
	NoTrace   bool // the launcher may not use ptrace
	Limits    limits.Set
	Wall      time.Duration
	Grace     time.Duration
	Repeat    int  // how often it is done, besides the first time
	Census    bool // say what the launcher holds after the first time and in the end
}

// outcome is what the launcher says in the end, as JSON.
type outcome struct {
	Result *launch.Result
	Error  string
	Kind   string // the error's type
	Is     string // "missing", "permission"

	Before, After string // see job.Census
	Times         []time.Duration
}

// jobVariable holds the job, and resultVariable the path for the outcome. With
// them the test executable is the launcher.
const (
	jobVariable    = "SBC_LAUNCH_JOB"
	resultVariable = "SBC_LAUNCH_RESULT"
)

// scratch holds what all tests share; it is removed in the end.
var scratch string

func TestMain(m *testing.M) {
	cover.Main()
	if dir := os.Getenv(escapeVariable); dir != "" {
		os.Exit(escape(dir))
	}
	if text := os.Getenv(jobVariable); text != "" {
		os.Exit(launcher(text))
	}
	dir, err := os.MkdirTemp("", "sbc-launch")
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

// copySelf puts the test executable where every user can start it.
func copySelf() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	text, err := os.ReadFile(self)
	if err != nil {
		return err
	}
	return program.Write(filepath.Join(scratch, "launcher"), text)
}

// launcher does a job and writes the outcome.
func launcher(text string) int {
	var j job
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	spec := j.spec()
	spec.Stdin, spec.Stdout, spec.Stderr = os.Stdin, os.Stdout, os.Stderr
	err := error(nil)
	if j.NoTrace {
		err = closeTrace()
	}
	if j.Closing != nil {
		err = errors.Join(err, j.Closing.arrange(spec))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	var out outcome
	before := census() // the first use of it opens descriptors that stay
	var times []time.Duration
	for i := range 1 + j.Repeat {
		start := time.Now()
		res, err := launch.Run(context.Background(), spec)
		times = append(times, time.Since(start))
		out = describe(res, err)
		if i == 0 && j.Census {
			before = census()
		}
	}
	if j.Closing != nil {
		out.Times = times
	}
	if j.Census {
		out.Before, out.After = before, census()
	}
	data, err := json.Marshal(out)
	if err == nil {
		err = os.WriteFile(os.Getenv(resultVariable), data, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// closeTrace makes ptrace(2) fail with EPERM in all threads of this process.
func closeTrace() error {
	return refuse([]unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: 0}, // the number of the call
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_PTRACE, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	})
}

// refuse loads a seccomp program for all threads of this process.
func refuse(filter []unix.SockFilter) error {
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	//nolint:gosec // G103: the call takes an address
	if _, _, e := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&program))); e != 0 {
		return e
	}
	return nil
}

// census lists what this process holds: open descriptors and children.
func census() string {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return err.Error()
	}
	tasks, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		return err.Error()
	}
	children := ""
	for _, name := range tasks {
		text, _ := os.ReadFile(name) // a thread may have ended
		children += string(text)
	}
	return fmt.Sprintf("%d descriptors, children [%s]", len(entries), children)
}

func describe(res *launch.Result, err error) outcome {
	out := outcome{Result: res}
	if err != nil {
		out.Error, out.Kind = err.Error(), fmt.Sprintf("%T", err)
	}
	switch {
	case errors.Is(err, os.ErrNotExist):
		out.Is = "missing"
	case errors.Is(err, os.ErrPermission):
		out.Is = "permission"
	}
	return out
}

// permitAll is a seccomp program that permits everything: return SECCOMP_RET_ALLOW.
var permitAll = []byte{6, 0, 0, 0, 0, 0, 0xff, 0x7f}

func (j *job) spec() *launch.Spec {
	arch, ok := seccomp.ArchOf(runtime.GOARCH)
	if !ok {
		panic("no seccomp program for " + runtime.GOARCH)
	}
	filter := seccomp.Build(arch, seccomp.Options{}).Encode()
	if j.NoSeccomp {
		filter = permitAll
	}
	plan := bwrap.Plan{
		NewSession: !j.Terminal, DisableUserns: true,
		Mounts: []bwrap.Mount{
			{Kind: bwrap.ReadOnlyBind, Path: "/"},
			{Kind: bwrap.PrivateDev, Path: "/dev"},
			{Kind: bwrap.PrivateProc, Path: "/proc"},
		},
	}
	if j.Missing != "" {
		plan.Mounts = append(plan.Mounts, bwrap.Mount{Kind: bwrap.ReadOnlyBind, Path: j.Missing})
	}
	for _, dir := range j.Writable {
		plan.Mounts = append(plan.Mounts, bwrap.Mount{Kind: bwrap.WritableBind, Path: dir})
	}
	j.Closing.close(&plan)
	for i, path := range j.Masks {
		plan.Mounts = append(plan.Mounts, bwrap.Mount{Kind: bwrap.ClosedFile, Path: path, FD: bwrap.MaskFD + i})
		plan.Masks++
	}
	spec := &launch.Spec{
		Artifact: &bwrap.Artifact{Plan: plan, Seccomp: filter},
		Bwrap:    "/usr/bin/bwrap",
		Command:  j.Command, Env: j.Env, Dir: j.Dir,
		Limits: j.Limits.Rlimits(false), Wall: j.Wall, Grace: j.Grace,
		Held: j.held(), Attach: j.Attach,
	}
	if j.Terminal {
		spec.Terminal = os.Stdin
	}
	return spec
}

// process is a launcher that runs.
type process struct {
	*exec.Cmd
	result string
}

// prepare makes a launcher for a job, as a user. The command has PATH and nothing else.
func prepare(t testing.TB, uid int, j job) *process {
	t.Helper()
	dir := workDir(t, uid)
	if j.Env == nil {
		j.Env = []string{"PATH=/usr/bin:/bin"}
	}
	text, err := json.Marshal(j)
	if err != nil {
		t.Fatal(err)
	}
	p := &process{Cmd: exec.Command(filepath.Join(scratch, "launcher")), result: filepath.Join(dir, "result")}
	p.Env = []string{jobVariable + "=" + string(text), resultVariable + "=" + p.result, "SECRET=of the launcher", "GORACE=atexit_sleep_ms=0"}
	p.Dir = "/"
	p.SysProcAttr = &syscall.SysProcAttr{}
	if uid != os.Getuid() {
		p.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}
	}
	return p
}

// outcome reads what the launcher said, after its end.
func (p *process) outcome(t testing.TB) outcome {
	t.Helper()
	data, err := os.ReadFile(p.result)
	if err != nil {
		t.Fatalf("the launcher has no result: %v; its status: %v", err, p.ProcessState)
	}
	var out outcome
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// workDir returns an empty directory that is a user's own.
func workDir(t testing.TB, uid int) string {
	t.Helper()
	dir, err := os.MkdirTemp(scratch, "run")
	if err == nil {
		err = os.Chown(dir, uid, uid)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// run does a job to its end and returns what the command printed on both streams.
func run(t *testing.T, uid int, j job) (string, outcome) {
	t.Helper()
	p := prepare(t, uid, j)
	text, err := p.CombinedOutput()
	if err != nil {
		t.Fatalf("the launcher: %v, %s", err, text)
	}
	return string(text), p.outcome(t)
}

// sh is a command line for a shell.
func sh(line string) []string { return []string{"/bin/sh", "-c", line} }

// certain reports whether the kernel tells an exit status from a signal.
func certain(t *testing.T) bool {
	t.Helper()
	var u unix.Utsname
	if err := unix.Uname(&u); err != nil {
		t.Fatal(err)
	}
	return limits.Newer(unix.ByteSliceToString(u.Release[:]), 6, 15)
}
