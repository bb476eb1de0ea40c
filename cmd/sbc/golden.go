package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sandboxc/sbc/ir/diag"
)

func newGoldenCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "golden",
		Short: "keep committed snapshots of what policies compile to",
		Long: `A snapshot is a file beside a policy (POLICY.golden.txtar) with the verdict on each rule and the
output for each target. Committed, it shows in review what a change of a policy really changes.

What a snapshot depends on is pinned by a file sbc.golden.hcl beside the policies, so that it is
the same on every machine:

  policies  = ["*.hcl"]        # default: the .hcl and .json files beside it
  workspace = "/workspace"     # and home, tmp, user_cache, os, arch
  host      = "host.json"      # a record made by sbc doctor --record, or "none";
                               # default: a machine where those directories are empty
  targets   = ["linux"]        # default: all
  vars      = { name = "x" }   # also: directory (where in the workspace the file lies),
                               # strict, standalone

DIR stands for every sbc.golden.hcl beneath it (directories that start with a dot are left out,
but for .sbc, and node_modules and vendor too); FILE is a single policy. The default is the
current directory.`,
		Example: `  sbc golden update
  sbc golden check policies/`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return unknownVerb(cmd, args) },
	}
	cmd.AddCommand(
		&cobra.Command{
			Use:   "check [DIR | FILE]...",
			Short: "compare policies with their snapshots",
			Long: `Compiles each policy and compares the result with its snapshot. Prints what differs, and finds
policies without a snapshot and snapshots without a policy; then the status is 1.`,
			Example: `  sbc golden check
  sbc golden check policies/agent.hcl`,
			Args: takes(0, -1, ""),
			RunE: func(_ *cobra.Command, args []string) error { return a.golden(args, false) },
		},
		&cobra.Command{
			Use:   "update [DIR | FILE]...",
			Short: "write the snapshots of policies",
			Long: `Writes the snapshot of each policy, each in one step, and removes snapshots without a policy.
Read the difference before you commit it.`,
			Example: `  sbc golden update
  sbc golden update policies/agent.hcl`,
			Args: takes(0, -1, ""),
			RunE: func(_ *cobra.Command, args []string) error { return a.golden(args, true) },
		},
	)
	return cmd
}

// goldenWork is one policy to compare, or a whole directory.
type goldenWork struct {
	config string // a sbc.golden.hcl
	only   string // the one policy that is meant; empty means all
}

func (a *app) golden(args []string, update bool) error {
	if len(args) == 0 {
		args = []string{"."}
	}
	var work []goldenWork
	for _, arg := range args {
		w, err := goldenWorks(arg)
		if err != nil {
			return err
		}
		work = append(work, w...)
	}
	status, fresh := exitOK, 0
	for _, w := range work {
		c, ds, err := a.readGolden(w.config)
		if err != nil {
			return err
		}
		if c == nil {
			if err := a.tell(ds, diag.FormatText, sourceFile); err != nil {
				return err
			}
			status = max(status, exitUsage)
			continue
		}
		s, n, err := a.goldenDir(c, w.only, update)
		if err != nil {
			return err
		}
		status, fresh = max(status, s), fresh+n
	}
	switch {
	case status == exitOK && !update:
		fmt.Fprintf(a.out, "%s up to date\n", counted(fresh, "snapshot is", "snapshots are"))
	case status == exitNo:
		return &fault{status: exitNo, text: "snapshots are not up to date", hint: "run sbc golden update, read the difference, and commit it"}
	case status != exitOK:
		return quiet(status)
	}
	return nil
}

// goldenWorks finds the sbc.golden.hcl that an argument means.
func goldenWorks(arg string) ([]goldenWork, error) {
	info, err := os.Stat(arg)
	if err != nil {
		return nil, misuse("", "cannot look at %q: %v", arg, err)
	}
	if !info.IsDir() {
		return goldenAbove(arg)
	}
	var out []goldenWork
	err = filepath.WalkDir(arg, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			if errors.Is(err, fs.ErrPermission) {
				return fs.SkipDir
			}
			return err
		}
		base := d.Name()
		switch {
		case d.IsDir() && name != arg && (strings.HasPrefix(base, ".") && base != ".sbc" || base == "node_modules" || base == "vendor"):
			return fs.SkipDir
		case base == goldenFile && !d.IsDir():
			out = append(out, goldenWork{config: name})
		}
		return nil
	})
	if err != nil {
		return nil, misuse("", "cannot look at %q: %v", arg, err)
	}
	if len(out) == 0 {
		return nil, misuse("see sbc golden --help", "there is no %s beneath %q", goldenFile, arg)
	}
	return out, nil
}

// goldenAbove finds the nearest sbc.golden.hcl above a policy.
func goldenAbove(policy string) ([]goldenWork, error) {
	abs, err := filepath.Abs(policy)
	if err != nil {
		return nil, misuse("", "cannot look at %q: %v", policy, err)
	}
	up := filepath.Dir(policy)
	for dir := filepath.Dir(abs); ; dir, up = filepath.Dir(dir), filepath.Join(up, "..") {
		if _, err := os.Stat(filepath.Join(dir, goldenFile)); err == nil {
			rel, err := filepath.Rel(dir, abs)
			if err != nil {
				return nil, misuse("", "cannot look at %q: %v", policy, err)
			}
			return []goldenWork{{config: filepath.Join(up, goldenFile), only: filepath.ToSlash(rel)}}, nil
		}
		if dir == filepath.Dir(dir) {
			return nil, misuse("see sbc golden --help", "there is no %s beside or above %q", goldenFile, policy)
		}
	}
}

// goldenDir compares or writes the snapshots of one config. It returns the
// status, and how many snapshots are as they should be.
func (a *app) goldenDir(c *goldenConfig, only string, update bool) (status, fresh int, err error) {
	if only != "" && !slices.Contains(c.policies, only) {
		return 0, 0, misuse("add it to policies", "%s does not name %q", filepath.Join(c.dir, goldenFile), only)
	}
	for _, policy := range c.policies {
		if only != "" && policy != only {
			continue
		}
		want, ds, err := a.snapshot(c, policy)
		if err != nil {
			return 0, 0, err
		}
		if want == nil {
			if err := a.tell(within(c.dir, ds), diag.FormatText, sourceFile); err != nil {
				return 0, 0, err
			}
			status = max(status, exitUsage)
			continue
		}
		same, err := a.goldenOne(filepath.Join(c.dir, filepath.FromSlash(policy)), want, update)
		switch {
		case err != nil:
			return 0, 0, err
		case same:
			fresh++
		case !update:
			status = max(status, exitNo)
		}
	}
	if only == "" {
		orphans, err := a.goldenOrphans(c, update)
		if err != nil {
			return 0, 0, err
		}
		if orphans && !update {
			status = max(status, exitNo)
		}
	}
	return status, fresh, nil
}

// goldenOne compares or writes one snapshot. It reports whether the file was as
// it should be.
func (a *app) goldenOne(policy string, want []byte, update bool) (bool, error) {
	file := policy + goldenSuffix
	have, err := os.ReadFile(file) //nolint:gosec // G304: it lies beside a policy that the user names
	missing := errors.Is(err, fs.ErrNotExist)
	switch {
	case err != nil && !missing:
		return false, misuse("", "cannot read the snapshot: %v", err)
	case err == nil && bytes.Equal(have, want):
		return true, nil
	case update:
		if err := writeAtomic(file, want, 0o644); err != nil {
			return false, misuse("", "cannot write the snapshot: %v", err)
		}
		fmt.Fprintf(a.out, "wrote %s\n", oneLine(file))
	case missing:
		fmt.Fprintf(a.out, "%s has no snapshot\n", oneLine(policy))
	default:
		a.out.WriteString(unified(file, file+" (now)", have, want))
	}
	return false, nil
}
