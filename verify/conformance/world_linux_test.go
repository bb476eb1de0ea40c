package conformance_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sandboxc/sbc/enforce/prove"
	"github.com/sandboxc/sbc/frontend"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
	"github.com/sandboxc/sbc/verify"
	"github.com/sandboxc/sbc/verify/mounts"
)

// ordinary is the user that the tests act as besides root.
const ordinary = 65534

// scratch holds what all tests share, outside of temporary directories, which
// policies treat in their own way.
var scratch string

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

func run(m *testing.M) int {
	parent := "/srv"
	if os.Getuid() != 0 {
		parent, _ = os.UserHomeDir()
	}
	dir, err := os.MkdirTemp(parent, "sbc-conformance-")
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	if err == nil {
		scratch = dir
		build := exec.Command("go", "build", "-o", filepath.Join(dir, "bin", "probe"), "./testdata/probe")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		var out []byte
		if out, err = build.CombinedOutput(); err != nil {
			err = fmt.Errorf("%w: %s", err, out)
		}
	}
	defer os.RemoveAll(dir)
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

// failer is what a test and a property have in common.
type failer interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// world is a tree of files of one user, in which $D is its directory.
type world struct {
	uid int
	dir string
}

// newWorld makes a tree, a word each: "a/b/" a directory, "a/f" a file whose
// content names its path, "a/l->t" a symbolic link.
func newWorld(t failer, uid int, tree []string) *world {
	t.Helper()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	dir, err := os.MkdirTemp(scratch, "w")
	check(err)
	check(os.Chmod(dir, 0o755))
	w := &world{uid, dir}
	for _, word := range append([]string{"home/", "w/"}, tree...) {
		name, text, link := strings.Cut(word, "->")
		path := filepath.Join(dir, name)
		check(os.MkdirAll(filepath.Dir(path), 0o755))
		switch {
		case link:
			check(os.Symlink(text, path))
		case strings.HasSuffix(name, "/"):
			check(os.MkdirAll(path, 0o755))
		default:
			check(os.WriteFile(path, []byte("content of "+path), 0o644))
		}
	}
	for _, p := range w.paths(t) {
		check(os.Lchown(p, uid, uid))
	}
	return w
}

func (w *world) remove() { _ = os.RemoveAll(w.dir) }

// paths lists the tree.
func (w *world) paths(t failer) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(w.dir, func(p string, _ os.DirEntry, err error) error {
		out = append(out, p)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// policyFile serves the text of the policy.
type policyFile struct{ path, text string }

func (f policyFile) ReadFile(path string) ([]byte, error) {
	if path == f.path {
		return []byte(f.text), nil
	}
	return nil, os.ErrNotExist
}

// sandbox is a compiled policy with all that judges it.
type sandbox struct {
	*world
	policy *ir.Policy
	script string // a file
	claims []verify.Claim
	tree   *mounts.Node
	report target.Report
	args   []string
}

// compile compiles the text of a policy, proves what comes out, and writes the
// script. It returns nil if the policy is refused.
func (w *world) compile(t failer, text string) *sandbox {
	t.Helper()
	facts := host.Facts{OS: "linux", Arch: runtime.GOARCH, UID: w.uid, Home: w.dir + "/home", Temp: "/tmp", Cache: w.dir + "/home/.cache", Config: w.dir + "/home/.config"}
	view := host.NewMemo(host.Live{})
	p, ds := frontend.Load(frontend.Options{
		Policy: w.dir + "/policy.hcl", Workspace: w.dir + "/w", WorkDir: w.dir, Host: view, Facts: &facts,
		Files: policyFile{w.dir + "/policy.hcl", strings.ReplaceAll(text, "$D", w.dir)}, Env: func(string) (string, bool) { return "", false },
	})
	if p == nil {
		for _, d := range ds {
			if strings.HasPrefix(string(d.Code), "SBC000") {
				t.Fatalf("%v\n%s", ds, text)
			}
		}
		return nil
	}
	a, rep := bwrap.Backend{}.Lower(p, view, target.Options{Facts: &facts})
	if a == nil {
		return nil
	}
	proof, err := prove.Lowered(p, a, rep, prove.Options{View: view})
	if err != nil || !holds(proof) {
		t.Fatalf("no proof: %v %+v\n%s", err, proof, text)
	}
	art, ok := a.(*bwrap.Artifact)
	if !ok {
		t.Fatalf("an artefact of type %T", a)
	}
	s := &sandbox{world: w, policy: p, script: w.dir + "/run.sh", claims: prove.Claims(rep), report: rep, args: art.Args()}
	read, err := mounts.Read(art.Args(), mounts.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	table, err := mounts.Build(read, mounts.Options{View: view, Prepared: prove.Prepared(&art.Plan)})
	if err != nil {
		t.Fatal(err)
	}
	s.tree = table.Tree()
	script, err := art.Render(target.Shell)
	if err == nil {
		err = os.WriteFile(s.script, script, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// holds reports whether a proof holds, but for exceptions and roots that do not
// exist and cannot be made, of which reports do not always say so.
func holds(p *verify.Proof) bool {
	undeclared := slices.ContainsFunc(p.Undeclared(), func(d verify.Difference) bool { return d.Direction == verify.Permits || !d.Missing })
	return !undeclared && !slices.ContainsFunc(p.Holes, func(h verify.Hole) bool { return !h.Note })
}

// ask runs the probe in the sandbox, by the script, and returns an answer for
// each question.
func (s *sandbox) ask(t failer, questions []string) []string {
	t.Helper()
	cmd := exec.Command("bash", s.script, filepath.Join(scratch, "bin", "probe"))
	cmd.Dir = s.dir
	cmd.Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME=" + s.dir + "/home"}
	cmd.Stdin = strings.NewReader(strings.Join(questions, "\n") + "\n")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if s.uid != os.Getuid() {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(s.uid), Gid: uint32(s.uid)}
	}
	cmd.WaitDelay = 5 * time.Second
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("cannot run the script: %v", err)
	}
	var answers []string
	for line := range strings.SplitSeq(strings.TrimSpace(out.String()), "\n") {
		a, err := strconv.Unquote(line)
		if err != nil {
			t.Fatalf("the probe said %q, %v, %s\n%s", line, exit, errs.String(), strings.Join(s.args, "\n"))
		}
		answers = append(answers, a)
	}
	if len(answers) != len(questions) {
		t.Fatalf("%d answers to %d questions: %s", len(answers), len(questions), errs.String())
	}
	return answers
}

// throughLink reports whether a directory of the path is a symbolic link.
func throughLink(path string) bool {
	return slices.ContainsFunc(ir.Ancestors(path), func(dir string) bool {
		st, err := os.Lstat(dir)
		return err == nil && st.Mode()&os.ModeSymlink != 0
	})
}
