package main

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/sandboxc/sbc/profiles"
)

func newProfilesCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "profiles",
		Short: "list and print the built-in profiles, guards and floors",
		Long: `Profiles are policies that a policy may extend, guards are the rules that hold unless a policy
excludes them, and the floor of a target is what programs need to start there at all. All are
policy files that you can read and copy.`,
		Example: `  sbc profiles list
  sbc profiles show readonly`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return unknownVerb(cmd, args) },
	}
	cmd.AddCommand(newProfilesListCmd(a), newProfilesShowCmd(a))
	return cmd
}

func newProfilesListCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "list the built-in profiles, guards and floors",
		Example: `  sbc profiles list
  sbc profiles list | grep ^guard`,
		Args: takes(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
			for _, f := range builtins() {
				fmt.Fprintf(w, "%s\t%s\t%s\n", f.kind, f.name, f.about())
			}
			return w.Flush()
		},
	}
}

func newProfilesShowCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "show NAME",
		Short: "print a built-in profile, guard or floor",
		Long:  "Prints the policy file of a profile, a guard, or a target's floor (floor-darwin, floor-linux).",
		Example: `  sbc profiles show workspace-write-no-network
  sbc profiles show credentials > credentials.hcl`,
		Args: takes(1, 1, "a NAME"),
		RunE: func(_ *cobra.Command, args []string) error {
			var names []string
			for _, f := range builtins() {
				if f.name == args[0] {
					a.out.Write(f.text)
					return nil
				}
				names = append(names, f.name)
			}
			return misuse(choices(args[0], names), "no profile, guard or floor is called %q", args[0])
		},
	}
}

const kindProfile = "profile"

// builtin is a policy file that comes with sbc.
type builtin struct {
	kind string // profile, guard or floor
	name string
	text []byte
}

func builtins() []builtin {
	var out []builtin
	add := func(kind, prefix string, names []string, open func(string) ([]byte, bool)) {
		for _, n := range names {
			text, _ := open(n)
			out = append(out, builtin{kind: kind, name: prefix + n, text: text})
		}
	}
	add(kindProfile, "", profiles.Names(), profiles.Source)
	add("guard", "", profiles.Guards(), profiles.GuardSource)
	add("floor", "floor-", profiles.Floors(), profiles.FloorSource)
	return out
}

// about is the comment at the top of the file: all of it for a profile, which
// people choose by it, and the first sentence otherwise.
func (b builtin) about() string {
	var words []string
	for line := range strings.Lines(string(b.text)) {
		text, ok := strings.CutPrefix(line, "#")
		if !ok {
			break
		}
		words = append(words, strings.Fields(text)...)
	}
	text := strings.Join(words, " ")
	if b.kind != kindProfile {
		text, _, _ = strings.Cut(text+" ", ". ")
	}
	return strings.TrimSuffix(strings.TrimSpace(text), ".")
}
