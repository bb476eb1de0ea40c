package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sandboxc/sbc/frontend/document"
	"github.com/sandboxc/sbc/ir/diag"
)

func newCheckCmd(a *app) *cobra.Command {
	var (
		pf     policyFlags
		jf     judgeFlags
		target string
		format string
		schema bool
	)
	cmd := &cobra.Command{
		Use:   "check POLICY...",
		Short: "report what is wrong with policies, and what is lost of them",
		Long: `Loads each policy, compiles it for the target without writing anything, and prints what is
wrong: errors, lints, and the rules that the target cannot keep. A POLICY is a file, the
name of a built-in profile, or - for stdin.

The report is the product and goes to stdout. Only errors of the policy itself go to stderr
in the text format, with status 2; the formats json, sarif and github are always one document
on stdout, so that a code scanner sees those errors too. The format never changes the status.`,
		Example: `  sbc check policy.hcl
  sbc check --target all --format sarif .sbc/policy.hcl > sbc.sarif`,
		Args: func(cmd *cobra.Command, args []string) error {
			if schema {
				return takes(0, 0, "")(cmd, args)
			}
			return takes(1, -1, "a POLICY")(cmd, args)
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if schema {
				a.out.Write(document.JSONSchema())
				return nil
			}
			f, err := formatOf("format", format)
			if err != nil {
				return err
			}
			targets, err := targetsOf(target)
			if err != nil {
				return err
			}
			return a.check(args, &pf, jf, targets, f)
		},
	}
	pf.register(cmd)
	jf.register(cmd)
	targetFlag(cmd, &target, "")
	cmd.Flags().StringVar(&format, "format", string(diag.FormatText), "text, json, sarif or github")
	complete(cmd, "format", formatNames()...)
	cmd.Flags().BoolVar(&schema, "schema", false, "print the JSON Schema of policies in JSON syntax instead")
	return cmd
}

// check checks the policies one after the other; the worst status counts.
func (a *app) check(refs []string, pf *policyFlags, jf judgeFlags, targets []string, format diag.Format) error {
	s, err := a.newSession(pf, targets)
	if err != nil {
		return err
	}
	var found diag.List
	var sources []func(string) []byte
	status := exitOK
	for _, ref := range refs {
		l, err := s.load(ref)
		if err != nil {
			return err
		}
		ds, verdict := l.diags, exitUsage
		if l.policy != nil {
			ds, verdict = verdictDiagnostics(l, l.lower(targets, jf, false)), exitOK
			if ds.HasErrors() {
				verdict = exitNo
			}
		}
		status = max(status, verdict)
		sources = append(sources, l.source)
		switch {
		case format != diag.FormatText:
			found.Add(ds...)
		case verdict == exitUsage:
			err = a.tell(ds, format, l.source)
		default:
			fmt.Fprintln(a.out, checkLine(ref, ds))
			err = printDiagnostics(a.out, ds, format, l.source, a.lookOf(a.target))
		}
		if err != nil {
			return err
		}
	}
	if format != diag.FormatText {
		if err := printDiagnostics(a.out, found, format, firstOf(sources), look{}); err != nil {
			return err
		}
	}
	if status != exitOK {
		return quiet(status)
	}
	return nil
}

// firstOf asks one source after the other.
func firstOf(sources []func(string) []byte) func(string) []byte {
	return func(file string) []byte {
		for _, s := range sources {
			if text := s(file); text != nil {
				return text
			}
		}
		return nil
	}
}

// checkLine is what check says of one policy before its problems.
func checkLine(ref string, ds diag.List) string {
	kinds := []struct {
		severity diag.Severity
		one, all string
	}{
		{diag.Error, "error", "errors"},
		{diag.Security, "security warning", "security warnings"},
		{diag.Warning, "warning", "warnings"},
		{diag.Note, "note", "notes"},
	}
	var parts []string
	for _, k := range kinds {
		n := 0
		for _, d := range ds.Sorted() {
			if d.Severity == k.severity {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, counted(n, k.one, k.all))
		}
	}
	if len(parts) == 0 {
		return ref + ": ok"
	}
	return ref + ": " + strings.Join(parts, ", ")
}

// counted is a number and its noun.
func counted(n int, one, many string) string { return fmt.Sprintf("%d %s", n, plural(n, one, many)) }
