package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/sandboxc/sbc/ir/diag"
)

func newTrustCmd(a *app) *cobra.Command {
	var (
		pf           policyFlags
		list, revoke bool
	)
	cmd := &cobra.Command{
		Use:   "trust",
		Short: "trust the policy that the workspace brings along",
		Long: `A policy that is found in a workspace (.sbc/policy.hcl or .sbc/policy.json) may only close
things until you trust it. This command records the hash of the file, and of each file that
it extends, in trust.json in your configuration. When one of them changes, the policy has to
be trusted again. Read it first: sbc explain .sbc/policy.hcl.`,
		Example: `  sbc trust
  sbc trust --list`,
		Args: takes(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			if list && revoke {
				return misuse("leave one of them out", "--list and --revoke contradict each other")
			}
			s, err := a.newSession(&pf, nil)
			if err != nil {
				return err
			}
			switch {
			case list:
				return a.trustList(s)
			case revoke:
				return a.trustRevoke(s)
			}
			return a.trust(s)
		},
	}
	pf.host = hostLive
	workspaceFlag(cmd, &pf)
	varFlag(cmd, &pf)
	cmd.Flags().BoolVar(&list, "list", false, "list what is trusted, and whether it still has the trusted content")
	cmd.Flags().BoolVar(&revoke, "revoke", false, "trust the policy of the workspace no longer")
	return cmd
}

// found returns the workspace's policy: its name in messages, and its path.
func (a *app) found(s *session) (file, path string, err error) {
	if err := s.place(); err != nil {
		return "", "", err
	}
	if s.diags.HasErrors() {
		return "", "", a.badPolicy(s.failed(""), diag.FormatText)
	}
	file, err = s.discover()
	if err == nil && file == "" {
		err = misuse("make one with sbc init, or name another directory with --workspace", "the workspace %s has no policy of its own", s.workspace)
	}
	return file, s.cache.abs(file), err
}

// trust records the policy, which must be one that can be loaded.
func (a *app) trust(s *session) error {
	file, path, err := a.found(s)
	if err != nil {
		return err
	}
	store, err := s.trustStore()
	if err != nil {
		return err
	}
	l, err := s.load(file)
	if err != nil {
		return err
	}
	if l.policy == nil {
		return a.badPolicy(l, diag.FormatText)
	}
	texts, err := s.closure(file)
	if err != nil {
		return err
	}
	files := hashes(texts)
	store.policies[path] = trustPolicy{File: path, Files: files}
	if err := store.save(); err != nil {
		return misuse("", "%v", err)
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(a.out, "trusted %s sha256:%s\n", oneLine(name), files[name])
	}
	return nil
}

func (a *app) trustRevoke(s *session) error {
	if err := s.place(); err != nil {
		return err
	}
	if s.diags.HasErrors() {
		return a.badPolicy(s.failed(""), diag.FormatText)
	}
	store, err := s.trustStore()
	if err != nil {
		return err
	}
	before := len(store.policies)
	for _, path := range s.ownPolicies() {
		if _, ok := store.policies[path]; ok {
			delete(store.policies, path)
			fmt.Fprintf(a.out, "revoked %s\n", oneLine(path))
		}
	}
	if len(store.policies) == before {
		return misuse("sbc trust --list shows what is trusted", "no policy of the workspace %s is trusted", s.workspace)
	}
	if err := store.save(); err != nil {
		return misuse("", "%v", err)
	}
	return nil
}

// trustList lists every trusted policy, wherever its workspace is.
func (a *app) trustList(s *session) error {
	store, err := s.trustStore()
	if err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(store.policies)) {
		p := store.policies[path]
		note := ""
		for _, name := range slices.Sorted(maps.Keys(p.Files)) {
			if text, err := readFile(name); err != nil {
				note = fmt.Sprintf(" (%s cannot be read)", name)
			} else if hashes(map[string][]byte{name: text})[name] != p.Files[name] {
				note = fmt.Sprintf(" (%s has changed)", name)
			}
		}
		fmt.Fprintln(a.out, oneLine(path+note))
	}
	return nil
}
