package placeholder_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/sandboxc/sbc/enforce/placeholder"
	"github.com/sandboxc/sbc/internal/program"
)

// ordinary is the user that all tests run as besides root.
const ordinary = 65534

// The variables that make the test binary something else than the tests.
const (
	helperVar = "SBC_TEST_HELPER" // what to do, see helpers
	scriptVar = "SBC_TEST_SCRIPT" // where the functions of compiled scripts are
)

func TestMain(m *testing.M) {
	if what := os.Getenv(helperVar); what != "" {
		if err := helpers[what](os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestAsOrdinaryUser runs all tests again as an ordinary user.
func TestAsOrdinaryUser(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		return // it is one already
	}
	text, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	dir := workDir(t)
	exe := filepath.Join(dir, "test")
	if err := program.Write(exe, text); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.timeout=5m")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), scriptVar+"="+scriptFunctions(t), "TMPDIR=/tmp")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: ordinary, Gid: ordinary}}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("as user %d: %v\n%s", ordinary, err, out)
	}
}

// workDir returns an empty directory that every user can reach.
func workDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "sbc-placeholder")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = exec.Command("chmod", "-R", "u+rwx", dir).Run()
		_ = os.RemoveAll(dir)
	})
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// scriptFunctions returns a file with the functions of compiled scripts that are
// about placeholders, as they stand in the scripts.
func scriptFunctions(t testing.TB) string {
	t.Helper()
	if path := os.Getenv(scriptVar); path != "" {
		return path
	}
	text, err := os.ReadFile("../../target/bwrap/script.sh")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, name := range []string{"fail", "no_links", "make_placeholder", "remove_placeholders"} {
		start := strings.Index(string(text), "\n"+name+"() {\n") + 1
		if name == "fail" {
			start = 0
		}
		end := strings.Index(string(text[start:]), "\n}\n")
		if start < 0 || end < 0 {
			t.Fatalf("script.sh has no function %s", name)
		}
		out.WriteString(string(text[start : start+end+3]))
	}
	path := filepath.Join(workDir(t), "functions.sh")
	if err := os.WriteFile(path, []byte("declare -A known=()\n"+out.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// process is a helper that holds something until it is told to end.
type process struct {
	*exec.Cmd
	in  io.WriteCloser
	out io.Reader
}

// start starts the test binary as a helper and waits for its first line.
func start(t testing.TB, what string, args ...string) *process {
	t.Helper()
	cmd := exec.Command("/proc/self/exe", args...)
	cmd.Env = append(os.Environ(), helperVar+"="+what)
	return begin(t, cmd)
}

// script starts a shell that holds the paths as compiled scripts do.
func script(t testing.TB, paths ...string) *process {
	t.Helper()
	const body = `set -euo pipefail
. "$1"; shift; placeholders=("$@"); locks=()
trap remove_placeholders EXIT
for p in "$@"; do make_placeholder "$p"; done
echo held; read -r _ || :
for i in "${!locks[@]}"; do [ "$1" -ef "/proc/self/fd/${locks[i]}" ] || fail "$1 has vanished"; shift; done`
	return begin(t, exec.Command("bash", append([]string{"-c", body, "script", scriptFunctions(t)}, paths...)...))
}

func begin(t testing.TB, cmd *exec.Cmd) *process {
	t.Helper()
	p := &process{Cmd: cmd}
	var err error
	if p.in, err = cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if p.out, err = cmd.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	var errs strings.Builder
	cmd.Stderr = &errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(p.out, make([]byte, len("held\n"))); err != nil {
		_ = cmd.Wait()
		t.Fatalf("the helper did not start: %v: %s", err, errs.String())
	}
	return p
}

// end lets the helper come to its end.
func (p *process) end(t testing.TB) {
	t.Helper()
	_ = p.in.Close()
	if err := p.Wait(); err != nil {
		t.Errorf("%v: %s", err, p.Stderr)
	}
}

// kill kills the helper.
func (p *process) kill() {
	_ = p.Process.Kill()
	_ = p.Wait()
}

// helpers are what the test binary can be.
var helpers = map[string]func(args []string) error{
	// hold holds paths until its input ends: STATE PATH...
	"hold": func(args []string) error {
		h, err := placeholder.Hold(args[1:], options(args[0]))
		if err != nil {
			return err
		}
		fmt.Println("held")
		_, _ = io.ReadAll(os.Stdin)
		return finish(h)
	},
	// write stops while it writes its record.
	"full": func(args []string) error {
		limit := syscall.Rlimit{Cur: 20, Max: 20} // bytes of a file, too few for a record
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
			return err
		}
		_, err := placeholder.Hold(args[1:], options(args[0]))
		fmt.Println("held")
		if !errors.Is(err, syscall.EFBIG) {
			return fmt.Errorf("with no room for the record: %w", err)
		}
		return nil
	},
	"umask": func(args []string) error {
		syscall.Umask(0o777)
		h, err := placeholder.Hold(args[1:], options(args[0]))
		if err != nil {
			return err
		}
		fmt.Println("held")
		_, _ = io.ReadAll(os.Stdin)
		return finish(h)
	},
	"descriptors": descriptors,
	"loop":        loop,
}

// descriptors holds paths with room for one descriptor more each time, until
// that is enough: STATE DIR. After each failure the next start must find all that
// was made.
func descriptors(args []string) error {
	fmt.Println("held")
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &old); err != nil {
		return err
	}
	paths := []string{filepath.Join(args[1], "x"), filepath.Join(args[1], "y")}
	h, err := placeholder.Hold(paths, options(args[0])) // the Go runtime opens some of its own
	if err != nil {
		return err
	}
	if err := finish(h); err != nil {
		return err
	}
	first, err := syscall.Dup(0) // the first free one
	if err != nil {
		return err
	}
	_ = syscall.Close(first)
	for room := range 20 {
		few := syscall.Rlimit{Cur: uint64(first + room), Max: old.Max}
		if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &few); err != nil {
			return err
		}
		h, err := placeholder.Hold(paths, options(args[0]))
		if serr := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &old); serr != nil {
			return serr
		}
		if err == nil {
			if room < 5 {
				return fmt.Errorf("%d descriptors are enough, so the test says nothing", room)
			}
			return finish(h)
		}
		if !errors.Is(err, syscall.EMFILE) {
			return err
		}
		if left, err := placeholder.Reap(options(args[0])); err != nil || len(left) > 0 {
			return fmt.Errorf("with room for %d: left %v, error %w", room, left, err)
		}
		if names, err := os.ReadDir(args[1]); err != nil || len(names) > 0 {
			return fmt.Errorf("with room for %d: %v is left, error %w", room, names, err)
		}
	}
	return errors.New("20 descriptors are too few")
}

// finish gives up what is held and complains about all that is not right.
func finish(h *placeholder.Holder) error {
	gone := h.Check()
	left, err := h.Release()
	if len(gone)+len(left) > 0 || err != nil {
		return fmt.Errorf("gone %v, left %v, error %w", gone, left, err)
	}
	return nil
}

func options(state string) placeholder.Options { return placeholder.Options{State: state} }
