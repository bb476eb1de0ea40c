package e2e_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// names is a policy whose closings are about what does not exist.
const names = `version = 1
guards {
  exclude = ["credentials", "git-exec", "git-config", "shell-startup", "agent-config", "editor-config", "sbc-files"]
  reason  = "the test has its own"
}
filesystem {
  read  = ["/"]
  write = [workspace]
  deny "name" {
    paths  = ["./nope.cfg"]
    access = "write"
  }
  deny "dotenv" {
    paths = ["./**/.env"]
  }
}
`

// list is everything beneath a directory, with what it is and holds.
func list(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		line := strings.TrimPrefix(path, dir) + " " + e.Type().String()
		if e.Type().IsRegular() {
			text, err := os.ReadFile(path) //nolint:gosec // G122: what a test has made
			if err != nil {
				return err
			}
			line += fmt.Sprintf(" %q", text)
		}
		out = append(out, line)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestNamesToCome: what is closed and does not exist cannot be made in any way, is
// not seen inside, and leaves nothing on the host, before, during and after the
// run. Without the rules everything is made.
func TestNamesToCome(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		closed := w.file("names.hcl", names)
		open := w.file("open.hcl", names[:strings.Index(names, "  deny \"name\"")]+"}\n")
		w.file("work/d/a", "a\n")
		for _, tt := range []struct{ name, line string }{
			{"open", "echo x > nope.cfg"},
			{"open deep down", "mkdir -p d/e && echo x > d/e/.env"},
			{"mkdir", "mkdir .env"},
			{"mkfifo", "mkfifo nope.cfg"},
			{"symbolic link", "ln -s d/a .env"},
			{"hard link", "ln d/a .env"},
			{"rename", "cp d/a d/b && mv d/b .env"},
			{"rename of a directory", "mkdir d/c && mv d/c nope.cfg"},
			{"through a link", "ln -s nope.cfg l && echo x > l"},
			{"through another way", "echo x > /proc/self/cwd/d/../.env"},
			{"from elsewhere", "cd / && echo x > \"$OLDPWD/nope.cfg\""},
			{"nameless first", `python3 -c 'import os; f = os.open(".", os.O_TMPFILE | os.O_RDWR); os.link(f"/proc/self/fd/{f}", ".env", src_dir_fd=f, follow_symlinks=True)'`},
		} {
			was := list(t, w.work)
			r := w.sbcRun("-p", closed, "--", "bash", "-c", tt.line)
			if r.code == 0 || !strings.Contains(r.stderr, "(certain, by trace)") {
				t.Errorf("%s: %v", tt.name, r)
			}
			w.clean(t)
			if diff := cmp.Diff(was, list(t, w.work)); diff != "" {
				t.Errorf("%s: the host (-before +after):\n%s", tt.name, diff)
			}
			if r := w.sbcRun("-p", open, "--", "bash", "-c", tt.line); r.code != 0 {
				t.Errorf("%s, the control: %v", tt.name, r)
			}
			for _, name := range []string{".env", "nope.cfg", "d/e", "l"} {
				_ = os.RemoveAll(filepath.Join(w.work, name))
			}
			w.clean(t)
		}
		was := list(t, w.work)
		done := make(chan result, 1)
		go func() {
			done <- w.sbcRun("-p", closed, "--", "bash", "-c", "test -e nope.cfg || ls -A; sleep 0.5")
		}()
		for range 40 { // before it, meanwhile and after it
			if diff := cmp.Diff(was, list(t, w.work)); diff != "" {
				t.Fatalf("the host (-before +meanwhile):\n%s", diff)
			}
			time.Sleep(20 * time.Millisecond)
		}
		r := <-done
		if strings.Contains(r.stdout, "nope.cfg") || !strings.Contains(r.stdout, "d\n") {
			t.Errorf("inside: %v", r)
		}
	})
}

// clean removes what the lines may make.
func (w *world) clean(t *testing.T) {
	t.Helper()
	for _, name := range []string{"d/e", "d/b", "d/c", "l"} {
		if err := os.RemoveAll(filepath.Join(w.work, name)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestNamesOfOthers: with process.supervise = "open", what somebody outside makes
// during the run cannot be read either. By default it can, and a note says so.
func TestNamesOfOthers(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		for _, mode := range []string{"create", "open"} {
			w.file("work/late/keep", "")
			policy := w.file(mode+".hcl", names+"process { supervise = \""+mode+"\" }\n")
			done := make(chan result, 1)
			go func() {
				done <- w.exec(shared.sbc, "run", "--workspace", w.work, "-p", policy, "--",
					"bash", "-c", "touch ready; for i in {1..600}; do [ -e late/done ] && break; sleep 0.01; done; cat late/.env; cat late/done")
			}()
			for range 1000 {
				if _, err := os.Stat(filepath.Join(w.work, "ready")); err == nil {
					break
				}
				time.Sleep(10 * time.Millisecond)
			}
			w.file("work/late/.env", "SECRET\n")
			w.file("work/late/done", "SEEN\n")
			r := <-done
			if !strings.Contains(r.stdout, "SEEN") {
				t.Errorf("%s: the control: %v", mode, r)
			}
			if got := strings.Contains(r.stdout, "SECRET"); got != (mode == "create") {
				t.Errorf("%s: it was read: %t: %v", mode, got, r)
			}
			if got := strings.Contains(r.stderr, "SBC2132") && strings.Contains(r.stderr, "/.env"); got != (mode == "create") {
				t.Errorf("%s: a note: %t: %v", mode, got, r)
			}
			for _, name := range []string{"late/.env", "late/done", "ready"} {
				_ = os.Remove(filepath.Join(w.work, name))
			}
		}
	})
}

// TestNamesKilled: killed at any moment, sbc leaves nothing on the host, and
// nobody who could make what is closed.
func TestNamesKilled(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		policy := w.file("names.hcl", names)
		w.file("work/d/a", "a\n")
		if r := w.sbcRun("-p", policy, "--", "true"); r.code != 0 {
			t.Fatal(r)
		}
		was := list(t, w.work)
		times := 200 / len(shared.users)
		if testing.Short() {
			times = 5
		}
		for i := range times {
			cmd := exec.Command(shared.sbc, "run", "-q", "--workspace", w.work, "-p", policy, "--",
				"bash", "-c", "while :; do echo x > .env; mkdir nope.cfg; echo x > d/.env; done")
			cmd.Dir = w.work
			cmd.Env = []string{"HOME=" + w.home, "PATH=/usr/local/bin:/usr/bin:/bin"}
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
			if w.user.uid != os.Getuid() {
				cmd.SysProcAttr.Credential = &syscall.Credential{Uid: uint32(w.user.uid), Gid: uint32(w.user.gid)}
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Duration(rand.IntN(120)) * time.Millisecond) //nolint:gosec // G404: any moment is good
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			if diff := cmp.Diff(was, list(t, w.work)); diff != "" {
				t.Fatalf("after %d: the host (-before +after):\n%s", i, diff)
			}
		}
	})
}

// TestNewRepositories: the default guards let git make repositories, worktrees and
// submodules, name what is new, and let no hook come to be.
func TestNewRepositories(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.file(".gitconfig", "[user]\nname = u\nemail = u@example.com\n[protocol \"file\"]\nallow = always\n[commit]\ngpgsign = false\n")
		r := w.sbcRun("--", "bash", "-ec", `
git init -q r; cd r; echo a > a; git add a; git commit -qm a
git worktree add -q ../wt -b side; cd ../wt; echo b > b; git add b; git commit -qm b
cd ../r; git merge -q side; git rebase -q side; git gc -q; git stash list
cd ..; git clone -q r c; cd c; git submodule --quiet add ../r sub; git commit -qm sub; git status --short
echo made`)
		if r.code != 0 || r.stdout != "made\n" {
			t.Fatal(r)
		}
		for _, name := range []string{"r/.git/config", "wt/.git", "c/sub/.git", "r/.git/worktrees/wt/gitdir", "c/.git/modules/sub/config"} {
			if !strings.Contains(r.stderr, "late_match: "+filepath.Join(w.work, name)+" appeared") {
				t.Errorf("nothing is said of %s: %v", name, r)
			}
		}
		for _, line := range []string{
			"echo x > r/.git/hooks/post-checkout", "echo x > r/.git/commondir", "mkdir x; mkdir x/hooks; echo x > x/hooks/pre-commit; mv x .git",
			"git -C r config core.fsmonitor /tmp/evil",
		} {
			if r := w.sbcRun("--", "bash", "-ec", line); r.code == 0 {
				t.Errorf("%s: %v", line, r)
			}
			_ = os.RemoveAll(filepath.Join(w.work, "x"))
		}
		if r := w.sbcRun("--", "bash", "-c", "echo x > r/.git/description && mkdir x && mkdir x/hook && echo x > x/hook/pre-commit && mv x .gitt"); r.code != 0 {
			t.Errorf("the control: %v", r)
		}
	})
}
