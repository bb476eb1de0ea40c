package bwrap_test

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
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

// scratch holds what all tests share; it is removed in the end.
var scratch string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "sbc-bwrap-shared")
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	scratch = dir
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// buildProbe builds testdata/probe once, without cgo so that it runs in an empty
// root, and returns its path.
var buildProbe = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(scratch, "probe")
	if err := os.Mkdir(dir, 0o755); err != nil {
		return "", err
	}
	cmd := exec.Command("go", "build", "-o", filepath.Join(dir, "probe"), "./testdata/probe")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return filepath.Join(dir, "probe"), nil
})

func probePath(t testing.TB) string {
	t.Helper()
	p, err := buildProbe()
	if err != nil {
		t.Fatalf("build the probe: %v", err)
	}
	return p
}

// workDir returns an empty directory that every user can reach.
func workDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "sbc-bwrap")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// plant makes files beneath dir, a word each: "a/b/" a directory, "a/f" a file
// whose content names its path, "a/l->t" a symbolic link, "a/h=>a/f" a hard link.
// All belong to uid.
func plant(t testing.TB, dir string, uid int, words ...string) {
	t.Helper()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, w := range words {
		if name, old, hard := strings.Cut(w, "=>"); hard {
			check(os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
			check(os.Link(filepath.Join(dir, old), filepath.Join(dir, name)))
			continue
		}
		name, text, link := strings.Cut(w, "->")
		path := filepath.Join(dir, name)
		check(os.MkdirAll(filepath.Dir(path), 0o755))
		switch {
		case link:
			check(os.Symlink(text, path))
		case strings.HasSuffix(w, "/"):
			check(os.MkdirAll(path, 0o755))
		default:
			check(os.WriteFile(path, []byte("content of "+path+"\n"), 0o644))
		}
	}
	var all []string
	check(filepath.WalkDir(dir, func(p string, _ os.DirEntry, err error) error {
		all = append(all, p)
		return err
	}))
	for _, p := range all {
		check(os.Lchown(p, uid, uid))
	}
}

// sandbox is a compiled policy that a test runs commands under.
type sandbox struct {
	policy *ir.Policy
	art    *bwrap.Artifact
	rep    target.Report
	uid    int
	dir    string
}

// box compiles rules, with $W for dir, for the live host, and adds what the
// probe needs.
func box(t testing.TB, dir string, uid int, ruleLines string) *sandbox {
	t.Helper()
	text := strings.ReplaceAll(ruleLines, "$W", dir)
	p := policy("read " + filepath.Dir(probePath(t)) + "\n" + text)
	return boxPolicy(t, dir, uid, p)
}

func boxPolicy(t testing.TB, dir string, uid int, p *ir.Policy) *sandbox {
	t.Helper()
	art, rep := compile(t, p, host.Live{}, target.Options{Facts: &host.Facts{OS: "linux", Arch: "amd64", UID: uid}})
	return &sandbox{policy: p, art: art, rep: rep, uid: uid, dir: dir}
}

// run runs a command in the sandbox as a launcher does: descriptors in order,
// an empty environment, placeholders made and removed.
func (s *sandbox) run(t testing.TB, stdin io.Reader, command ...string) (stdout, stderr string, code int) {
	t.Helper()
	for _, p := range s.art.Plan.Placeholders {
		if err := os.Mkdir(p, 0o500); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(p, s.uid, s.uid); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := os.Remove(p); err != nil {
				t.Errorf("the placeholder does not go away: %v", err)
			}
		}()
	}
	args, err := s.art.Render(target.Args0)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("bwrap", append([]string{"--args", strconv.Itoa(bwrap.ArgsFD), "--"}, command...)...)
	cmd.Env = []string{}
	cmd.Dir = "/"
	cmd.Stdin = stdin
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.ExtraFiles = append(cmd.ExtraFiles, content(t, s.art.Seccomp), content(t, args))
	for range s.art.Plan.Masks {
		cmd.ExtraFiles = append(cmd.ExtraFiles, content(t, nil))
	}
	if s.uid != os.Getuid() {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(s.uid), Gid: uint32(s.uid)}}
	}
	cmd.WaitDelay = 5 * time.Second
	err = cmd.Run()
	if cmd.ProcessState == nil {
		t.Fatalf("start bwrap: %v", err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// content returns a file to read data from, once.
func content(t testing.TB, data []byte) *os.File {
	t.Helper()
	f, err := os.CreateTemp(t.TempDir(), "fd")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	if _, err := f.Write(data); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	return f
}

// ask puts questions to the kernel inside the sandbox, "op path" each, and
// returns an answer for each: "ok" or the error.
func (s *sandbox) ask(t testing.TB, questions ...string) []string {
	t.Helper()
	var in strings.Builder
	for _, q := range questions {
		op, path, _ := strings.Cut(q, " ")
		fmt.Fprintf(&in, "%s %q\n", op, strings.ReplaceAll(path, "$W", s.dir))
	}
	out, errs, code := s.run(t, strings.NewReader(in.String()), probePath(t))
	answers := strings.Fields("")
	for line := range strings.SplitSeq(strings.TrimSpace(out), "\n") {
		a, err := strconv.Unquote(line)
		if err != nil {
			t.Fatalf("the probe said %q, status %d, stderr %q\narguments:\n%s", line, code, errs, strings.Join(s.art.Args(), "\n"))
		}
		answers = append(answers, a)
	}
	if len(answers) != len(questions) {
		t.Fatalf("%d answers to %d questions, status %d, stderr %q", len(answers), len(questions), code, errs)
	}
	return answers
}

// asUsers runs a test for each user.
func asUsers(t *testing.T, f func(t *testing.T, uid int)) {
	t.Helper()
	for _, uid := range users() {
		t.Run("uid "+strconv.Itoa(uid), func(t *testing.T) {
			t.Parallel()
			f(t, uid)
		})
	}
}

// sortedPaths lists everything beneath dir but symbolic links.
func sortedPaths(t testing.TB, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err == nil && d.Type()&os.ModeSymlink == 0 {
			out = append(out, p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(out)
	return out
}
