package main

import (
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target"
)

// policyFlags are the flags that say what a policy is loaded against and which
// layers it has.
type policyFlags struct {
	workspace    string
	workspaceSet bool
	user         string
	userSet      bool
	noUser       bool
	read         []string
	write        []string
	narrow       []string
	vars         []string
	accept       []string
	host         string
	scan         scanFlags
}

// scanFlags bound the search for what globs match.
type scanFlags struct {
	files int
	depth int
	time  time.Duration
}

func (f *scanFlags) register(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.IntVar(&f.files, "scan-files", 2_000_000, "look at `N` names at most in the search for what globs match")
	fs.IntVar(&f.depth, "scan-depth", 64, "go `N` directories deep at most in that search")
	fs.DurationVar(&f.time, "scan-time", time.Minute, "end that search after this time")
}

// budget returns the bounds; the time starts now.
func (f *scanFlags) budget() (target.Budget, error) {
	for _, n := range []struct {
		flag string
		bad  bool
	}{{"scan-files", f.files < 1}, {"scan-depth", f.depth < 1}, {"scan-time", f.time <= 0}} {
		if n.bad {
			return target.Budget{}, misuse("give a positive value, or leave the flag out", "--%s bounds the search to nothing", n.flag)
		}
	}
	end := time.Now().Add(f.time)
	return target.Budget{Files: f.files, Depth: f.depth, Expired: func() bool { return time.Now().After(end) }}, nil
}

func (f *policyFlags) register(cmd *cobra.Command) {
	f.registerLayers(cmd)
	cmd.Flags().StringVar(&f.host, "host", hostLive, "what the policy is resolved against: live, none, or the `FILE` of a record made by sbc doctor --record")
}

// registerLayers registers all but --host.
func (f *policyFlags) registerLayers(cmd *cobra.Command) {
	workspaceFlag(cmd, f)
	varFlag(cmd, f)
	fs := cmd.Flags()
	fs.StringVar(&f.user, "user", "", "your own policy file (default: sbc/policy.hcl in your configuration directory, if it exists; \"\" for none)")
	fs.BoolVar(&f.noUser, "no-user", false, "leave your own policy file out")
	fs.StringArrayVar(&f.read, "read", nil, "open `PATH` for reading, this time; may be repeated")
	fs.StringArrayVar(&f.write, "write", nil, "open `PATH` for reading and writing, this time; may be repeated")
	fs.StringArrayVar(&f.narrow, "narrow", nil, "add a policy `FILE` of which only the closings count; may be repeated")
	fs.StringArrayVar(&f.accept, "accept", nil, "accept a loss, as `CODE:RULE`; may be repeated")
	f.scan.register(cmd)
}

// workspaceFlag registers --workspace.
func workspaceFlag(cmd *cobra.Command, f *policyFlags) {
	cmd.Flags().StringVar(&f.workspace, "workspace", "", "the directory that \"workspace\" means (default: the current directory; / and the home directory only if named here)")
	cmd.PreRun = func(cmd *cobra.Command, _ []string) {
		f.workspaceSet, f.userSet = cmd.Flags().Changed("workspace"), cmd.Flags().Changed("user")
	}
}

// varFlag registers --var.
func varFlag(cmd *cobra.Command, f *policyFlags) {
	cmd.Flags().StringArrayVar(&f.vars, "var", nil, "give a variable of the policy a value, as `NAME=VALUE`; may be repeated")
}

// layered returns the first flag that adds to a policy, or an empty string.
func (f *policyFlags) layered() string {
	switch {
	case f.workspaceSet:
		return "--workspace"
	case f.userSet && f.user != "":
		return "--user"
	case len(f.read) > 0:
		return "--read"
	case len(f.write) > 0:
		return "--write"
	case len(f.narrow) > 0:
		return "--narrow"
	case len(f.vars) > 0:
		return "--var"
	case len(f.accept) > 0:
		return "--accept"
	}
	return ""
}

// variables reads the values of --var.
func (f *policyFlags) variables() (map[string]string, error) {
	out := map[string]string{}
	for _, v := range f.vars {
		name, value, ok := strings.Cut(v, "=")
		if !ok || name == "" {
			return nil, misuse("write --var NAME=VALUE", "--var %q has no value", v)
		}
		if _, twice := out[name]; twice {
			return nil, misuse("", "--var gives %q two values", name)
		}
		out[name] = value
	}
	return out, nil
}

// judgeFlags say how severe losses are.
type judgeFlags struct {
	strict     bool
	standalone bool
	// apart is set for output in a form that is used without sbc run, whose
	// supervisor then decides nothing.
	apart bool
}

func (f *judgeFlags) register(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.strict, "strict", false, "a rule of your own that covers only what exists at the start is an error")
	cmd.Flags().BoolVar(&f.standalone, "standalone", false, "the output will be used without sbc run: what only its launcher enforces counts as dropped")
}

// allTargets is the value of --target that means each of them.
const allTargets = "all"

// targetFlag registers --target. An empty fallback means the target of this host.
func targetFlag(cmd *cobra.Command, value *string, fallback string) {
	usage := "darwin, linux or all"
	if fallback == "" {
		usage += " (default: this system's)"
	}
	cmd.Flags().StringVar(value, "target", fallback, usage)
	complete(cmd, "target", ir.Darwin, ir.Linux, allTargets)
}

// targetsOf returns the names of the targets that a value of --target means.
func targetsOf(value string) ([]string, error) {
	known := []string{ir.Darwin, ir.Linux}
	switch {
	case value == allTargets:
		return known, nil
	case slices.Contains(known, value):
		return []string{value}, nil
	case value == "" && slices.Contains(known, runtime.GOOS):
		return []string{runtime.GOOS}, nil
	case value == "":
		return nil, misuse("name one: --target darwin, --target linux or --target all", "sbc has no target for %s", runtime.GOOS)
	}
	return nil, misuse(choices(value, append(known, allTargets)), "unknown target %q", value)
}

// choices is a hint for a word that is not one of a list.
func choices(word string, list []string) string {
	if near := diag.Nearest(word, list); near != "" {
		return "did you mean \"" + near + "\"?"
	}
	return "choose one of " + strings.Join(list, ", ")
}

// complete offers the words for a flag in a shell.
func complete(cmd *cobra.Command, flag string, words ...string) {
	// It fails only for a flag that does not exist, which a test would show.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// refuseEmpty makes an empty value of a flag an error, for every command: it is
// what an unset variable of a script leaves, and must not count as no flag. An
// empty --user means none.
func refuseEmpty(cmd *cobra.Command) {
	for _, c := range cmd.Commands() {
		refuseEmpty(c)
	}
	if cmd.RunE == nil {
		return
	}
	run := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		var err error
		cmd.Flags().Visit(func(f *pflag.Flag) {
			values := []string{f.Value.String()}
			if list, ok := f.Value.(pflag.SliceValue); ok {
				values = list.GetSlice()
			}
			if slices.Contains(values, "") && f.Name != "user" {
				err = misuse("give it a value, or leave it out", "--%s is empty", f.Name)
			}
		})
		if err != nil {
			return err
		}
		return run(cmd, args)
	}
}

// oneOf checks the value of a flag that takes one of a few words.
func oneOf(flag, value string, list ...string) error {
	if slices.Contains(list, value) {
		return nil
	}
	return misuse(choices(value, list), "unknown value %q for --%s", value, flag)
}
