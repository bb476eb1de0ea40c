package main

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target"
)

// shownLosses is how many losses of one rule with the same code are spelled out.
const shownLosses = 3

// explainText prints the matrix for people.
func (a *app) explainText(l *loaded, all []lowered, f *explainFlags) error {
	k := a.lookOf(a.target)
	fmt.Fprintln(a.out, oneLine(headLine(l)))
	a.out.WriteString(matrixText(l.policy, all, k, matrixOptions{lost: f.lost, floor: f.floor, places: true}))
	rest := otherDiagnostics(l, all)
	if len(rest) > 0 {
		fmt.Fprintln(a.out)
	}
	return printText(a.out, rest, l.source, k)
}

// otherDiagnostics are the problems that the matrix does not show.
func otherDiagnostics(l *loaded, all []lowered) diag.List {
	out := append(diag.List{}, l.diags...)
	for _, x := range all {
		out.Add(x.report.Diagnostics...)
	}
	out.Add(target.UnusedAccepts(l.policy, judgements(all))...)
	return out
}

// matrixOptions say what the matrix shows.
type matrixOptions struct {
	lost   bool // leave out what is exact, and spell out every loss
	floor  bool // add what programs need on a target
	places bool // say in which line of which file a lost rule stands
}

// matrixText is the matrix with its totals: a line a rule and a column a target.
func matrixText(p *ir.Policy, all []lowered, k look, o matrixOptions) string {
	rows := matrix(p, judgements(all))
	shown := slices.DeleteFunc(slices.Clone(rows), func(r row) bool {
		return r.section == secFloor && !o.floor || o.lost && !r.lost()
	})
	t := table{look: k, targets: targetNames(all)}
	for _, r := range shown {
		t.name = max(t.name, utf8.RuneCountInString(oneLine(r.label())))
		for _, name := range t.targets {
			t.cell = max(t.cell, len(cellText(r.cells[name])))
		}
	}
	var out strings.Builder
	out.WriteString("\n")
	if len(shown) == 0 {
		out.WriteString("nothing is lost\n")
	} else {
		out.WriteString(t.head())
	}
	var last section
	for _, r := range shown {
		if r.section != last {
			out.WriteString(k.paint(bold, string(r.section)) + "\n")
			last = r.section
		}
		out.WriteString(t.row(r))
		for _, line := range r.losses(t.targets, o) {
			out.WriteString(wrapped("       ", line, k.width))
		}
	}
	out.WriteString("\n")
	for _, x := range all {
		out.WriteString(totals(rows, x.judgement) + "\n")
	}
	return out.String()
}

func targetNames(all []lowered) []string {
	var out []string
	for _, x := range all {
		out = append(out, x.judgement.Target)
	}
	return out
}

// headLine says what the policy was loaded against and from what.
func headLine(l *loaded) string {
	var layers []string
	if n := sessionRules(l.policy); n > 0 {
		layers = append(layers, counted(n, "grant", "grants"))
	}
	for _, s := range l.policy.Sources {
		text := s.File
		switch {
		case s.Narrow:
			text += " (narrow)"
		case s.Layer != ir.LayerWorkspace:
			text += fmt.Sprintf(" (%v)", s.Layer)
		}
		layers = append(layers, text)
	}
	return fmt.Sprintf("workspace %s; layers: %s; host: %s", l.policy.Workspace, strings.Join(layers, ", "), l.machine.describe())
}

// sessionRules counts the grants of the command line.
func sessionRules(p *ir.Policy) int {
	seen := map[string]bool{}
	for i := range p.Files {
		if r := &p.Files[i]; r.Layer == ir.LayerSession {
			seen[r.Origin.Address] = true
		}
	}
	return len(seen)
}

// describe says which machine it is.
func (m machine) describe() string {
	if m.name == hostNone {
		return m.name
	}
	text := fmt.Sprintf("%s (%s %s", m.name, m.facts.OS, m.facts.Arch)
	for _, v := range []string{m.facts.Kernel, m.facts.OSVersion} {
		if v != "" {
			text += " " + v
		}
	}
	if m.facts.Bwrap != nil {
		text += ", bubblewrap " + m.facts.Bwrap.Version
	}
	return text + ")"
}

// table knows the widths of the columns.
type table struct {
	look    look
	targets []string
	name    int
	cell    int
}

func (t table) head() string {
	line := strings.Repeat(" ", t.name+5)
	for _, name := range t.targets {
		line += fmt.Sprintf("%-*s", t.cell+2, name)
	}
	return t.look.paint(bold, strings.TrimRight(line, " ")) + "\n"
}

func (t table) row(r row) string {
	mark := r.mark()
	color := map[string]string{"!!": red, "! ": yellow, "+ ": cyan}[mark]
	line := t.look.paint(color, mark) + fmt.Sprintf(" %-*s  ", t.name, oneLine(r.label()))
	for i, name := range t.targets {
		text := cellText(r.cells[name])
		pad := strings.Repeat(" ", t.cell+2-len(text))
		if i == len(t.targets)-1 {
			pad = ""
		}
		line += t.look.paint(cellColor(r.cells[name]), text) + pad
	}
	return line + "\n"
}

// label names a row; a guard says how many rules it stands for.
func (r row) label() string {
	if r.section == secGuards {
		return fmt.Sprintf("%s (%s)", r.name, counted(r.rules, "rule", "rules"))
	}
	return r.name
}

// cellText is the worst verdict of a cell with its code, and who keeps the rule
// if the kernel does not. A rule that is for another target has a dash.
func cellText(cell []entry) string {
	e, ok := worst(cell)
	if !ok {
		return "-"
	}
	if e.Verdict == target.Exact && e.Enforcer != "" && e.Enforcer != target.Kernel {
		return "exact, by the " + string(e.Enforcer)
	}
	text := e.Verdict.String()
	if e.Severity != 0 {
		text += " " + string(e.Code)
	}
	more := map[diag.Code]bool{}
	for _, x := range cell {
		if x.Severity != 0 && x.Code != e.Code {
			more[x.Code] = true
		}
	}
	if len(more) > 0 {
		text += fmt.Sprintf(" +%d", len(more))
	}
	if e.Accept >= 0 {
		text += ", accepted"
	}
	return text
}

func cellColor(cell []entry) string {
	e, ok := worst(cell)
	switch {
	case !ok:
		return dim
	case e.Severity == diag.Error:
		return red
	case e.Severity == diag.Security || e.Severity == diag.Warning:
		return yellow
	case e.Verdict == target.Exact:
		return green
	}
	return cyan
}

// losses are lines on what is lost: what stops the compilation or warns, and
// where all losses are wanted also notes and what is accepted.
func (r row) losses(targets []string, o matrixOptions) []string {
	var out []string
	for _, name := range targets {
		count := map[diag.Code]int{}
		var codes []diag.Code
		for _, e := range r.cells[name] {
			loud := e.Severity != 0 && e.Severity != diag.Note
			if e.Severity == 0 || !loud && (!o.lost || e.Verdict == target.Exact) {
				continue
			}
			count[e.Code]++
			switch {
			case count[e.Code] == 1:
				codes = append(codes, e.Code)
				fallthrough
			case count[e.Code] <= shownLosses:
				if r.section != secGuards {
					out = append(out, oneLine(lossLine(name, e, o.places)))
				}
			}
		}
		for _, c := range codes {
			switch n := count[c]; {
			case r.section == secGuards:
				out = append(out, fmt.Sprintf("%s %s: %s (%s)", name, c, title(c), counted(n, "case", "cases")))
			case n > shownLosses:
				out = append(out, fmt.Sprintf("%s %s: and %d more, which --format json lists", name, c, n-shownLosses))
			}
		}
	}
	return out
}

// lossLine is one loss in words, with its place if wanted and what to do.
func lossLine(name string, e entry, place bool) string {
	text := fmt.Sprintf("%s %s: %s", name, e.Code, strings.TrimSuffix(e.Loss, "."))
	if rng := e.Origin.Range; place && rng.File != "" && rng.Start.Line > 0 {
		text += fmt.Sprintf(" (%s:%d)", rng.File, rng.Start.Line)
	}
	switch {
	case e.reason != "":
		text += "; accepted: " + e.reason
	case e.Instead != "":
		text += "; instead: " + e.Instead
	}
	return text
}
