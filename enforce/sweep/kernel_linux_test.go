package sweep_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandboxc/sbc/enforce/sweep"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
)

// TestSandbox holds that what a command makes under real bubblewrap is found,
// and that it cannot make a match look old.
func TestSandbox(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "write runs W/**/.git/hooks/* but W/**/.git/hooks/*.sample", "deny W/**/.env")
	w.do(".git/hooks/old", ".env", "sub/f")
	p := *w.policy
	p.Files = append(p.Files, ir.FileRule{Match: ir.Subtree("/"), Read: ir.Allow, Write: ir.Deny, Group: ir.GroupRoot, Layer: ir.LayerWorkspace})
	view := host.NewMemo(host.Live{})
	art, rep := bwrap.Backend{}.Compile(&p, view, target.Options{})
	if art == nil {
		t.Fatal(rep.Diagnostics)
	}
	w.before = sweep.Look(sweep.Options{Decider: ir.NewDecider(&p, ir.Linux), Writable: art.Plan.Writable, View: view})
	const line = `cd $0; mkdir -p new/.git/hooks x/hooks
echo evil >.git/hooks/post-checkout; echo evil >new/.git/hooks/pre-commit; echo a >new/.git/hooks/a.sample
echo evil >x/hooks/pre-push; mkdir y; mv x y/.git; echo s >sub/.env; mv .env sub/e; mv .git .git2; chmod 111 new/.git/hooks; true`
	cmd := exec.Command("bwrap", "--args", "4", "--", "/bin/sh", "-c", line, w.w)
	cmd.Env = []string{"PATH=/usr/bin:/bin"}
	args := strings.Join(art.Args(), "\x00") + "\x00"
	cmd.ExtraFiles = []*os.File{content(t, string(art.Seccomp)), content(t, args)}
	for range art.Plan.Masks {
		cmd.ExtraFiles = append(cmd.ExtraFiles, content(t, ""))
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	const hooks = ": write runs W/**/.git/hooks/* but W/**/.git/hooks/*.sample !"
	w.want(w.after(),
		"appeared .git/hooks/post-checkout"+hooks, "appeared new/.git/hooks/pre-commit"+hooks, "appeared sub/.env: deny W/**/.env",
		"appeared y/.git/hooks/pre-push"+hooks)
	w.do("new/.git/hooks%0755")
	w.stands(
		".env", ".git/", ".git/hooks/", ".git/hooks/old", "new/", "new/.git/", "new/.git/hooks/", "new/.git/hooks/a.sample=a\n",
		"sub/", "sub/.env=s\n", "sub/f", "y/", "y/.git/", "y/.git/hooks/",
	)
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
