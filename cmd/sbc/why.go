package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
)

// whyFlags are the flags of sbc why.
type whyFlags struct {
	policyFlags
	judgeFlags
	policy      string
	target      string
	format      string
	diagnostics string
}

func newWhyCmd(a *app) *cobra.Command {
	var f whyFlags
	cmd := &cobra.Command{
		Use:   "why read|write|unlink PATH",
		Short: "say whether a policy permits something on a path, and which rule decides",
		Long: `Answers from the same list of rules that is compiled: what the policy decides on each target,
which rule decides, which rules it beats, what the rule became in the output, and what would
open the path. Symbolic links in PATH are followed as the kernel does it. unlink is removing a
name, renaming it, and replacing it by a rename.

A question that was answered has the status 0, whatever the answer is; --format json has it
for scripts.`,
		Example: `  sbc why read ~/.ssh/id_ed25519
  sbc why write .git/hooks/pre-commit -p policy.hcl --target linux`,
		Args: takes(2, 2, "an operation (read, write or unlink) and a PATH"),
		RunE: func(_ *cobra.Command, args []string) error { return a.why(args[0], args[1], &f) },
	}
	policyFlag(cmd, &f.policy)
	f.policyFlags.register(cmd)
	targetFlag(cmd, &f.target, allTargets)
	diagnosticsFlag(cmd, &f.diagnostics)
	cmd.Flags().StringVar(&f.format, "format", "text", "text or json")
	complete(cmd, "format", "text", "json")
	return cmd
}

func (a *app) why(verb, path string, f *whyFlags) error {
	op, err := opOf(verb)
	if err != nil {
		return err
	}
	if path == "" || strings.ContainsRune(path, 0) {
		return misuse("name a path", "the path %q is no path", path)
	}
	if err := oneOf("format", f.format, "text", "json"); err != nil {
		return err
	}
	format, err := formatOf("diagnostics", f.diagnostics)
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
	if err := s.needsDir(path); err != nil {
		return err
	}
	l, err := s.loadOptional(f.policy)
	if err != nil {
		return err
	}
	if l.policy == nil {
		return a.badPolicy(l, format)
	}
	if err := a.tell(l.diags, format, l.source); err != nil {
		return err
	}
	ans := l.answer(op, path, l.lower(targets, f.judgeFlags, false))
	if f.format == "json" {
		enc := json.NewEncoder(a.out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(ans)
	}
	a.whyText(l, ans)
	return nil
}

func opOf(word string) (ir.Op, error) {
	var words []string
	for _, op := range ir.Ops() {
		if op.String() == word {
			return op, nil
		}
		words = append(words, op.String())
	}
	return 0, misuse(choices(word, words), "unknown operation %q", word)
}

// whyText prints the answer for people.
func (a *app) whyText(l *loaded, ans whyAnswer) {
	k := a.lookOf(a.target)
	fmt.Fprintf(a.out, "%s %s under %s\n", ans.Op, oneLine(ans.Path), oneLine(l.name()))
	for _, link := range ans.Links {
		fmt.Fprintf(a.out, "%s is a link to %s\n", oneLine(link.Path), oneLine(link.Target))
	}
	if ans.Problem != "" {
		fmt.Fprintln(a.out, oneLine(ans.Problem))
	}
	for _, t := range ans.Targets {
		color := red
		if t.Effect == ir.Allow.String() {
			color = green
		}
		fmt.Fprintf(a.out, "\n%s: %s\n", k.paint(bold, t.Target), k.paint(color, t.headline()))
		for _, line := range t.lines(l.source) {
			a.out.WriteString(wrapped("  ", oneLine(line), k.width))
		}
	}
}

// name is how the policy is called.
func (l *loaded) name() string {
	if len(l.policy.Sources) > 0 {
		return l.policy.Sources[0].File
	}
	return l.ref
}

// headline is the decision in a few words.
func (t whyTarget) headline() string {
	switch {
	case t.Pinned:
		return "no, pinned"
	case t.Effect == ir.Allow.String():
		return "yes"
	case t.Effect == ir.Ask.String():
		return "no, unless it is granted"
	}
	return "no"
}

// lines are what follows the headline.
func (t whyTarget) lines(source func(string) []byte) []string {
	out := []string{"no rule speaks about it, and what no rule opens is closed"}
	if t.Rule != nil {
		out = []string{"by " + t.Rule.String()}
		if text := sourceLine(source, t.Rule.Range); text != "" {
			out = append(out, "   | "+text)
		}
		if t.Rule.Reason != "" {
			out = append(out, "reason: "+t.Rule.Reason)
		}
	}
	if t.Pin != "" {
		out = append(out, "pinned: "+t.Pin)
	}
	for _, b := range t.Beaten {
		out = append(out, "beats "+b.String())
	}
	for _, text := range t.Launcher {
		out = append(out, "under sbc run: "+text)
	}
	for _, e := range t.Emitted {
		out = append(out, "emitted: "+e)
	}
	for _, v := range t.Losses {
		out = append(out, fmt.Sprintf("but %s %s: %s", v.Verdict, v.Code, v.Loss))
	}
	if t.Remedy != "" {
		out = append(out, "to open it: "+t.Remedy)
	}
	return out
}

// sourceLine is the line of a policy that a range starts in.
func sourceLine(source func(string) []byte, r *diag.Range) string {
	if r == nil || r.Start.Line == 0 {
		return ""
	}
	text := source(r.File)
	if text == nil || r.Start.Byte > len(text) {
		return ""
	}
	src := diag.NewSource(text)
	return strings.TrimSpace(string(src.Line(src.Pos(r.Start.Byte).Line)))
}
