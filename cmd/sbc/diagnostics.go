package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/sandboxc/sbc/ir/diag"
)

// diagnosticsFlag registers --diagnostics, for verbs whose product is something
// else than diagnostics.
func diagnosticsFlag(cmd *cobra.Command, value *string) {
	cmd.Flags().StringVar(value, "diagnostics", string(diag.FormatText), "how problems are printed on stderr: text, json, sarif or github")
	complete(cmd, "diagnostics", formatNames()...)
}

func formatNames() []string {
	var out []string
	for _, f := range diag.Formats() {
		out = append(out, string(f))
	}
	return out
}

// formatOf reads the value of a flag that takes a format of diagnostics.
func formatOf(flag, value string) (diag.Format, error) {
	return diag.Format(value), oneOf(flag, value, formatNames()...)
}

// printDiagnostics prints a list in a format. The look is that of the stream
// that the text ends up on.
func printDiagnostics(w io.Writer, l diag.List, format diag.Format, source func(string) []byte, k look) error {
	switch format {
	case diag.FormatText:
		return printText(w, l, source, k)
	case diag.FormatJSON:
		return diag.JSON(w, l)
	case diag.FormatSARIF:
		return diag.SARIF(w, l, version(), source)
	case diag.FormatGitHub:
		return diag.GitHub(w, l)
	}
	return misuse("", "unknown format %q", format)
}

// tell prints diagnostics on stderr. In a machine's format an empty list is a
// document too.
func (a *app) tell(l diag.List, format diag.Format, source func(string) []byte) error {
	return printDiagnostics(a.stderr, l, format, source, a.lookOf(a.stderr))
}

// badPolicy says what is wrong with a policy and ends the verb.
func (a *app) badPolicy(l *loaded, format diag.Format) error {
	if err := a.tell(l.diags, format, l.source); err != nil {
		return err
	}
	return quiet(exitUsage)
}
