package placeholder_test

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/enforce/placeholder"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
)

// sandbox is a run under real bubblewrap, from the compilation on.
type sandbox struct {
	process
	held *placeholder.Holder
	out  io.Reader
}

// run compiles a policy that closes W/x beneath the write root W for what the
// view shows, and starts a command that says "held" and waits for a line before
// it tries to get at W/x.
func (w *world) run() *sandbox {
	w.t.Helper()
	view, err := placeholder.NewView(host.NewMemo(host.Live{}), w.options())
	if err != nil {
		w.t.Fatal(err)
	}
	p := &ir.Policy{Version: 1, Files: []ir.FileRule{
		{Match: ir.Subtree(w.path("x")), Read: ir.Deny, Write: ir.Deny, Group: ir.GroupDeny, Layer: ir.LayerWorkspace},
		{Match: ir.Subtree(w.dir), Read: ir.Allow, Write: ir.Allow, Group: ir.GroupRoot, Layer: ir.LayerWorkspace},
		{Match: ir.Subtree("/"), Read: ir.Allow, Write: ir.Deny, Group: ir.GroupRoot, Layer: ir.LayerWorkspace},
	}}
	art, rep := bwrap.Backend{}.Compile(p, view, target.Options{})
	if art == nil {
		w.t.Fatal(rep.Diagnostics)
	}
	if diff := cmp.Diff([]string{w.path("x")}, art.Plan.Placeholders); diff != "" {
		w.t.Errorf("planned placeholders (-want +got):\n%s", diff)
	}
	s := &sandbox{}
	if s.held, err = placeholder.Hold(art.Plan.Placeholders, w.options()); err != nil {
		w.t.Fatal(err)
	}
	const line = `echo held; read -r _; for t in "mkdir $0/x" "echo a >$0/x" "echo a >$0/x/y" "mv $0/x $0/z" "rmdir $0/x" "echo a >$0/open"; do (eval "$t") 2>/dev/null && echo "$t" | cut -c 1-5; done; true`
	cmd := exec.Command("bwrap", "--args", "4", "--", "/bin/sh", "-c", line, w.dir)
	cmd.Env = []string{"PATH=/usr/bin:/bin"}
	args := strings.Join(art.Args(), "\x00") + "\x00"
	cmd.ExtraFiles = []*os.File{content(w.t, string(art.Seccomp)), content(w.t, args)}
	s.process = *begin(w.t, cmd)
	s.out = s.process.out
	if gone := s.held.Check(); len(gone) > 0 {
		w.t.Error(gone)
	}
	return s
}

// try lets the command try, and returns what it could do.
func (s *sandbox) try(t *testing.T) string {
	t.Helper()
	_, _ = io.WriteString(s.in, "go\n")
	text, err := io.ReadAll(s.out)
	if err != nil {
		t.Error(err)
	}
	s.end(t)
	return string(text)
}

func content(t testing.TB, text string) *os.File {
	t.Helper()
	name := filepath.Join(t.TempDir(), "fd")
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// TestSandboxes holds that the end of one run does not open what another one,
// which was compiled while the first one's placeholder stood, keeps closed.
func TestSandboxes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.run()
	second := w.run()
	if got := first.try(t); got != "echo \n" {
		t.Errorf("the first command could: %q", got)
	}
	w.release(first.held, nil)
	if got := second.try(t); got != "echo \n" {
		t.Errorf("the second command could: %q", got)
	}
	w.release(second.held, nil)
	if _, err := os.Lstat(w.path("x")); err == nil {
		t.Error("the placeholder is left")
	}
	// The control: when the placeholder is removed by hand, the path is open and
	// that is said.
	third := w.run()
	if err := os.Remove(w.path("x")); err != nil {
		t.Fatal(err)
	}
	if got := third.try(t); got == "echo \n" {
		t.Error("the mount outlives the directory")
	}
	left, err := third.held.Release()
	if err != nil || len(left) != 1 || !left[0].Open {
		t.Errorf("left %v, %v", left, err)
	}
}
