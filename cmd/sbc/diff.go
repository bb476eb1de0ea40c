package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sandboxc/sbc/frontend"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/verify"
)

// diffFlags are the flags of sbc diff.
type diffFlags struct {
	policyFlags
	target      string
	targets     string
	against     string
	gate        bool
	witnesses   int
	states      int
	format      string
	diagnostics string
}

func newDiffCmd(a *app) *cobra.Command {
	var f diffFlags
	cmd := &cobra.Command{
		Use:   "diff OLD NEW | diff POLICY --against git:REV | diff POLICY --targets A,B",
		Short: "say what a change of a policy opens and closes, for every path",
		Long: `Compares what two policies permit on each target: for every path, by operation, and field by
field for the network, the environment, processes and limits. Each is equivalent, narrower (the
new one permits less), wider (it permits more) or incomparable (both, or another value). A +
before a path says that the new policy permits what the old one refuses, a - the other way
round; the rules that decide on both sides stand below. There are a few shortest paths in each
direction (--witnesses), each decided by other rules. Where both policies close a path, "grant
read" and "grant write" say if a grant may open what it could not (a deny that became an ask is
wider) or no longer can; they are shown if something differs.

With --against, OLD is the same policy as git has it in the revision REV, with the files that it
extends; files outside of the checkout are read as they are. With --targets one policy is
compared on two targets: what differs by their nature, such as the system directories that
programs need to start, and spellings of a name that only macOS takes for the same, is left out.
Both are loaded with the same flags. Policies close the files that they were read from; these
files are left out too.

The status is 1 if anything differs, and 3 if a bound was met before an answer. With --gate it
is 1 only if something became wider or incomparable, for checks of pull requests. The formats
sarif and github have one finding for each path and setting, at the rule of the new policy.`,
		Example: `  sbc diff old.hcl new.hcl --target linux
  sbc diff .sbc/policy.hcl --against git:origin/main --gate --format github`,
		Args: takes(1, 2, "an OLD and a NEW policy, or a POLICY with --against or --targets"),
		RunE: func(_ *cobra.Command, args []string) error { return a.diff(args, &f) },
	}
	f.register(cmd)
	targetFlag(cmd, &f.target, allTargets)
	fs := cmd.Flags()
	fs.StringVar(&f.targets, "targets", "", "compare one policy on two targets, as `A,B`: darwin,linux")
	fs.StringVar(&f.against, "against", "", "compare with the policy in a revision of git, as `git:REV`")
	fs.BoolVar(&f.gate, "gate", false, "the status is 1 only if something became wider")
	fs.IntVar(&f.witnesses, "witnesses", verify.DefaultWitnesses, "show `N` paths at most in each direction")
	statesFlag(cmd, &f.states)
	fs.StringVar(&f.format, "format", string(diag.FormatText), "text, json, sarif or github")
	complete(cmd, "format", formatNames()...)
	diagnosticsFlag(cmd, &f.diagnostics)
	return cmd
}

// check finds flags and arguments that do not go together.
func (f *diffFlags) check(args []string, targetSet bool) error {
	one := ""
	switch {
	case f.against != "" && f.targets != "":
		return misuse("leave one of them out", "--against and --targets contradict each other")
	case f.against != "":
		one = "--against"
	case f.targets != "":
		one = "--targets"
	}
	switch {
	case one != "" && len(args) != 1:
		return misuse("name one policy", "%s compares one policy, and got %q too", one, args[1])
	case one == "" && len(args) != 2:
		return misuse("name another one, or give --against git:REV or --targets darwin,linux", "diff needs two policies, and got %q alone", args[0])
	case f.targets != "" && f.gate:
		return misuse("leave one of them out", "--gate is about a change, and --targets compares one policy")
	case f.targets != "" && targetSet:
		return misuse("leave one of them out", "--target and --targets contradict each other")
	case one == "" && args[0] == frontend.Stdin && args[1] == frontend.Stdin:
		return misuse("name a file for one of them", "both policies cannot be read from stdin")
	case f.witnesses < 1:
		return misuse("give a positive number", "--witnesses %d shows nothing", f.witnesses)
	}
	return checkStates(f.states)
}

func (a *app) diff(args []string, f *diffFlags) error {
	format, err := formatOf("diagnostics", f.diagnostics)
	if err != nil {
		return err
	}
	if _, err := formatOf("format", f.format); err != nil {
		return err
	}
	targets, err := targetsOf(f.target)
	if err != nil {
		return err
	}
	pair, err := targetPair(f.targets)
	if err != nil {
		return err
	}
	if err := f.check(args, f.target != allTargets); err != nil {
		return err
	}
	s, err := a.newSession(&f.policyFlags, nil)
	if err != nil {
		return err
	}
	old, now, err := s.versions(args, f)
	if err != nil {
		return err
	}
	for _, l := range slices.Compact([]*loaded{old, now}) {
		if l.policy == nil {
			if l.revision != "" {
				fmt.Fprintf(a.stderr, "sbc: the policy in %s cannot be loaded:\n", oneLine(l.revision))
			}
			return a.badPolicy(l, format)
		}
	}
	if err := a.tell(now.diags, format, now.source); err != nil {
		return err
	}
	o := verify.DiffOptions{Witnesses: f.witnesses, MaxStates: f.states}
	x := comparison{old: old, now: now, pair: pair}
	if pair != [2]string{} {
		c, err := verify.DiffTargets(now.policy, pair, o)
		if err != nil {
			return &fault{status: exitInternal, text: err.Error()}
		}
		x.parts = append(x.parts, comparedTarget{pair[1], c})
	} else {
		for _, t := range targets {
			c, err := verify.Diff(old.policy, now.policy, t, o)
			if err != nil {
				return &fault{status: exitInternal, text: err.Error()}
			}
			x.parts = append(x.parts, comparedTarget{t, c})
		}
	}
	return a.printDiff(x, f)
}

// targetPair reads the value of --targets.
func targetPair(value string) (out [2]string, err error) {
	if value == "" {
		return out, nil
	}
	words := strings.Split(value, ",")
	if len(words) != 2 || words[0] == words[1] {
		return out, misuse("write --targets darwin,linux", "--targets %q does not name two targets", value)
	}
	for i, w := range words {
		names, err := targetsOf(w)
		if err != nil || len(names) != 1 {
			return out, misuse(choices(w, []string{ir.Darwin, ir.Linux}), "unknown target %q", w)
		}
		out[i] = names[0]
	}
	return out, nil
}

// versions loads the two policies; it is one with --targets.
func (s *session) versions(args []string, f *diffFlags) (old, now *loaded, err error) {
	now, err = s.load(args[len(args)-1])
	if err != nil || f.targets != "" {
		return now, now, err
	}
	if f.against == "" {
		old, err = s.load(args[0])
		return old, now, err
	}
	before, err := s.at(f.against, args[0])
	if err != nil {
		return nil, nil, err
	}
	old, err = before.load(args[0])
	if err == nil {
		old.revision = f.against
	}
	return old, now, err
}

// comparison is what was compared.
type comparison struct {
	old, now *loaded
	pair     [2]string // the targets of one policy, or empty
	parts    []comparedTarget
}

type comparedTarget struct {
	target string
	change *verify.Change
}

// status is how the verb ends.
func (x comparison) status(gate bool) int {
	undecided, differs := false, false
	for _, p := range x.parts {
		undecided = undecided || p.change.Undecided()
		if gate {
			differs = differs || p.change.Wider()
		} else {
			differs = differs || !p.change.Equal()
		}
	}
	switch {
	case differs:
		return exitNo
	case undecided:
		return exitInternal
	}
	return exitOK
}

// printDiff prints what differs, and ends the verb.
func (a *app) printDiff(x comparison, f *diffFlags) error {
	var err error
	switch format := diag.Format(f.format); format {
	case diag.FormatText:
		k := a.lookOf(a.target)
		for _, p := range x.parts {
			a.diffText(k, x, p)
		}
	case diag.FormatJSON:
		err = a.diffJSON(x)
	case diag.FormatSARIF, diag.FormatGitHub:
		err = printDiagnostics(a.out, x.diagnostics(f.gate), format, x.now.source, look{})
	}
	if err != nil {
		return err
	}
	if status := x.status(f.gate); status != exitOK {
		return quiet(status)
	}
	return nil
}
