package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/ir/diag"
)

// People get notes folded, one line for all that says the same of one target:
// most are about guards, and a page of them would hide the warning that matters.
// Machines get each of them.

// noteKey is what folded notes have in common.
type noteKey struct {
	code   diag.Code
	target string
	text   string
}

// splitNotes returns what is not a note, and the notes as lines.
func splitNotes(l diag.List) (rest diag.List, lines []string) {
	guards := map[noteKey][]string{}
	var order []noteKey
	for _, d := range l.Sorted() {
		if d.Severity != diag.Note {
			rest.Add(d)
			continue
		}
		k := noteKey{code: d.Code, target: d.Target, text: d.Summary}
		guard, folds := strings.CutPrefix(d.Rule, "guards.")
		switch {
		case folds:
			k.text = title(d.Code)
		case strings.HasSuffix(d.Summary, ", and accepted"):
			k.text += ": " + d.Help
		case d.Rule != "" && d.Detail != "":
			k.text += ": " + strings.TrimSuffix(d.Detail, ".")
		}
		if !slices.Contains(order, k) {
			order = append(order, k)
		}
		if folds && !slices.Contains(guards[k], guard) {
			guards[k] = append(guards[k], guard)
		}
	}
	slices.SortStableFunc(order, func(a, b noteKey) int {
		return cmp.Or(cmp.Compare(a.target, b.target), cmp.Compare(a.code, b.code))
	})
	for _, k := range order {
		line := fmt.Sprintf("note[%s]: ", k.code)
		if k.target != "" && !strings.Contains(k.text, k.target) {
			line += k.target + ": "
		}
		line += k.text
		if g := guards[k]; len(g) > 0 {
			line += fmt.Sprintf(" (%s %s)", plural(len(g), "guard", "guards"), strings.Join(g, ", "))
		}
		lines = append(lines, oneLine(line))
	}
	return rest, lines
}

func title(c diag.Code) string {
	if p, ok := diag.PageOf(c); ok {
		return p.Title
	}
	return string(c)
}

func plural(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// printText prints diagnostics for people.
func printText(w io.Writer, l diag.List, source func(string) []byte, k look) error {
	rest, notes := splitNotes(l)
	if err := diag.Text(w, rest, diag.TextOptions{Sources: source, Color: k.color, Width: k.width}); err != nil {
		return err
	}
	if len(rest) > 0 && len(notes) > 0 {
		notes = append([]string{""}, notes...)
	}
	for _, line := range notes {
		if label, text, ok := strings.Cut(line, ": "); ok {
			line = k.paint(cyan, label) + ": " + text
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}
