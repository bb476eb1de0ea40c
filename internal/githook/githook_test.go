package githook_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sandboxc/sbc/internal/program"
)

const policy = `version = 1

filesystem {
  read  = ["/usr"]
  write = [workspace]
}
`

const pins = `workspace = "/vols/app"` + "\n"

// repo is a repository with the hook of the documentation, and with a policy
// whose snapshot is committed. Bin holds sbc.
type repo struct {
	t   *testing.T
	dir string
	env []string
}

func newRepo(t *testing.T, bin string) *repo {
	t.Helper()
	r := &repo{t: t, dir: t.TempDir()}
	r.env = []string{
		"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + r.dir, "LC_ALL=C", "TMPDIR=" + t.TempDir(), "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=n", "GIT_AUTHOR_EMAIL=e@x", "GIT_COMMITTER_NAME=n", "GIT_COMMITTER_EMAIL=e@x",
	}
	r.must("git", "init", "-q", ".")
	r.write(".git/hooks/pre-commit", hook(t))
	r.write("policies/sbc.golden.hcl", pins)
	r.write("policies/app.hcl", policy)
	r.must("sbc", "golden", "update")
	r.commit(true)
	return r
}

// hook is the script in docs/git-hooks.md.
func hook(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/git-hooks.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```sh\n")
	script, _, ok := strings.Cut(rest, "```\n")
	if !ok || !strings.HasPrefix(script, "#!/bin/sh\n") || strings.Contains(rest, "```sh\n") {
		t.Fatal("docs/git-hooks.md has not exactly one script")
	}
	return script
}

func (r *repo) write(name, text string) {
	r.t.Helper()
	name = filepath.Join(r.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := program.Write(name, []byte(text)); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repo) command(name string, args ...string) (output string, err error) {
	cmd := exec.Command("/usr/bin/env", append([]string{name}, args...)...) // finds it on the PATH of r.env
	cmd.Dir, cmd.Env = r.dir, r.env
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	return out.String(), err
}

func (r *repo) must(name string, args ...string) string {
	r.t.Helper()
	out, err := r.command(name, args...)
	if err != nil {
		r.t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return out
}

// commit stages the paths, all if there are none, commits, and checks whether
// that succeeded, with all of the words in the output.
func (r *repo) commit(want bool, paths ...string) (output string) {
	r.t.Helper()
	if len(paths) == 0 {
		paths = []string{"."}
	}
	r.must("git", append([]string{"add", "-A", "--"}, paths...)...)
	before, _ := r.command("git", "rev-parse", "-q", "--verify", "HEAD")
	out, err := r.command("git", "commit", "-q", "-m", "m")
	after, _ := r.command("git", "rev-parse", "-q", "--verify", "HEAD")
	if (err == nil) != want || (before != after) != want {
		r.t.Fatalf("commit: %v, HEAD moved: %v; want a commit: %v\n%s", err, before != after, want, out)
	}
	return out
}

// refused checks that a commit is stopped and why.
func (r *repo) refused(words string, paths ...string) {
	r.t.Helper()
	if out := r.commit(false, paths...); !strings.Contains(out, words) {
		r.t.Errorf("the commit was stopped without %q:\n%s", words, out)
	}
}

// TestHook: a commit that changes what a policy compiles to is stopped until
// the snapshot is committed too.
func TestHook(t *testing.T) {
	t.Parallel()
	bin := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(bin, "sbc"), "github.com/sandboxc/sbc/cmd/sbc").CombinedOutput(); err != nil {
		t.Fatalf("cannot build sbc: %v\n%s", err, out)
	}
	const file, snapshot = "policies/app.hcl", "policies/app.hcl.golden.txtar"
	wider := strings.Replace(policy, `"/usr"`, `"/usr", "/opt"`, 1)
	for _, tc := range []struct {
		name string
		run  func(r *repo)
	}{
		{"the policy alone", func(r *repo) {
			r.write(file, wider)
			r.refused(snapshot)
			r.must("sbc", "golden", "update")
			r.refused(snapshot, file) // written, but not staged
			r.commit(true, file, snapshot)
		}},
		{"the snapshot alone", func(r *repo) {
			r.write(file, wider)
			r.must("sbc", "golden", "update")
			r.refused(snapshot, snapshot)
		}},
		{"what compiles to the same", func(r *repo) {
			r.write(file, policy+"\n# a remark\n")
			r.commit(true)
		}},
		{"a change that is not staged", func(r *repo) {
			r.write(file, wider)
			r.write("other.txt", "x")
			r.commit(true, "other.txt")
		}},
		{"a new policy", func(r *repo) {
			r.write("policies/new.hcl", policy)
			r.refused("new.hcl has no snapshot")
			r.must("sbc", "golden", "update")
			r.commit(true)
		}},
		{"a policy that is deleted", func(r *repo) {
			r.write("policies/new.hcl", policy)
			r.must("sbc", "golden", "update")
			r.commit(true)
			r.must("rm", "policies/new.hcl")
			r.refused("new.hcl.golden.txtar")
			r.must("sbc", "golden", "update")
			r.commit(true)
		}},
		{"a policy that is broken", func(r *repo) {
			r.write(file, policy+"filesytem {}\n")
			r.refused("filesytem")
		}},
		{"names that need care", func(r *repo) {
			r.write("policies/a b\n'c'/sbc.golden.hcl", pins)
			r.write("policies/a b\n'c'/p.hcl", policy)
			r.refused("p.hcl has no snapshot")
			r.must("sbc", "golden", "update")
			r.commit(true)
		}},
		{"the pins are gone", func(r *repo) {
			r.must("rm", "policies/sbc.golden.hcl")
			r.refused("sbc.golden.hcl")
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			r := newRepo(t, bin)
			tc.run(r)
			left, err := filepath.Glob(filepath.Join(tmpdir(r), "*"))
			if err != nil || len(left) > 0 {
				t.Errorf("the hook left %v behind, %v", left, err)
			}
		})
	}
}

// tmpdir is where the hook makes its directory.
func tmpdir(r *repo) string {
	for _, e := range r.env {
		if dir, ok := strings.CutPrefix(e, "TMPDIR="); ok {
			return dir
		}
	}
	return ""
}
