package main

import (
	"github.com/spf13/cobra"

	"github.com/sandboxc/sbc/ir/diag"
)

func newCompletionCmd(a *app) *cobra.Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "print the script that completes commands and flags in a shell",
		Long:  "Prints the script that completes commands and flags in bash, zsh, fish or powershell.",
		Example: `  source <(sbc completion bash)
  sbc completion fish > ~/.config/fish/completions/sbc.fish`,
		Args:                  takes(1, 1, "a shell"),
		ValidArgs:             shells,
		DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(a.out, true)
			case "zsh":
				return root.GenZshCompletion(a.out)
			case "fish":
				return root.GenFishCompletion(a.out, true)
			case "powershell":
				return root.GenPowerShellCompletionWithDesc(a.out)
			}
			hint := "the shells are bash, zsh, fish and powershell"
			if near := diag.Nearest(args[0], shells); near != "" {
				hint = "did you mean " + near + "?"
			}
			return misuse(hint, "unknown shell %q", args[0])
		},
	}
}
