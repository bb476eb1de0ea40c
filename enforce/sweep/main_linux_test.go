package sweep_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/enforce/sweep"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/internal/program"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
)

// ordinary is the user that all tests run as besides root.
const ordinary = 65534

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
	dir := workDir(t, "/tmp")
	exe := filepath.Join(dir, "test")
	if err := program.Write(exe, text); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.timeout=5m")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "TMPDIR=/tmp")
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: ordinary, Gid: ordinary}}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("as user %d: %v\n%s", ordinary, err, out)
	}
}

// workDir returns an empty directory in another one that every user can reach.
func workDir(t testing.TB, in string) string {
	t.Helper()
	dir, err := os.MkdirTemp(in, "sbc-sweep")
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

// world is a write root W, a quarantine Q, and rules about W. In a rule's line
// stand its effect on writing, its pattern, exceptions after "but", and "runs"
// if what it matches is moved aside.
type world struct {
	t      *testing.T
	w, q   string
	policy *ir.Policy
	before *sweep.Before
}

func newWorld(t *testing.T, rules ...string) *world {
	t.Helper()
	return newWorldIn(t, "/tmp", rules...)
}

func newWorldIn(t *testing.T, in string, rules ...string) *world {
	t.Helper()
	dir := workDir(t, in)
	w := &world{t: t, w: filepath.Join(dir, "w"), q: filepath.Join(workDir(t, "/tmp"), "state", "quarantine")}
	if err := os.Mkdir(w.w, 0o755); err != nil {
		t.Fatal(err)
	}
	w.policy = &ir.Policy{Version: 1}
	for _, line := range rules {
		w.policy.Files = append(w.policy.Files, w.rule(line))
	}
	w.policy.Files = append(w.policy.Files,
		ir.FileRule{Match: ir.Subtree(w.w), Read: ir.Allow, Write: ir.Allow, Group: ir.GroupRoot, Layer: ir.LayerWorkspace, Origin: ir.Origin{Address: "root"}})
	return w
}

func (w *world) rule(line string) ir.FileRule {
	w.t.Helper()
	f := ir.FileRule{Write: ir.Deny, Group: ir.GroupDeny, Layer: ir.LayerWorkspace, Origin: ir.Origin{Address: line}, Reason: "a reason"}
	var g ir.Glob
	except := false
	for _, word := range strings.Fields(line) {
		switch word {
		case "deny":
			f.Read = ir.Deny
		case "ask":
			f.Write = ir.Ask
		case "write":
		case "file":
			f.NonDir = true
		case "runs":
			f.Sweep = ir.SweepQuarantine
		case "allow":
			f.Read, f.Write, f.Group = ir.Allow, ir.Allow, ir.GroupRoot
		case "private":
			f.Private = true
		case "but":
			except = true
		default:
			p, err := glob.Parse(strings.ReplaceAll(word, "W", w.w))
			if err != nil {
				w.t.Fatal(err)
			}
			if except {
				g.Except = append(g.Except, p)
			} else {
				g.Pattern = p
			}
		}
	}
	f.Match = g
	if lit, ok := g.Pattern.IsLiteral(); ok && len(g.Except) == 0 {
		f.Match = ir.Subtree(lit)
	}
	return f
}

// do makes things, a word each: "a/b/" a directory, "a/f" or "a/f=text" a file,
// "a/l->t" a link, "a/p|" a fifo, "a/h=>b" a hard link, "a>>b" a rename, "-a" a
// removal, "a%0555" a mode.
func (w *world) do(words ...string) {
	w.t.Helper()
	for _, word := range words {
		if err := w.one(word); err != nil {
			w.t.Fatal(word, err)
		}
	}
}

func (w *world) one(word string) error {
	at := func(name string) string { return filepath.Join(w.w, name) }
	parent := func(name string) error { return os.MkdirAll(filepath.Dir(at(name)), 0o755) }
	if from, to, ok := strings.Cut(word, ">>"); ok {
		return errors.Join(parent(to), os.Rename(at(from), at(to)))
	}
	if name, target, ok := strings.Cut(word, "->"); ok {
		return errors.Join(parent(name), os.Symlink(target, at(name)))
	}
	if name, old, ok := strings.Cut(word, "=>"); ok {
		return errors.Join(parent(name), os.Link(at(old), at(name)))
	}
	if name, mode, ok := strings.Cut(word, "%"); ok {
		out, err := exec.Command("chmod", mode, at(name)).CombinedOutput()
		if err != nil {
			return errors.New(string(out))
		}
		return nil
	}
	if name, ok := strings.CutPrefix(word, "-"); ok {
		return os.RemoveAll(at(name))
	}
	if name, ok := strings.CutSuffix(word, "|"); ok {
		return errors.Join(parent(name), syscall.Mkfifo(at(name), 0o644))
	}
	if strings.HasSuffix(word, "/") {
		return os.MkdirAll(at(word), 0o755)
	}
	name, text, ok := strings.Cut(word, "=")
	if !ok {
		text = "content of " + name
	}
	return errors.Join(parent(name), os.WriteFile(at(name), []byte(text), 0o644))
}

// look looks at what is there before the run.
func (w *world) look() {
	w.t.Helper()
	writable := []string{w.w}
	for i := range w.policy.Files {
		if r := &w.policy.Files[i]; r.Private {
			writable = append(writable, r.Match.Base()) // as plans have it
		}
	}
	w.before = sweep.Look(sweep.Options{Decider: ir.NewDecider(w.policy, ir.Linux), Writable: writable, View: host.NewMemo(host.Live{})})
	time.Sleep(10 * time.Millisecond) // longer than a tick of the clock of files
}

func (w *world) after() sweep.Result {
	w.t.Helper()
	return w.afterOptions(sweep.AfterOptions{Quarantine: true})
}

func (w *world) afterOptions(o sweep.AfterOptions) sweep.Result {
	w.t.Helper()
	o.Dir, o.Run = w.q, "run"
	r := sweep.After(w.before, o)
	if r.Bound != "" && o.Budget.Files+o.Budget.Depth == 0 && o.Budget.Expired == nil || len(r.Unread) > 0 {
		w.t.Errorf("bound %q, unread %q", r.Bound, r.Unread)
	}
	return r
}

// short is a match as tests compare it: kind, path, address, and whether it was
// moved ("!") or why not.
func (w *world) short(r sweep.Result) []string {
	var out []string
	for _, m := range r.Matches {
		s := m.Kind.String() + " " + strings.TrimPrefix(m.Path, w.w+"/") + ": " + m.Address
		if m.Quarantined != "" {
			s += " !"
		}
		if m.Problem != "" {
			s += " (" + m.Problem + ")"
		}
		out = append(out, s)
	}
	return out
}

func (w *world) want(r sweep.Result, want ...string) {
	w.t.Helper()
	if diff := cmp.Diff(want, w.short(r)); diff != "" {
		w.t.Errorf("found (-want +got):\n%s", diff)
	}
}

// tree lists what is beneath W, with the text of files.
func (w *world) tree() []string {
	w.t.Helper()
	out := []string{}
	err := filepath.WalkDir(w.w, func(p string, d os.DirEntry, err error) error {
		if err != nil || p == w.w {
			return err
		}
		s := strings.TrimPrefix(p, w.w+"/")
		switch {
		case d.IsDir():
			s += "/"
		case d.Type() == os.ModeSymlink:
			t, err := os.Readlink(p)
			if err != nil {
				return err
			}
			s += "->" + t
		case strings.HasSuffix(s, ".json"): // a note
		case d.Type().IsRegular():
			text, err := os.ReadFile(p) //nolint:gosec // G122: the test's own directory
			if err != nil {
				return err
			}
			if string(text) != "content of "+s {
				s += "=" + string(text)
			}
		default:
			s += "|"
		}
		out = append(out, s)
		return nil
	})
	if err != nil {
		w.t.Error(err)
	}
	return out
}

func (w *world) stands(want ...string) {
	w.t.Helper()
	if diff := cmp.Diff(append([]string{}, want...), w.tree()); diff != "" {
		w.t.Errorf("what stands (-want +got):\n%s", diff)
	}
}
