package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/ir/diag"
)

// goldenOrphans names, or removes, the snapshots beside the policies that belong
// to no policy. It reports whether there are any.
func (a *app) goldenOrphans(c *goldenConfig, update bool) (found bool, err error) {
	dirs := map[string]bool{"": true}
	for _, p := range c.policies {
		dir, _ := filepath.Split(filepath.FromSlash(p))
		dirs[dir] = true
	}
	var names []string
	for dir := range dirs {
		entries, err := os.ReadDir(filepath.Join(c.realDir, dir))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return false, misuse("", "cannot look for snapshots: %v", err)
		}
		for _, e := range entries {
			policy, ok := strings.CutSuffix(dir+e.Name(), goldenSuffix)
			if ok && !slices.Contains(c.policies, filepath.ToSlash(policy)) {
				names = append(names, filepath.Join(c.dir, policy+goldenSuffix))
			}
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if !update {
			fmt.Fprintf(a.out, "%s belongs to no policy\n", oneLine(name))
			continue
		}
		if err := os.Remove(name); err != nil {
			return true, misuse("", "cannot remove a snapshot without a policy: %v", err)
		}
		fmt.Fprintf(a.out, "removed %s\n", oneLine(name))
	}
	return len(names) > 0, nil
}

// within puts the directory before the files of diagnostics, so that messages
// name them as the user does.
func within(dir string, ds diag.List) diag.List {
	move := func(r *diag.Range) *diag.Range {
		if r == nil || r.File == "" || strings.Contains(r.File, ":") {
			return r
		}
		moved := *r
		moved.File = filepath.Join(dir, r.File)
		return &moved
	}
	out := slices.Clone(ds)
	for i := range out {
		out[i].Subject, out[i].Context = move(out[i].Subject), move(out[i].Context)
		out[i].Related = slices.Clone(out[i].Related)
		for j := range out[i].Related {
			out[i].Related[j].Range = *move(&out[i].Related[j].Range)
		}
	}
	return out
}

// sourceFile reads a file that a message is about, as it is named.
func sourceFile(file string) []byte {
	text, err := readFile(file)
	if err != nil {
		return nil
	}
	return text
}
