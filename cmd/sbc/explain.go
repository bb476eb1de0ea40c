package main

import (
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sandboxc/sbc/ir/diag"
)

var codeShape = regexp.MustCompile(`^(?i)SBC[0-9]+$`)

// explainCode prints the page of a code.
func (a *app) explainCode(name string) error {
	p, ok := diag.PageOf(diag.Code(strings.ToUpper(name)))
	if !ok {
		var all []string
		for _, c := range diag.Codes() {
			all = append(all, string(c))
		}
		hint := "the codes are listed in docs/codes"
		if near := diag.Nearest(name, all); near != "" {
			hint = "did you mean " + near + "?"
		}
		return misuse(hint, "no code is called %q", name)
	}
	a.out.WriteString(p.Body)
	return nil
}

var _ = cobra.NoArgs
