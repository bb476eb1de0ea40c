package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sandboxc/sbc/frontend"
	"github.com/sandboxc/sbc/ir/diag"
)

// defaultPolicy is the built-in profile that counts where nothing else is named.
const defaultPolicy = "workspace-write-no-network"

// policyFlag registers -p, for verbs whose policy is optional.
func policyFlag(cmd *cobra.Command, value *string) {
	cmd.Flags().StringVarP(value, "policy", "p", "", "the `POLICY`: a file, a built-in profile, or - for stdin (default: $SBC_POLICY, else .sbc/policy.hcl of the workspace, else "+defaultPolicy+")")
}

// loadOptional loads the policy that -p, SBC_POLICY or the workspace names.
func (s *session) loadOptional(flag string) (*loaded, error) {
	if flag != "" {
		return s.load(flag)
	}
	if name := s.app.env("SBC_POLICY"); name != "" {
		return s.load(name)
	}
	if err := s.place(); err != nil {
		return nil, err
	}
	if s.diags.HasErrors() {
		return s.failed(defaultPolicy), nil
	}
	file, err := s.discover()
	switch {
	case err != nil:
		return nil, err
	case file == "":
		return s.load(defaultPolicy)
	}
	return s.loadDiscovered(file)
}

// discover returns the workspace's own policy, as it is named in messages, or
// nothing. Only this machine has one: a record holds no contents.
func (s *session) discover() (string, error) {
	var found []string
	for _, file := range s.ownPolicies() {
		// What cannot be looked at counts as there, so that it is not passed over.
		if err := s.lstat(file); err == nil || !errors.Is(err, fs.ErrNotExist) {
			found = append(found, s.displayName(file))
		}
	}
	if len(found) > 1 {
		return "", misuse("remove one of them, or name one with -p", "the workspace has both %s and %s", found[0], found[1])
	}
	return strings.Join(found, ""), nil
}

// ownPolicies are the places where a workspace may have a policy of its own.
func (s *session) ownPolicies() []string {
	dir := filepath.Join(s.workspace, ".sbc")
	return []string{filepath.Join(dir, "policy.hcl"), filepath.Join(dir, "policy.json")}
}

// displayName is how a file is called in messages: relative to the current
// directory if it lies beneath it.
func (s *session) displayName(file string) string {
	if rest, ok := strings.CutPrefix(file, s.cache.workDir+"/"); ok {
		return rest
	}
	return file
}

// loadDiscovered loads the workspace's own policy: as the policy if it was
// trusted with exactly this content, and otherwise as a layer that only closes.
func (s *session) loadDiscovered(file string) (*loaded, error) {
	store, err := s.trustStore()
	if err != nil {
		return nil, err
	}
	files, err := s.closure(file)
	if err != nil {
		return nil, err
	}
	state := store.state(s.cache.abs(file), files)
	if state == trusted {
		return s.load(file)
	}
	flags := *s.flags
	flags.narrow = append([]string{file}, flags.narrow...)
	narrowed := *s
	narrowed.flags = &flags
	l, err := narrowed.load(defaultPolicy)
	if err != nil {
		return nil, err
	}
	summary := fmt.Sprintf("%s is not trusted, so only its closings count", file)
	if state == changed {
		summary = fmt.Sprintf("%s has changed since it was trusted, so only its closings count", file)
	}
	l.diags.Add(diag.Diagnostic{
		Code: diag.CodeUntrusted, Severity: diag.Warning, Summary: summary,
		Detail:  fmt.Sprintf("The policy is %s. Read the file, then run sbc trust, or name it with -p.", defaultPolicy),
		Subject: &diag.Range{File: file},
	})
	return l, nil
}

// closure returns the files that the policy is made of: itself and everything
// that it extends, by their absolute paths with their contents.
func (s *session) closure(file string) (map[string][]byte, error) {
	vars, err := s.flags.variables()
	if err != nil {
		return nil, err
	}
	files := newFileCache(s.app, s.cache.workDir, s.cache.home)
	// The contents come from the session's cache, so that what is compared with
	// the trusted hashes is what is loaded.
	reader := closureReader{from: s.cache, into: files}
	frontend.Load(frontend.Options{
		Policy: file, Workspace: s.workspace, WorkDir: s.cache.workDir, GitDirs: s.gitDirs,
		Vars: vars, Env: s.app.lookup, Host: s.machine.view, Facts: &s.machine.facts, Files: reader,
	})
	return files.texts, nil
}

// closureReader remembers what is read.
type closureReader struct{ from, into *fileCache }

// ReadFile implements [frontend.Files].
func (r closureReader) ReadFile(path string) ([]byte, error) {
	text, err := r.from.ReadFile(path)
	if err == nil {
		r.into.texts[path] = text
	}
	return text, err
}
