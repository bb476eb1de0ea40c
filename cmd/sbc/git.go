package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/sandboxc/sbc/frontend"
)

// gitTime is how long one question to git may take.
const gitTime = 30 * time.Second

// revision is a commit of a checkout.
type revision struct {
	top    string // the root of the checkout, resolved
	commit string // its full name
}

// at returns the session as of a revision: files in the checkout that holds the
// policy come from there, all others are what they are.
func (s *session) at(against, ref string) (*session, error) {
	rev, ok := strings.CutPrefix(against, "git:")
	if !ok || rev == "" {
		return nil, misuse("write --against git:REV, with a commit, branch or tag", "--against %q is no revision of git", against)
	}
	if frontend.IsBuiltin(ref) || ref == frontend.Stdin {
		return nil, misuse("name a file", "git has no %q", ref)
	}
	dir, err := filepath.EvalSymlinks(existingDir(filepath.Dir(s.cache.abs(ref))))
	if err != nil {
		return nil, misuse("", "cannot look at the directory of the policy: %v", err)
	}
	r := revision{}
	if r.top, err = git(dir, "rev-parse", "--show-toplevel"); err != nil {
		return nil, misuse("the policy has to lie in a checkout", "cannot ask git about %s: %v", ref, err)
	}
	if r.commit, err = git(dir, "rev-parse", "--verify", "--quiet", "--end-of-options", rev+"^{commit}"); err != nil {
		return nil, misuse("write --against git:REV, with a commit, branch or tag", "git knows no revision %q", rev)
	}
	old := *s
	old.cache = newFileCache(s.app, s.cache.workDir, s.cache.home)
	old.cache.read = r.readFile
	return &old, nil
}

// existingDir is the directory, or the nearest one above it that exists: the
// policy may have lain in one that is gone.
func existingDir(dir string) string {
	for dir != "/" {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			break
		}
		dir = filepath.Dir(dir)
	}
	return dir
}

// within returns the path of a file in the checkout.
func (r revision) within(name string) (string, bool) {
	dir, err := filepath.EvalSymlinks(existingDir(filepath.Dir(name)))
	if err != nil {
		return "", false
	}
	rest := strings.TrimPrefix(filepath.Dir(name), existingDir(filepath.Dir(name)))
	rel, err := filepath.Rel(r.top, filepath.Join(dir, rest, filepath.Base(name)))
	return rel, err == nil && filepath.IsLocal(rel)
}

// readFile is [readFile] for a file as it was in the revision.
func (r revision) readFile(name string) ([]byte, error) {
	rel, ok := r.within(name)
	if !ok {
		return readFile(name)
	}
	fail := func(err error) ([]byte, error) { return nil, &os.PathError{Op: "read", Path: name, Err: err} }
	// One line: mode, type, object and size, a tab, and the name.
	line, err := git(r.top, "--literal-pathspecs", "ls-tree", "-l", "-z", "--full-tree", r.commit, "--", filepath.ToSlash(rel))
	if err != nil {
		return fail(err)
	}
	fields := strings.Fields(strings.SplitN(line, "\t", 2)[0])
	switch {
	case len(fields) != 4:
		return fail(fs.ErrNotExist)
	case fields[0] != "100644" && fields[0] != "100755":
		return fail(frontend.ErrNotRegular)
	}
	if size, err := strconv.Atoi(fields[3]); err != nil || size > maxFile {
		return fail(frontend.ErrTooLarge)
	}
	text, err := gitRaw(r.top, "cat-file", "blob", fields[2])
	if err != nil {
		return fail(err)
	}
	return text, nil
}

// git asks git a question and returns the answer without the newline at its end.
func git(dir string, args ...string) (string, error) {
	out, err := gitRaw(dir, args...)
	return strings.TrimRight(string(out), "\n"), err
}

// gitRaw runs git in a directory. It fetches nothing, and asks nobody.
func gitRaw(dir string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), gitTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", args...) //nolint:gosec // G204: the words are ours, but for the revision, which stands behind --end-of-options
	cmd.Dir = dir
	// A hook of git names the checkout that it runs in; here the directory does.
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); name != "GIT_DIR" && name != "GIT_WORK_TREE" && name != "GIT_INDEX_FILE" && name != "GIT_PREFIX" {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "GIT_NO_LAZY_FETCH=1", "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if text, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n"); text != "" {
			return nil, fmt.Errorf("%s", text)
		}
	}
	return stdout.Bytes(), err
}
