package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
)

// printTests prints how the tests ended, and ends the verb.
func (a *app) printTests(ans testAnswer, f *testFlags) error {
	if f.format == "json" {
		enc := json.NewEncoder(a.out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(ans); err != nil {
			return err
		}
	} else {
		k := a.lookOf(a.target)
		for _, p := range ans.Policies {
			a.testText(k, p, f)
		}
	}
	switch {
	case f.run != "" && ans.tests() == 0:
		return misuse("", "--run %q names no test of any policy", f.run)
	case ans.Failed > 0:
		return quiet(exitNo)
	case ans.Undecided > 0:
		return quiet(exitInternal)
	}
	return nil
}

// testText prints the tests of one policy for people.
func (a *app) testText(k look, p testedPolicy, f *testFlags) {
	switch {
	case p.has == 0:
		fmt.Fprintf(a.out, "none  %s has no test blocks\n", oneLine(p.Name))
	case len(p.Tests) == 0:
		fmt.Fprintf(a.out, "none  %s: --run %s names none of its %s\n", oneLine(p.Name), oneLine(f.run), counted(p.has, "test", "tests"))
	}
	for _, t := range p.Tests {
		word, color := "ok   ", green
		switch t.Status {
		case statusFail:
			word, color = "FAIL ", red
		case statusUndecided:
			word, color = "?    ", yellow
		}
		fmt.Fprintf(a.out, "%s %s (%s)\n", k.paint(color, word), oneLine(fmt.Sprintf("%s/%q", p.Name, t.Name)), t.extent(p.Targets))
		var last testedCheck
		for _, c := range t.Checks {
			if c.Status != statusOK && !c.sameLine(last) {
				fmt.Fprintf(a.out, "      %s%s\n", placeText(c.Place), oneLine(c.text()))
				last = c
			}
			for _, x := range c.Findings {
				a.out.WriteString(wrapped(strings.Repeat(" ", c.indent()), oneLine(c.Target+": "+c.line(x)), k.width))
			}
		}
	}
}

// text is the line of the test.
func (c testedCheck) text() string { return fmt.Sprintf("%s %s %s", c.Effect, c.Op, c.Pattern) }

// indent is how far the findings of a line stand to the right.
func (c testedCheck) indent() int {
	if c.Status != statusOK {
		return 8
	}
	return 6
}

// extent says how much was checked.
func (t testedTest) extent(targets []string) string {
	bad := 0
	for _, c := range t.Checks {
		if c.Status == t.Status && t.Status != statusOK {
			bad++
		}
	}
	lines := len(t.Checks) / max(len(targets), 1)
	text := counted(lines, "check", "checks") + ", " + counted(len(targets), "target", "targets")
	if bad > 0 {
		return fmt.Sprintf("%d of %s", bad, counted(len(t.Checks), "check", "checks"))
	}
	return text
}

// placeText is the start of a line that is about a place in a file.
func placeText(r *diag.Range) string {
	switch {
	case r == nil:
		return ""
	case r.Start.Line == 0:
		return r.File + ": "
	}
	return fmt.Sprintf("%s:%d:%d: ", r.File, r.Start.Line, r.Start.Column)
}

// line says what was found.
func (c testedCheck) line(f testedFinding) string {
	path := f.Path
	if f.Dir {
		path += " (a directory)"
	}
	subject := c.text()
	declared := ""
	if f.Code != "" {
		declared = fmt.Sprintf(" [%s]", f.Code)
	}
	switch f.Kind {
	case "policy":
		return fmt.Sprintf("the policy %s %s, %s", said(f), path, f.decided())
	case "permits", "denies":
		verb := map[string]string{"permits": "refuses", "denies": "permits"}[f.Kind]
		text := fmt.Sprintf("the output %s %s, which the policy %s %s", f.Kind, path, verb, f.decided())
		if declared != "" {
			return text + "; the report says so" + declared + f.where()
		}
		return text + f.where() + "; no report says so, please report it"
	case "snapshot":
		return fmt.Sprintf("%s holds for what exists at the start; not for %s if that is made later%s", subject, path, declared)
	case "narrower":
		return fmt.Sprintf("%s: the output refuses %s, as the report says%s", subject, path, declared)
	case "undecided":
		return fmt.Sprintf("%s: %s", subject, f.Reason)
	}
	return f.Kind
}

// said is what the policy does to a path.
func said(f testedFinding) string {
	switch f.Effect {
	case ir.Allow.String():
		return "permits"
	case ir.Ask.String():
		return "refuses, unless it is granted,"
	}
	return "refuses"
}

// decided says what decides in the policy.
func (f testedFinding) decided() string {
	switch {
	case f.Pinned:
		return "since it is pinned; what it holds may be changed, by " + f.Rule + inFile(f.Range)
	case f.Rule == "":
		return "since no rule speaks about it"
	}
	return "by " + f.Rule + inFile(f.Range)
}

func inFile(r *diag.Range) string {
	return strings.TrimSuffix(" ("+strings.TrimSuffix(placeText(r), ": ")+")", " ()")
}

// where is the part of the output that decides.
func (f testedFinding) where() string {
	var parts []string
	if f.As != "" {
		parts = append(parts, f.As)
	}
	if f.Emitted != "" {
		parts = append(parts, strings.TrimSpace(f.Emitted))
	}
	if len(parts) == 0 {
		return ""
	}
	return "; decided by " + strings.Join(slices.Compact(parts), ": ")
}
