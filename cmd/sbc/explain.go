package main

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sandboxc/sbc/ir/diag"
)

// explainFlags are the flags of sbc explain.
type explainFlags struct {
	policyFlags
	judgeFlags
	target string
	format string
	lost   bool
	floor  bool
}

func newExplainCmd(a *app) *cobra.Command {
	var f explainFlags
	cmd := &cobra.Command{
		Use:   "explain POLICY | CODE",
		Short: "show what becomes of every rule on every target, or what a code means",
		Long: `With a POLICY, prints one line a rule and one column a target: exact, narrower (denies more),
snapshot (covers what exists at the start), wider (permits what the rule denies) or dropped.
A line that starts with !! is a loss that nobody accepted, one with ! is a warning, and one
with + is a loss that was accepted. Guards are folded to a line each; --format json has every
rule with the lines that it became.

The status is 1 if a loss is not accepted. With a CODE, such as SBC2103, prints the page of
that code.`,
		Example: `  sbc explain policy.hcl --lost
  sbc explain SBC2103`,
		Args: takes(1, 1, "a POLICY or a CODE"),
		RunE: func(_ *cobra.Command, args []string) error {
			if codeShape.MatchString(args[0]) {
				return a.explainCode(args[0])
			}
			return a.explain(args[0], &f)
		},
	}
	f.policyFlags.register(cmd)
	f.judgeFlags.register(cmd)
	targetFlag(cmd, &f.target, allTargets)
	fs := cmd.Flags()
	fs.StringVar(&f.format, "format", string(diag.FormatText), "text, json, sarif or github")
	complete(cmd, "format", formatNames()...)
	fs.BoolVar(&f.lost, "lost", false, "show only what is lost")
	fs.BoolVar(&f.floor, "floor", false, "show what every program needs on a target too")
	return cmd
}

func (a *app) explain(ref string, f *explainFlags) error {
	format, err := formatOf("format", f.format)
	if err != nil {
		return err
	}
	targets, err := targetsOf(f.target)
	if err != nil {
		return err
	}
	s, err := a.newSession(&f.policyFlags, targets)
	if err != nil {
		return err
	}
	l, err := s.load(ref)
	if err != nil {
		return err
	}
	if l.policy == nil {
		return a.badPolicy(l, format)
	}
	all := l.lower(targets, f.judgeFlags, false)
	ds := verdictDiagnostics(l, all)
	switch format {
	case diag.FormatText:
		err = a.explainText(l, all, f)
	case diag.FormatJSON:
		var text []byte
		text, err = encodeReport(l, all, nil)
		a.out.Write(text)
	case diag.FormatSARIF, diag.FormatGitHub:
		err = printDiagnostics(a.out, ds, format, l.source, look{})
	}
	if err != nil {
		return err
	}
	if ds.HasErrors() {
		return quiet(exitNo)
	}
	return nil
}

var codeShape = regexp.MustCompile(`^(?i)SBC[0-9]+$`)

// nearestCodes are the three codes whose numbers are nearest, in their order.
func nearestCodes(name string) []string {
	number := func(code string) int {
		n, err := strconv.Atoi(code[len("SBC"):])
		if err != nil {
			return math.MaxInt32 // more digits than any code has
		}
		return n
	}
	distance := func(c diag.Code) int { return max(number(string(c))-number(name), number(name)-number(string(c))) }
	codes := diag.Codes()
	slices.SortStableFunc(codes, func(a, b diag.Code) int { return distance(a) - distance(b) })
	var out []string
	for _, c := range codes[:3] {
		out = append(out, string(c))
	}
	slices.Sort(out)
	return out
}

// explainCode prints the page of a code.
func (a *app) explainCode(name string) error {
	p, ok := diag.PageOf(diag.Code(strings.ToUpper(name)))
	if !ok {
		var all []string
		for _, c := range diag.Codes() {
			all = append(all, string(c))
		}
		hint := "the nearest are " + strings.Join(nearestCodes(name), ", ") + "; docs/codes lists all"
		if near := diag.Nearest(name, all); near != "" {
			hint = "did you mean " + near + "?"
		}
		return misuse(hint, "no code is called %q", name)
	}
	a.out.WriteString(p.Body)
	return nil
}
