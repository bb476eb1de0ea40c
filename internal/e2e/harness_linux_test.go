package e2e_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// userName is the ordinary user that the tests make.
const userName = "sbc-e2e"

// env is what all tests share: the built sbc and the users to test as.
type environment struct {
	sbc   string
	base  string // a directory that everyone may pass, outside temporary directories
	users []account
}

// account is a user to run as.
type account struct {
	name     string
	uid, gid int
}

var shared environment

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	if err := setUp(); err != nil {
		fmt.Fprintln(os.Stderr, "cannot set up:", err)
		return 1
	}
	defer os.RemoveAll(shared.base)
	return m.Run()
}

func setUp() error {
	if _, err := exec.LookPath("bwrap"); err != nil {
		return errors.New("bubblewrap is missing; install it (apt-get install bubblewrap)")
	}
	parent := "/srv"
	if os.Getuid() != 0 {
		parent, _ = os.UserHomeDir()
	}
	base, err := os.MkdirTemp(parent, "sbc-e2e-")
	if err != nil {
		return err
	}
	if err := os.Chmod(base, 0o755); err != nil {
		return err
	}
	shared.base, shared.sbc = base, filepath.Join(base, "sbc")
	build := exec.Command("go", "build", "-o", shared.sbc, "github.com/sandboxc/sbc/cmd/sbc")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	shared.users = []account{{name: "self", uid: os.Getuid(), gid: os.Getgid()}}
	if os.Getuid() != 0 {
		return nil
	}
	shared.users[0].name = "root"
	if exec.Command("id", "-u", userName).Run() != nil {
		if out, err := exec.Command("useradd", "--no-create-home", "--user-group", "--shell", "/bin/bash", userName).CombinedOutput(); err != nil {
			return fmt.Errorf("cannot make the user %s: %w: %s", userName, err, out)
		}
	}
	u := account{name: "user"}
	if u.uid, err = number("id", "-u", userName); err != nil {
		return err
	}
	if u.gid, err = number("id", "-g", userName); err != nil {
		return err
	}
	shared.users = append(shared.users, u)
	return nil
}

func number(name string, args ...string) (int, error) {
	out, err := exec.Command(name, args...).Output()
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(strings.TrimSpace(string(out)))
}

// world is a home and a workspace of one user for one test.
type world struct {
	t    *testing.T
	user account
	home string
	work string
}

// each runs a test as every user, in a world of its own.
func each(t *testing.T, f func(t *testing.T, w *world)) {
	t.Helper()
	for _, u := range shared.users {
		t.Run(u.name, func(t *testing.T) {
			t.Parallel()
			dir, err := os.MkdirTemp(shared.base, "w-")
			if err != nil {
				t.Fatal(err)
			}
			w := &world{t: t, user: u, home: filepath.Join(dir, "home"), work: filepath.Join(dir, "home", "work")}
			for _, d := range []string{dir, w.home, w.work} {
				if err := os.MkdirAll(d, 0o755); err != nil {
					t.Fatal(err)
				}
				w.own(d)
			}
			f(t, w)
		})
	}
}

func (w *world) own(path string) {
	w.t.Helper()
	if err := os.Lchown(path, w.user.uid, w.user.gid); err != nil {
		w.t.Fatal(err)
	}
}

// file writes a file of the user, relative to the home directory.
func (w *world) file(name, content string) string {
	w.t.Helper()
	path := filepath.Join(w.home, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		w.t.Fatal(err)
	}
	for p := path; p != w.home; p = filepath.Dir(p) {
		w.own(p)
	}
	return path
}

// result is how a command ended.
type result struct {
	code   int
	stdout string
	stderr string
}

func (r result) String() string {
	return fmt.Sprintf("exit %d\nstdout:\n%s\nstderr:\n%s", r.code, r.stdout, r.stderr)
}

// exec runs a command as the user in the workspace.
func (w *world) exec(name string, args ...string) result {
	w.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = w.work
	cmd.Env = []string{
		"HOME=" + w.home, "PATH=/usr/local/go/bin:/usr/local/bin:/usr/bin:/bin:" + filepath.Join(runtimeGOROOT(), "bin"),
		"USER=" + w.user.name, "LANG=C.UTF-8", "TERM=dumb", "SECRET_TOKEN=s3cret",
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if w.user.uid != os.Getuid() {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(w.user.uid), Gid: uint32(w.user.gid)}
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		w.t.Fatalf("cannot start %s: %v", name, err)
	}
	timer := time.AfterFunc(10*time.Minute, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	defer timer.Stop()
	err := cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		w.t.Fatalf("cannot run %s: %v", name, err)
	}
	return result{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

func runtimeGOROOT() string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "/usr/local/go"
	}
	return strings.TrimSpace(string(out))
}

// compile compiles a policy (a built-in name, or the text of one) to a script.
func (w *world) compile(policy string, flags ...string) (script string, r result) {
	w.t.Helper()
	name := policy
	if strings.Contains(policy, "version") {
		name = w.file("policy.hcl", policy)
	}
	script = filepath.Join(w.home, "run.sh")
	args := append([]string{"compile", name, "--workspace", w.work, "--target", "linux", "--format", "sh", "-o", script}, flags...)
	return script, w.exec(shared.sbc, args...)
}

// must compiles a policy that has to compile.
func (w *world) must(policy string, flags ...string) string {
	w.t.Helper()
	script, r := w.compile(policy, flags...)
	if r.code != 0 {
		w.t.Fatalf("cannot compile: %v", r)
	}
	return script
}

// bash runs a line of bash under a compiled script. Other tests make and remove
// files in /tmp all the time, guarded names among them; where one vanishes while
// bubblewrap starts, the sandbox refuses to start, and the line is run again.
func (w *world) bash(script, line string) result {
	w.t.Helper()
	var r result
	for range 5 {
		r = w.exec("bash", script, "bash", "-c", line)
		if !strings.HasPrefix(r.stderr, "bwrap: Can't ") || !strings.Contains(r.stderr, " /tmp/") {
			break
		}
	}
	return r
}

// permits requires that a line succeeds and prints what is wanted.
func (w *world) permits(script, line, want string) {
	w.t.Helper()
	if r := w.bash(script, line); r.code != 0 || !strings.Contains(r.stdout, want) {
		w.t.Errorf("%s\nwant exit 0 and %q, got %v", line, want, r)
	}
}

// refuses requires that a line fails under the script, and, as the control,
// that it succeeds under another script or, with none, without a sandbox. The
// control comes second: it may change what the line looks for.
func (w *world) refuses(script, control, line string) {
	w.t.Helper()
	if r := w.bash(script, line); r.code == 0 {
		w.t.Errorf("%s\nwas not refused: %v", line, r)
	}
	var r result
	if control == "" {
		r = w.exec("bash", "-c", line)
	} else {
		r = w.bash(control, line)
	}
	if r.code != 0 {
		w.t.Errorf("%s\nthe control failed too: %v", line, r)
	}
}
