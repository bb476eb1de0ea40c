package e2e_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	enforced "github.com/sandboxc/sbc/enforce/run"
	"github.com/sandboxc/sbc/frontend"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
)

const newRepoHost = `{
	"sbc_host": 1,
	"facts": {
		"os": "linux", "arch": "amd64", "uid": 1000, "supervise": true,
		"home": "/home/u", "temp": "/tmp", "cache": "/home/u/.cache", "config": "/home/u/.config"
	},
	"tree": {
		"/home/u": {"type": "dir"}, "/tmp": {"type": "dir"}, "/var/tmp": {"type": "dir"}, "/dev": {"type": "dir"}, "/proc": {"type": "dir"},
		"/work/old/.git/config": {}, "/work/old/.git/HEAD": {}, "/work/old/.git/hooks/pre-commit.sample": {}
	}
}`

// TestNewRepositories: the default guards let git init and git clone make what
// they make, decided call by call, and nothing that would run: no hook, and not
// the configuration of a repository that exists.
func TestNewRepositories(t *testing.T) {
	t.Parallel()
	rec, ds := host.ParseRecord([]byte(newRepoHost), "host.json")
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	facts := rec.Facts()
	p, ds := frontend.Load(frontend.Options{
		Policy: "workspace-write-no-network", Workspace: "/work", WorkDir: "/work", Host: rec, Facts: &facts, Files: noFiles{},
		Env: func(string) (string, bool) { return "", false },
	})
	if p == nil {
		t.Fatal(ds)
	}
	art, rep := bwrap.Backend{}.Compile(p, rec, target.Options{Facts: &facts, Supervised: true})
	if art == nil {
		t.Fatal(rep.Diagnostics)
	}
	supervise := (&enforced.Job{Artifact: art}).Supervise()
	if supervise == nil {
		t.Fatal("nothing is decided")
	}
	decider := ir.NewDecider(supervise.Policy(p), ir.Linux)
	may := func(op ir.Op, path string, dir bool) bool { return decider.Decide(op, path, dir).Effect == ir.Allow }

	dir := t.TempDir()
	git := func(args ...string) {
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args, err, out)
		}
	}
	git("init", "-q", "new")
	git("-C", "new", "commit", "-q", "--allow-empty", "-m", "x")
	git("clone", "-q", "new", "cloned")
	made := 0
	for _, repo := range []string{"new", "cloned"} {
		err := filepath.WalkDir(filepath.Join(dir, repo), func(file string, e fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			path := "/work" + strings.TrimPrefix(file, dir)
			made++
			if !may(ir.Write, path, e.IsDir()) {
				t.Errorf("%s may not be made", path)
			}
			if !e.IsDir() && filepath.Dir(file) == filepath.Join(dir, repo, ".git") { // they come by a rename
				if !may(ir.Write, path+".lock", false) || !may(ir.Unlink, path+".lock", false) || !may(ir.Unlink, path, false) {
					t.Errorf("%s.lock may not be renamed to it", path)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if made < 50 {
		t.Errorf("git made only %d names", made)
	}
	for _, path := range []string{
		"/work/new/.git/hooks/pre-commit", "/work/old/.git/hooks/pre-commit", "/work/new/.git/config.worktree", "/work/new/.git/modules/a/config",
		"/work/new/.git/modules/a/hooks/pre-push", "/work/new/sub/.git", "/work/HEAD",
	} {
		if may(ir.Write, path, false) {
			t.Errorf("%s may be made", path)
		}
	}
	// A mount holds what exists.
	const config = "/work/old/.git/config"
	if !slices.ContainsFunc(art.Plan.Mounts, func(m bwrap.Mount) bool { return m.Path == config && m.Kind == bwrap.ReadOnlyBind }) {
		t.Errorf("no mount holds %s", config)
	}
	if art.Plan.MountOver("/work/old/.git/hooks/x") != "--ro-bind /work/old/.git/hooks /work/old/.git/hooks" {
		t.Errorf("hooks: %s", art.Plan.MountOver("/work/old/.git/hooks/x"))
	}
}

// noFiles has no file: a built-in profile needs none.
type noFiles struct{}

func (noFiles) ReadFile(path string) ([]byte, error) {
	return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
}
