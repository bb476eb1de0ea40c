package e2e_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// bare is the head of a policy without guards.
const bare = `version = 1
guards {
  exclude = ["credentials", "git-exec", "git-config", "shell-startup", "agent-config", "editor-config", "sbc-files"]
  reason  = "the test looks at its own rules"
}
`

// rename is a line that renames and renames back, without copying where the
// kernel refuses to rename.
func rename(from, to string) string {
	const r = `perl -e 'rename($ARGV[0], $ARGV[1]) or die "$!\n"' `
	return r + from + " " + to + " && " + r + to + " " + from
}

// TestLinkBetweenRuns: one run replaces a build directory by a link to the
// home directory; the next must not open it.
func TestLinkBetweenRuns(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.file("work/build/x", "")
		w.file("secret", "SECRET\n")
		policy := bare + `filesystem {
  read  = ["/"]
  write = [workspace, "./build"]
}
`
		script := w.must(policy)
		w.permits(script, "rm -r build && ln -s .. build && readlink build", "..")
		_, r := w.compile(policy)
		if r.code != 2 || !strings.Contains(r.stderr, "SBC0016") || !strings.Contains(r.stderr, "build") {
			t.Errorf("the planted link was taken: %v", r)
		}
		// The script of the first run looks at its sources again before it starts.
		r = w.bash(script, "echo x > ../planted")
		if _, err := os.Lstat(filepath.Join(w.home, "planted")); err == nil {
			t.Errorf("the old script followed the planted link: %v", r)
		}
		// The control: with the directory back, it compiles.
		w.exec("rm", "build")
		w.exec("mkdir", "build")
		w.must(policy)
	})
}

// TestMovedDirectory: a directory is moved so that an anchored glob no longer
// finds what lies in it.
func TestMovedDirectory(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.file("work/src/a/secret", "SECRET\n")
		w.file("work/src/a/open", "OPEN\n")
		const roots = `filesystem {
  read  = ["/"]
  write = [workspace]
`
		open := w.must(bare + roots + "}\n")
		control := filepath.Join(w.home, "control.sh")
		if err := os.Rename(open, control); err != nil {
			t.Fatal(err)
		}
		closed := w.must(bare+roots+"  deny \"s\" { paths = [\"./src/*/secret\"] }\n}\n", "--accept", "SBC2103:filesystem.deny.s", "--accept", "SBC2102:filesystem.deny.s")
		w.permits(closed, "cat src/a/open && echo x > src/b && cat src/b", "OPEN")
		w.refuses(closed, control, "cat src/a/secret")
		w.refuses(closed, control, rename("src/a", "elsewhere"))
		w.refuses(closed, control, rename("src", "elsewhere"))
		w.refuses(closed, control, rename("src/a/secret", "src/a/s"))
		w.refuses(closed, control, rename("src/a/open", "src/a/secret2")+" && ln src/a/secret src/a/third && rm src/a/third")
	})
}

// TestGitDirectory: what leads git to other hooks and configuration.
func TestGitDirectory(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.exec("git", "init", "-q", ".")
		w.exec("git", "-c", "user.name=n", "-c", "user.email=e@x", "commit", "-q", "--allow-empty", "-m", "m")
		if r := w.exec("git", "worktree", "add", "-q", filepath.Join(w.home, "tree")); r.code != 0 {
			t.Fatal(r)
		}
		w.exec("mkdir", "-p", "x/hooks")
		w.file("work/x/hooks/pre-commit", "#!/bin/sh\n")
		guarded, r := w.compile("workspace-write-no-network")
		// No mount keeps .git/commondir, which does not exist: the report says so.
		if r.code != 0 || !strings.Contains(r.stderr, "note[SBC2125]: linux: a missing guarded name is only swept after the run (guard git-exec)") {
			t.Fatal(r)
		}
		plain := filepath.Join(w.home, "plain.sh")
		if err := os.Rename(guarded, plain); err != nil {
			t.Fatal(err)
		}
		control := w.must(bare + "extends = [\"workspace-write-no-network\"]\n")
		if err := os.Rename(control, control+".control"); err != nil {
			t.Fatal(err)
		}
		guarded, control = plain, control+".control"
		w.refuses(guarded, control, "mv .git g && mkdir -p .git/hooks && echo x > .git/hooks/pre-commit && rm -r .git && mv g .git")
		w.refuses(guarded, control, "mv .git g && mv x .git && mv .git x && mv g .git")
		w.refuses(guarded, control, rename(".git/hooks", ".git/h"))
		w.refuses(guarded, control, "git config user.name evil && git config --unset user.name")
		w.permits(guarded, "git -c user.name=n -c user.email=e@x commit -q --allow-empty -m two && git log --format=%s -1", "two")
		w.permits(guarded, "git checkout -q -b b && git stash list && git gc -q && git status --porcelain && echo done", "done")

		// In the worktree: its .git file cannot be rewritten, and a rewritten one
		// opens nothing for the next run.
		tree := &world{t: t, user: w.user, home: w.home, work: filepath.Join(w.home, "tree")}
		script := tree.must("workspace-write-no-network")
		tree.permits(script, "git -c user.name=n -c user.email=e@x commit -q --allow-empty -m three && git log --format=%s -1", "three")
		tree.refuses(script, control2(tree), "cp .git saved && echo x >> .git && cat saved > .git && rm saved")
		if err := os.WriteFile(filepath.Join(tree.work, ".git"), []byte("gitdir: "+w.home+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		script, r = tree.compile("workspace-write-no-network")
		if !strings.Contains(r.stderr, "SBC1010") {
			t.Errorf("a .git file that leads home was taken: %v", r)
		}
		if r.code == 0 {
			tree.refuses(script, "", "echo x > ../planted && rm ../planted")
		}
	})
}

// control2 is a script for the worktree without guards.
func control2(w *world) string {
	w.t.Helper()
	first := filepath.Join(w.home, "run.sh")
	kept := filepath.Join(w.home, "kept.sh")
	if err := os.Rename(first, kept); err != nil {
		w.t.Fatal(err)
	}
	control := w.must(bare + "extends = [\"workspace-write-no-network\"]\n")
	moved := filepath.Join(w.home, "tree-control.sh")
	if err := os.Rename(control, moved); err != nil {
		w.t.Fatal(err)
	}
	if err := os.Rename(kept, first); err != nil {
		w.t.Fatal(err)
	}
	return moved
}

// TestHardLink: another name of a closed file is closed as well, or reported.
func TestHardLink(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		secret := w.file("work/secret", "SECRET\n")
		if err := os.Link(secret, filepath.Join(w.work, "alias")); err != nil {
			t.Fatal(err)
		}
		const roots = "filesystem {\n  read  = [\"/\"]\n  write = [workspace]\n"
		control := w.must(bare + roots + "}\n")
		if err := os.Rename(control, control+".control"); err != nil {
			t.Fatal(err)
		}
		control += ".control"
		policy := bare + roots + "  deny \"s\" { paths = [\"./secret\"] }\n}\n"
		script, r := w.compile(policy)
		if r.code != 0 {
			if r.code != 1 || !strings.Contains(r.stderr, "hard link") {
				t.Errorf("the hard link is not reported: %v", r)
			}
			script = w.must(policy, "--accept", "SBC2106:filesystem.deny.s")
		} else {
			w.refuses(script, control, "cat alias")
		}
		w.refuses(script, control, "cat secret")

		// The same for a file that lies in a closed directory.
		key := w.file("work/keys/key", "SECRET\n")
		if err := os.Link(key, filepath.Join(w.work, "other")); err != nil {
			t.Fatal(err)
		}
		for access, line := range map[string]string{"all": "cat other", "write": "echo x >> other"} {
			inside := w.must(bare + roots + "  deny \"k\" {\n    paths  = [\"./keys\"]\n    access = \"" + access + "\"\n  }\n}\n")
			w.refuses(inside, control, line)
		}
		script = w.must(policy, "--accept", "SBC2106:filesystem.deny.s")
		w.refuses(script, control, "ln secret second && rm second")
	})
}

// TestOtherUsersDirectory: what another user keeps in a directory of his own in
// /tmp must not stop root's sandbox from starting.
func TestOtherUsersDirectory(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		other := shared.users[len(shared.users)-1]
		dir, err := os.MkdirTemp("/tmp", "sbc-e2e-")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.RemoveAll(dir) })
		repo := filepath.Join(dir, "r", ".git", "hooks")
		if err := os.MkdirAll(repo, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(dir, other.uid, other.gid); err != nil { // its mode is 0700
			t.Fatal(err)
		}
		script := w.must("workspace-write-no-network")
		w.permits(script, "echo started", "started")
		if w.user.uid != other.uid {
			w.refuses(script, "", "ls "+dir)
		}
	})
}

// TestPlanted: a directory that was prepared under another name lands on a
// closed path that does not exist yet.
func TestPlanted(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.file("work/x/evil", "EVIL\n")
		const roots = "filesystem {\n  read  = [\"/\"]\n  write = [workspace]\n"
		control := w.must(bare + roots + "}\n")
		if err := os.Rename(control, control+".control"); err != nil {
			t.Fatal(err)
		}
		script := w.must(bare + roots + "  deny \"d\" { paths = [\"./conf/evil\"] }\n}\n")
		w.refuses(script, control+".control", "mv x conf && mv conf x")
		if _, err := os.Lstat(filepath.Join(w.work, "conf")); err == nil {
			t.Error("a placeholder was left behind")
		}
		// A glob that has no match yet is named as such.
		_, r := w.compile(bare + roots + "  deny \"d\" { paths = [\"./*/evil2\"] }\n}\n")
		if r.code != 1 || !strings.Contains(r.stderr, "SBC2103") {
			t.Errorf("the plantable glob is not reported: %v", r)
		}
	})
}

// TestMadeDirectories: made directories cannot be listed or written.
func TestMadeDirectories(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, w *world) {
		w.file("work/a.txt", "A\n")
		script := w.must("strict")
		w.permits(script, "cat a.txt", "A")
		w.refuses(script, "", "ls "+w.home)
		w.refuses(script, "", "ls /")
		w.refuses(script, "", "ls /srv || ls /home")
		w.refuses(script, "", "mkdir "+w.home+"/new && rmdir "+w.home+"/new")
		w.refuses(script, "", "echo x > "+w.home+"/f && rm "+w.home+"/f")
		w.refuses(script, "", "chmod 755 "+w.home)
		for _, name := range []string{"new", "f"} {
			if _, err := os.Lstat(filepath.Join(w.home, name)); err == nil {
				t.Errorf("%s appeared on the host", name)
			}
		}
	})
}
