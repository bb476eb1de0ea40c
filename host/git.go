package host

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// ErrGitPointer means that the workspace's .git leads to a directory that does
// not lead back. Whoever may write the workspace may write such a file, so it
// must not decide what a policy opens.
var ErrGitPointer = errors.New("the .git file leads to a directory that does not lead back")

// GitDirs returns the git directories of the checkout at the workspace: the
// .git directory itself, or those that a .git file leads to, as in a worktree
// (gitrepository-layout(5)) or a submodule: the git directory and the common
// directory. It returns none if the workspace is no checkout, and
// [ErrGitPointer] if the directories do not lead back to the workspace.
//
// The view resolves paths, read returns the content of a small file.
func GitDirs(v View, read func(string) ([]byte, error), workspace string) ([]string, error) {
	dot := path.Join(workspace, ".git")
	n, err := v.Lstat(dot)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("cannot look at %q: %w", dot, err)
	case n.Type == Dir:
		return []string{dot}, nil
	case n.Type != File:
		return nil, fmt.Errorf("%w: %q is a %v", ErrGitPointer, dot, n.Type)
	}
	dir, err := pointer(v, read, dot, "gitdir: ", workspace)
	if err != nil {
		return nil, err
	}
	if common, err := pointer(v, read, path.Join(dir, "commondir"), "", dir); err == nil {
		return worktree(v, read, dot, dir, common)
	}
	return submodule(v, read, workspace, dir)
}

// pointer reads a file that holds a path, resolved against base.
func pointer(v View, read func(string) ([]byte, error), file, prefix, base string) (string, error) {
	data, err := read(file)
	if err != nil {
		return "", fmt.Errorf("cannot read %q: %w", file, err)
	}
	text, ok := strings.CutPrefix(strings.TrimRight(string(data), "\r\n"), prefix)
	if !ok || text == "" || strings.ContainsAny(text, "\n\x00") {
		return "", fmt.Errorf("%w: %q holds no path", ErrGitPointer, file)
	}
	if !path.IsAbs(text) {
		text = path.Join(base, text)
	}
	r, err := Resolve(v, path.Clean(text))
	if err != nil {
		return "", fmt.Errorf("cannot follow %q: %w", file, err)
	}
	return r.Path, nil
}

// worktree checks that the git directory is one of common's worktrees, that it
// names the workspace's .git, and that common is a repository.
func worktree(v View, read func(string) ([]byte, error), dot, dir, common string) ([]string, error) {
	if path.Dir(dir) != path.Join(common, "worktrees") {
		return nil, fmt.Errorf("%w: %q is no worktree of %q", ErrGitPointer, dir, common)
	}
	back, err := pointer(v, read, path.Join(dir, "gitdir"), "", dir)
	if err != nil || back != dot {
		return nil, fmt.Errorf("%w: %q does not name %q", ErrGitPointer, path.Join(dir, "gitdir"), dot)
	}
	if !isRepository(v, common) {
		return nil, fmt.Errorf("%w: %q is no repository", ErrGitPointer, common)
	}
	return []string{common}, nil // the worktree's directory lies in it
}

// submodule checks that the git directory is a repository whose core.worktree
// is the workspace.
func submodule(v View, read func(string) ([]byte, error), workspace, dir string) ([]string, error) {
	if !isRepository(v, dir) {
		return nil, fmt.Errorf("%w: %q is no repository", ErrGitPointer, dir)
	}
	data, err := read(path.Join(dir, "config"))
	if err != nil {
		return nil, fmt.Errorf("cannot read the configuration of %q: %w", dir, err)
	}
	for line := range strings.Lines(string(data)) {
		key, value, ok := strings.Cut(line, "=")
		if !ok || !strings.EqualFold(strings.TrimSpace(key), "worktree") {
			continue
		}
		tree := strings.Trim(strings.TrimSpace(value), `"`)
		if !path.IsAbs(tree) {
			tree = path.Join(dir, tree)
		}
		if r, err := Resolve(v, path.Clean(tree)); err == nil && r.Path == workspace {
			return []string{dir}, nil
		}
	}
	return nil, fmt.Errorf("%w: the core.worktree of %q is not %q", ErrGitPointer, dir, workspace)
}

// isRepository reports whether the directory has what git takes for a
// repository: HEAD, objects and refs.
func isRepository(v View, dir string) bool {
	for _, name := range []string{"objects", "refs"} {
		if n, err := v.Lstat(path.Join(dir, name)); err != nil || n.Type != Dir {
			return false
		}
	}
	_, err := v.Lstat(path.Join(dir, "HEAD"))
	return err == nil
}
