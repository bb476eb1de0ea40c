package trace_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sandboxc/sbc/enforce/trace"
	"github.com/sandboxc/sbc/internal/program"
	"github.com/sandboxc/sbc/target/bwrap/seccomp"
)

// ordinary is the user that the tests act as besides root.
const ordinary = 65534

// workerVar makes this binary a launcher: it reads a job from its standard input
// and prints the result. So the tracer too runs as an ordinary user.
const workerVar = "SBC_TRACE_WORKER"

// scratch is a directory that every user may pass, with the programs in it.
var scratch string

func TestMain(m *testing.M) {
	if os.Getenv(workerVar) != "" {
		if err := worker(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "sbc-trace-")
	if err == nil {
		defer os.RemoveAll(dir)
		err = os.Chmod(dir, 0o755)
	}
	var exe, out []byte
	if err == nil {
		scratch = dir
		exe, err = os.ReadFile("/proc/self/exe")
	}
	if err == nil {
		err = program.Write(filepath.Join(dir, "worker"), exe)
	}
	if err == nil {
		build := exec.Command("go", "build", "-o", filepath.Join(dir, "probe"), "./testdata/probe")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err = build.CombinedOutput(); err != nil {
			err = fmt.Errorf("%w: %s", err, out)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "cannot set up:", err)
		return 1
	}
	return m.Run()
}

// users returns who to run as: root and an ordinary user, or only the one who
// runs the tests.
func users() []int {
	if os.Getuid() == 0 {
		return []int{0, ordinary}
	}
	return []int{os.Getuid()}
}

// job is one run of bwrap.
type job struct {
	Args    []string // for bwrap, beyond the ones that every job has
	Command []string
	Max     int
	Missing []string // these paths, and what lies beneath
	Unix    bool     // unix sockets are permitted
	Blind   bool     // nobody traces
	Plain   bool     // the filter stops nothing, and nobody traces
}

// result is what became of it.
type result struct {
	Out, Err string
	Exit     int
	Child    int // process 1 of the sandbox, by its number on the host
	Records  []trace.Record
	Lost     trace.Lost
	Broken   string // the error of the trace
}

// launch starts a worker of a user. Closing in makes it start the job.
func launch(t *testing.T, uid int) (cmd *exec.Cmd, in io.WriteCloser, out *bytes.Buffer) {
	t.Helper()
	cmd = exec.CommandContext(t.Context(), filepath.Join(scratch, "worker"))
	cmd.Env = []string{workerVar + "=1", "PATH=/usr/local/bin:/usr/bin:/bin", "GORACE=atexit_sleep_ms=0"}
	cmd.Dir = scratch
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	if uid != os.Getuid() {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(uid)}
	}
	out = new(bytes.Buffer)
	cmd.Stdout, cmd.Stderr = out, out
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.WaitDelay = 5 * time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, in, out
}

// run runs a job as a user.
func (j job) run(t *testing.T, uid int) result {
	t.Helper()
	cmd, in, out := launch(t, uid)
	if err := json.NewEncoder(in).Encode(j); err != nil {
		t.Fatal(err)
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	var r result
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return r
}

func worker(in io.Reader, out io.Writer) error {
	var j job
	if err := json.NewDecoder(in).Decode(&j); err != nil {
		return err
	}
	r, err := j.start()
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(r)
}

// start is what a launcher does.
func (j job) start() (*result, error) {
	arch, _ := seccomp.ArchOf(runtime.GOARCH)
	filter, err := unix.MemfdCreate("filter", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	file := os.NewFile(uintptr(filter), "filter")
	if _, err := file.Write(seccomp.Build(arch, seccomp.Options{Trace: !j.Plain, UnixSockets: j.Unix}).Encode()); err != nil {
		return nil, err
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	statusR, statusW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer statusR.Close() // bwrap writes the exit status at the end
	blockR, blockW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	args := []string{
		"--json-status-fd", "3", "--block-fd", "4", "--seccomp", "5", "--unshare-user", "--unshare-pid", "--unshare-net", "--cap-drop", "ALL",
		"--disable-userns", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc",
	}
	cmd := exec.Command("bwrap", append(append(args, j.Args...), j.Command...)...)
	cmd.ExtraFiles = []*os.File{statusW, blockR, file}
	cmd.Env = []string{"PATH=/usr/bin:/bin"}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	statusW.Close()
	blockR.Close()
	var status struct {
		Child int `json:"child-pid"`
	}
	if err := json.NewDecoder(statusR).Decode(&status); err != nil {
		return nil, fmt.Errorf("%w: %s", err, &errs)
	}
	r := &result{Child: status.Child}
	var tr *trace.Trace
	if !j.Blind && !j.Plain {
		o := trace.Options{Max: j.Max}
		if len(j.Missing) > 0 {
			o.Missing = func(path string) bool {
				for _, m := range j.Missing {
					if path == m || strings.HasPrefix(path, m+"/") {
						return true
					}
				}
				return false
			}
		}
		if tr, err = trace.Attach(status.Child, o); err != nil {
			return nil, err
		}
	}
	if _, err := blockW.Write([]byte{0}); err != nil {
		return nil, err
	}
	blockW.Close()
	err = cmd.Wait()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	r.Exit, r.Out, r.Err = cmd.ProcessState.ExitCode(), out.String(), errs.String()
	if tr != nil {
		if err := tr.Wait(); err != nil {
			r.Broken = err.Error()
		}
		r.Records, r.Lost = tr.Records(), tr.Lost()
	}
	return r, nil
}
