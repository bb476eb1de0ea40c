package main

import (
	"slices"
	"strings"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target"
)

// section is a part of the matrix of sbc explain.
type section string

// The sections, in their order.
const (
	secRoots    section = "roots"
	secGrants   section = "grants"
	secClosings section = "closings"
	secGuards   section = "guards"
	secNetwork  section = "network"
	secEnv      section = "environment"
	secProcess  section = "process"
	secLimits   section = "limits"
	secExtras   section = "for one target"
	secFloor    section = "floor"
)

func sections() []section {
	return []section{secRoots, secGrants, secClosings, secGuards, secNetwork, secEnv, secProcess, secLimits, secExtras, secFloor}
}

// row is a rule, or a guard as a whole, on every target.
type row struct {
	section section
	name    string
	rules   int                // of a guard
	cells   map[string][]entry // by target
}

// entry is a judged entry with what the accept says.
type entry struct {
	target.Judged
	reason string // of the accept, or empty
}

// matrix sorts the verdicts into rows, in the policy's order within a section.
func matrix(p *ir.Policy, js []target.Judgement) []row {
	var rows []*row
	index := map[string]*row{}
	seen := map[string]bool{}
	for _, j := range js {
		for _, e := range j.Entries {
			sec, name := placeOf(p, e.Entry)
			key := string(sec) + "\x00" + name
			r := index[key]
			if r == nil {
				r = &row{section: sec, name: name, cells: map[string][]entry{}}
				index[key] = r
				rows = append(rows, r)
			}
			if rule := key + "\x00" + e.Rule; !seen[rule] {
				seen[rule] = true
				r.rules++
			}
			x := entry{Judged: e}
			if e.Accept >= 0 {
				x.reason = p.Accepts[e.Accept].Reason
			}
			r.cells[j.Target] = append(r.cells[j.Target], x)
		}
	}
	var out []row
	for _, s := range sections() {
		for _, r := range rows {
			if r.section == s {
				out = append(out, *r)
			}
		}
	}
	return out
}

// placeOf returns where an entry stands in the matrix.
func placeOf(p *ir.Policy, e target.Entry) (section, string) {
	switch {
	case e.Layer == ir.LayerFloor:
		return secFloor, e.Rule
	case e.Guard != "":
		return secGuards, e.Guard
	case e.Index >= 0:
		r := &p.Files[e.Index]
		switch r.Group {
		case ir.GroupDeny, ir.GroupAsk, ir.GroupGlob, ir.GroupNarrowAsk:
			return secClosings, e.Rule
		case ir.GroupGrant:
			return secGrants, e.Rule
		case ir.GroupRequired, ir.GroupFloor:
			return secFloor, e.Rule
		case ir.GroupRoot:
			if r.Layer == ir.LayerSession {
				return secGrants, e.Rule
			}
			return secRoots, e.Rule
		}
	}
	for prefix, s := range map[string]section{"network": secNetwork, "env": secEnv, "process": secProcess, "limits": secLimits, "filesystem": secRoots} {
		if e.Rule == prefix || strings.HasPrefix(e.Rule, prefix+".") {
			return s, e.Rule
		}
	}
	return secExtras, e.Rule
}

// worst returns the entry that says most about a cell: by severity, then by
// verdict. A cell without entries has none.
func worst(cell []entry) (entry, bool) {
	if len(cell) == 0 {
		return entry{}, false
	}
	return slices.MinFunc(cell, func(a, b entry) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return int(b.Verdict) - int(a.Verdict)
	}), true
}

// rank orders severities, worst first; an accepted loss stands before a note.
func rank(e entry) int {
	switch {
	case e.Severity == 0:
		return 100
	case e.Severity == diag.Note && e.Accept < 0:
		return 50
	}
	return int(e.Severity)
}

// mark is the worst that a row says, as two columns of text.
func (r row) mark() string {
	out := "  "
	for _, cell := range r.cells {
		for _, e := range cell {
			switch {
			case e.Severity == diag.Error:
				return "!!"
			case e.Severity == diag.Security || e.Severity == diag.Warning:
				out = "! "
			case e.Accept >= 0 && out == "  ":
				out = "+ "
			}
		}
	}
	return out
}

// lost reports whether a target keeps the row less than exactly.
func (r row) lost() bool {
	for _, cell := range r.cells {
		if slices.ContainsFunc(cell, func(e entry) bool { return e.Verdict != target.Exact }) {
			return true
		}
	}
	return false
}
