package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sandboxc/sbc/profiles"
)

func newInitCmd(a *app) *cobra.Command {
	var (
		purpose, output string
		force           bool
	)
	cmd := &cobra.Command{
		Use:   "init",
		Short: "write a commented policy to start from",
		Long: `Writes a commented policy to start from, for an AI agent, or for the tools of Node.js, Python or
Go. It compiles for every target without a loss. By default it becomes the policy of the
workspace, .sbc/policy.hcl, which counts once it is trusted: see sbc trust.`,
		Example: `  sbc init --for node
  sbc init -o - | less`,
		Args: takes(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			if err := oneOf("for", purpose, profiles.Starters()...); err != nil {
				return err
			}
			return a.init(purpose, output, force)
		},
	}
	cmd.Flags().StringVar(&purpose, "for", "agent", strings.Join(profiles.Starters(), ", "))
	complete(cmd, "for", profiles.Starters()...)
	cmd.Flags().StringVarP(&output, "output", "o", filepath.Join(".sbc", "policy.hcl"), "write to `FILE`; - is stdout")
	cmd.Flags().BoolVar(&force, "force", false, "replace a file that exists")
	return cmd
}

func (a *app) init(purpose, output string, force bool) error {
	text, _ := profiles.StarterSource(purpose)
	switch output {
	case "-":
		a.out.Write(text)
		return nil
	case "":
		return misuse("write -o FILE, or -o - for stdout", "the output file has no name")
	}
	if _, err := os.Lstat(output); err == nil && !force {
		return misuse("--force replaces it", "%s exists already", output)
	}
	if err := os.MkdirAll(filepath.Dir(output), 0o755); err != nil { //nolint:gosec // G301: a policy is no secret
		return misuse("", "cannot make the directory of the policy: %v", err)
	}
	if err := writeAtomic(output, text, 0o644); err != nil {
		return misuse("", "cannot write the policy: %v", err)
	}
	fmt.Fprintf(a.stderr, "wrote %s\nhint: sbc explain %s shows what becomes of it\n", oneLine(output), oneLine(output))
	return nil
}
