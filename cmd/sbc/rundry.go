package main

import (
	"fmt"
	"strings"

	"github.com/sandboxc/sbc/enforce/run"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
)

// dryRun prints what would run: the request, the environment, what would be made
// on the host, and what the backend would be told.
func (x *execution) dryRun() error {
	out := x.app.out
	p := x.approved
	fmt.Fprintf(out, "request    %s\n", p.Hash())
	fmt.Fprintf(out, "policy     %s %s\n", p.Policy, x.compiled.name)
	fmt.Fprintf(out, "directory  %s\n", bwrap.Quote(p.Dir))
	fmt.Fprintf(out, "command    %s\n", quotedWords(p.Argv))
	for i, name := range p.Env {
		name, _, _ = strings.Cut(name, "=")
		fmt.Fprintf(out, "%-10s %s\n", label("variables", i), name)
	}
	if a, ok := x.compiled.artifact.(*bwrap.Artifact); ok {
		for i, path := range a.Plan.Create {
			fmt.Fprintf(out, "%-10s %s\n", label("create", i), bwrap.Quote(path))
		}
		for i, path := range a.Plan.Placeholders {
			fmt.Fprintf(out, "%-10s %s\n", label("reserve", i), bwrap.Quote(path))
		}
		if s := a.Plan.Supervise; s != nil {
			what := "names that are made"
			if s.Removals {
				what = "names that are made or removed"
			}
			if s.Mode == ir.SuperviseOpen {
				what += ", and opens"
			}
			fmt.Fprintf(out, "%-10s %s\n", "supervise", what)
		}
		kept, err := run.Enforced(&a.Plan)
		if err != nil {
			return err
		}
		for i, e := range kept {
			fmt.Fprintf(out, "%-10s %s %d by %s: %s\n", label("limits", i), e.Limit, e.Value, e.Mechanism, e.Covers)
		}
	}
	text, err := x.compiled.artifact.Render(target.Text)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\n%s", text)
	return nil
}

// label is a label at the first line of what it stands for.
func label(text string, i int) string {
	if i == 0 {
		return text
	}
	return ""
}

func quotedWords(words []string) string {
	var out []string
	for _, w := range words {
		out = append(out, bwrap.Quote(w))
	}
	return strings.Join(out, " ")
}
