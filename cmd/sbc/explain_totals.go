package main

import (
	"fmt"
	"strings"

	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target"
)

// totals is the line at the end for one target: how many rules have which
// verdict, the same for guards, and what was not accepted.
func totals(rows []row, j target.Judgement) string {
	rules, guards := map[target.Verdict]int{}, map[target.Verdict]int{}
	open, accepted := 0, 0
	for _, r := range rows {
		cell := r.cells[j.Target]
		if len(cell) == 0 || r.section == secFloor {
			continue
		}
		worst := target.Exact
		lost, taken := false, false
		for _, e := range cell {
			worst = target.Worse(worst, e.Verdict)
			lost = lost || e.Severity == diag.Error
			taken = taken || e.Accept >= 0
		}
		if r.section == secGuards {
			guards[worst]++
		} else {
			rules[worst]++
		}
		switch {
		case lost:
			open++
		case taken:
			accepted++
		}
	}
	text := fmt.Sprintf("%s: rules %s; guards %s", j.Target, tally(rules), tally(guards))
	if accepted > 0 {
		text += fmt.Sprintf("; %d accepted", accepted)
	}
	if open > 0 {
		text += fmt.Sprintf("; %d lost and not accepted", open)
	}
	return text
}

func tally(n map[target.Verdict]int) string {
	var parts []string
	for _, v := range target.Verdicts() {
		if n[v] > 0 {
			parts = append(parts, fmt.Sprintf("%d %v", n[v], v))
		}
	}
	if len(parts) == 0 {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// wrapped breaks a line at spaces for a terminal; a width of 0 leaves it whole.
// Every piece starts with the indent, and a later one with two spaces more.
func wrapped(indent, text string, width int) string {
	if width <= 0 || len(indent)+len(text) <= width {
		return indent + text + "\n"
	}
	var b strings.Builder
	line := indent
	empty := true
	for _, word := range strings.Fields(text) {
		if !empty && len(line)+1+len(word) > width {
			b.WriteString(line + "\n")
			line, empty = indent+"  ", true
		}
		if !empty {
			line += " "
		}
		line, empty = line+word, false
	}
	b.WriteString(line + "\n")
	return b.String()
}
