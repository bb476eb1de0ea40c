package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sandboxc/sbc/ir/diag"
)

// newRoot returns the command with all its verbs.
func newRoot(a *app) *cobra.Command {
	var version bool
	root := &cobra.Command{
		Use:   "sbc",
		Short: "compile one sandbox policy for macOS and Linux, and name every rule that is lost",
		Long: `sbc compiles one sandbox policy to what macOS (Seatbelt) and Linux (bubblewrap) can
enforce. Every rule gets a verdict on each system, and a rule that comes out weaker than
written stops the compilation until the author accepts it by name.

Exit status: 0 all is well; 1 the answer is no; 2 the question could not be put, and stdout
is empty, or the output could not be written; 3 an error in sbc itself.`,
		Example: `  sbc init -o policy.hcl
  sbc explain policy.hcl`,
		Args:          cobra.ArbitraryArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, args []string) error {
			if version {
				fmt.Fprintln(a.out, versionText())
				return nil
			}
			return unknownVerb(cmd, args)
		},
	}
	root.Flags().BoolVar(&version, "version", false, "print the version")
	root.CompletionOptions.DisableDefaultCmd = true
	root.DisableSuggestions = true // unknownVerb has its own
	root.SetOut(a.out)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(flagProblem)
	root.SetHelpCommand(newHelpCmd(root))
	root.AddCommand(verbs(a)...)
	return root
}

// unknownVerb ends a command that has verbs and got none of them.
func unknownVerb(cmd *cobra.Command, args []string) error {
	var names []string
	for _, c := range cmd.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	if len(args) == 0 {
		return misuse("run "+cmd.CommandPath()+" --help", "%s needs a command: %s", called(cmd), strings.Join(names, ", "))
	}
	hint := "run " + cmd.CommandPath() + " --help"
	if near := diag.Nearest(args[0], names); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	return misuse(hint, "unknown command %q for %s", args[0], cmd.CommandPath())
}

// flagProblem names what is wrong with a flag, and the nearest flag there is.
func flagProblem(cmd *cobra.Command, err error) error {
	hint := "run " + cmd.CommandPath() + " --help"
	var unknown *pflag.NotExistError
	if errors.As(err, &unknown) {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
		if near := diag.Nearest(unknown.GetSpecifiedName(), names); near != "" {
			hint = fmt.Sprintf("did you mean --%s?", near)
		}
	}
	var invalid *pflag.InvalidValueError
	if errors.As(err, &invalid) {
		switch invalid.GetFlag().Value.Type() {
		case "int":
			hint = "write a whole number"
		case "duration":
			hint = "write a duration, such as 30s or 2m"
		case "bool":
			hint = "write true or false"
		}
		return misuse(hint, "%q is no value for --%s", invalid.GetValue(), invalid.GetFlag().Name)
	}
	return misuse(hint, "%s", err)
}

// newHelpCmd returns the verb help.
func newHelpCmd(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "print the help of a command",
		Example: `  sbc help compile
  sbc help golden check`,
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil || len(rest) > 0 {
				if cmd == nil {
					cmd = root
				}
				return unknownVerb(cmd, rest)
			}
			cmd.InitDefaultHelpFlag()
			return cmd.Help()
		},
	}
}

// called is a command as messages name it, behind "sbc: ".
func called(cmd *cobra.Command) string {
	if !cmd.HasParent() {
		return "the command line"
	}
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
}

// takes checks the number of arguments; what names them in messages. A negative
// most means any number.
func takes(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		hint := "usage: " + cmd.UseLine()
		switch {
		case len(args) < least:
			return misuse(hint, "%s needs %s", called(cmd), what)
		case most >= 0 && len(args) > most && most == 0:
			return misuse(hint, "%s takes no argument, and got %q", called(cmd), args[0])
		case most >= 0 && len(args) > most:
			return misuse(hint, "%s takes %s, and got %q too", called(cmd), what, args[most])
		}
		return nil
	}
}
