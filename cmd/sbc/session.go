package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/frontend"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target"
)

// session is what policies are loaded against in one run.
type session struct {
	app       *app
	flags     *policyFlags
	machine   machine
	cache     *fileCache
	workspace string
	gitDirs   []string
	budget    target.Budget  // of the search for what globs match
	placed    bool           // the workspace was looked for
	noDir     error          // why the current directory is not known; nil if it is
	diags     diag.List      // what is wrong with the surroundings
	own       []frontend.Own // what a run itself writes
	// read and lstat are how single files are got at, besides the view.
	read  func(name string) ([]byte, error)
	lstat func(name string) error
}

// newSession looks at the surroundings that the flags name, for the targets that
// something is compiled for. If the session's diagnostics hold an error, nothing
// can be loaded.
func (a *app) newSession(f *policyFlags, targets []string) (*session, error) {
	wd, err := a.getwd()
	s := &session{app: a, flags: f, noDir: err, read: readFile, lstat: lstat}
	if err != nil {
		wd = "/" // nothing is relative to it
		names := slices.Concat([]string{f.workspace}, f.read, f.write, f.narrow)
		if f.user != "" {
			names = append(names, f.user)
		}
		if f.host != hostLive && f.host != hostNone {
			names = append(names, f.host)
		}
		if err := s.needsDir(names...); err != nil {
			return nil, err
		}
	}
	s.cache = newFileCache(a, wd, "")
	if len(targets) > 0 { // otherwise nothing is searched, and the verb may lack the flags
		if s.budget, err = f.scan.budget(); err != nil {
			return nil, err
		}
	}
	if s.machine, s.diags, err = a.machineOf(f.host, s.cache, slices.Contains(targets, ir.Linux)); err != nil || s.diags.HasErrors() {
		return s, err
	}
	s.cache.home = s.machine.facts.Home
	return s, nil
}

// needsDir fails if a name is relative to a current directory that nobody can
// tell, as one that was deleted.
func (s *session) needsDir(names ...string) error {
	for _, name := range names {
		if s.noDir != nil && !filepath.IsAbs(name) && !strings.HasPrefix(name, "~/") {
			return misuse("change to another directory, or give absolute paths, --workspace included", "cannot tell the current directory: %v", s.noDir)
		}
	}
	return nil
}

// place finds the workspace and its git directories. A policy in the form of the
// IR has its own and needs none.
func (s *session) place() error {
	if s.placed || s.diags.HasErrors() {
		return nil
	}
	s.placed = true
	if err := s.findWorkspace(); err != nil || s.diags.HasErrors() {
		return err
	}
	s.findGitDirs()
	s.checkHome()
	return nil
}

func (s *session) fail(code diag.Code, severity diag.Severity, summary, detail string) {
	s.diags.Add(diag.Diagnostic{Code: code, Severity: severity, Summary: summary, Detail: detail})
}

// findWorkspace resolves the workspace. Where nothing is known of the file
// system, it is taken as it is written.
func (s *session) findWorkspace() error {
	name := s.flags.workspace
	switch {
	case !s.flags.workspaceSet:
		name = s.cache.workDir
	case name == "":
		return misuse("name a directory", "--workspace is empty")
	}
	dir := s.cache.abs(name)
	const remedy = "Run sbc in the directory of the project, or name it with --workspace DIR."
	home := s.machine.facts.Home
	if s.machine.known() {
		r, err := host.Resolve(s.machine.view, dir)
		switch {
		case err != nil:
			s.fail(diag.CodeWorkspace, diag.Error, fmt.Sprintf("the workspace %q cannot be looked at", name), err.Error()+". "+remedy)
			return nil
		case r.Missing != "":
			s.fail(diag.CodeWorkspace, diag.Error, fmt.Sprintf("the workspace %q does not exist", name), remedy)
			return nil
		case r.Node.Type != host.Dir:
			s.fail(diag.CodeWorkspace, diag.Error, fmt.Sprintf("the workspace %q is not a directory", name), remedy)
			return nil
		}
		dir = r.Path
		if h, err := host.Resolve(s.machine.view, home); err == nil {
			home = h.Path
		}
	}
	if !s.flags.workspaceSet && (dir == "/" || dir == home) {
		what := "home"
		if dir == "/" {
			what = "root"
		}
		s.fail(diag.CodeWorkspace, diag.Error, fmt.Sprintf("the current directory is the %s directory, which is no workspace", what), remedy)
	}
	s.workspace = dir
	return nil
}

// findGitDirs finds the git directories of the checkout. What cannot be
// followed is left out, with a warning.
func (s *session) findGitDirs() {
	read := s.read
	if s.machine.name != hostLive {
		read = func(string) ([]byte, error) { return nil, errors.New("a record holds no contents") }
	}
	dirs, err := host.GitDirs(s.machine.view, read, s.workspace)
	if err != nil {
		s.fail(diag.CodeGitDir, diag.Warning, "git_dirs leaves out what .git leads to",
			err.Error()+". If the checkout was moved, run git worktree repair in the main checkout.")
		return
	}
	s.gitDirs = dirs
}

// options are the frontend's options for a policy.
func (s *session) options(ref string) (frontend.Options, error) {
	vars, err := s.flags.variables()
	if err != nil {
		return frontend.Options{}, err
	}
	user, err := s.userFile()
	if err != nil {
		return frontend.Options{}, err
	}
	return frontend.Options{
		Policy: ref, User: user, Narrow: s.flags.narrow, Read: s.flags.read, Write: s.flags.write,
		Accepts: s.flags.accept, Vars: vars, Env: s.app.lookup,
		Workspace: s.workspace, WorkDir: s.cache.workDir, GitDirs: s.gitDirs,
		Host: s.machine.view, Facts: &s.machine.facts, Files: s.cache, Own: s.own,
	}, nil
}

// userFile returns the user's own policy file, or an empty name. A record stands
// for another machine, so that only a file that is named counts.
func (s *session) userFile() (string, error) {
	switch {
	case s.flags.noUser && s.flags.user != "":
		return "", misuse("leave one of them out", "--user and --no-user contradict each other")
	case s.flags.noUser || s.flags.userSet:
		return s.flags.user, nil
	case s.machine.name != hostLive && s.machine.name != hostNone:
		return "", nil
	}
	file := filepath.Join(s.machine.facts.Config, "sbc", "policy.hcl")
	if err := s.lstat(file); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if rest, ok := strings.CutPrefix(file, s.machine.facts.Home+"/"); ok {
		file = "~/" + rest
	}
	return file, nil
}

// lstat reports whether something is there.
func lstat(name string) error {
	_, err := os.Lstat(name)
	return err
}

// recorded lets a witness see what the session asks for from now on.
func (s *session) recorded(w *witness) {
	s.read, s.lstat, s.cache.read = w.read, w.lstat, w.read
}

// loaded is a policy, or what is wrong with it: the policy is nil if the
// diagnostics hold an error.
type loaded struct {
	*session
	ref    string
	policy *ir.Policy
	diags  diag.List
	source func(file string) []byte // texts for messages
	// revision is the revision of git that the policy is of, as it was given;
	// empty for files as they are.
	revision string
}

// load loads a policy by the name of a file or profile.
func (s *session) load(ref string) (*loaded, error) {
	if s.diags.HasErrors() {
		return s.failed(ref), nil
	}
	if !frontend.IsBuiltin(ref) {
		if err := s.needsDir(ref); err != nil {
			return nil, err
		}
	}
	if text, ok := s.irText(ref); ok {
		return s.loadIR(ref, text)
	}
	if err := s.place(); err != nil {
		return nil, err
	}
	if s.diags.HasErrors() {
		return s.failed(ref), nil
	}
	o, err := s.options(ref)
	if err != nil {
		return nil, err
	}
	l := s.failed(ref)
	p, ds := frontend.Load(o)
	l.policy = p
	l.diags.Add(ds...)
	return l, nil
}

// failed is a policy that was not loaded, for the session's own problems.
func (s *session) failed(ref string) *loaded {
	return &loaded{session: s, ref: ref, diags: slices.Clone(s.diags), source: s.cache.Source}
}
