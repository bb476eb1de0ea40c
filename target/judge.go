package target

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
)

// JudgeOptions say how severe losses are.
type JudgeOptions struct {
	// Strict makes a snapshot of an author's own rule an error.
	Strict bool
	// Standalone counts what only the launcher or its proxy enforces as dropped:
	// the artefact will be used without sbc.
	Standalone bool
}

// Judged is an entry with what it means for the author.
type Judged struct {
	Entry
	// Severity is zero if there is nothing to say.
	Severity diag.Severity
	// Accept is the index in Policy.Accepts that takes the loss, or -1.
	Accept int
}

// Judgement is a report with its severities.
type Judgement struct {
	Target  string
	Entries []Judged
	// Diagnostics are the losses as diagnostics, the guards' folded to one a
	// guard and code, after the report's own.
	Diagnostics diag.List
}

// OK reports whether the artefact may be handed out.
func (j Judgement) OK() bool { return !j.Diagnostics.HasErrors() }

// Judge weighs a report: a loss that permits what a rule denies is an error
// unless an accept of the rule's own layer, or of a higher one, names it.
func Judge(p *ir.Policy, r Report, o JudgeOptions) Judgement {
	j := Judgement{Target: r.Target, Entries: make([]Judged, 0, len(r.Entries)), Diagnostics: append(diag.List{}, r.Diagnostics...)}
	for _, e := range r.Entries {
		if o.Standalone && e.Enforcer != Kernel && e.Enforcer != "" {
			e = standalone(e)
		}
		out := Judged{Entry: e, Accept: -1, Severity: severity(p, e, o)}
		if out.Severity == diag.Error || out.Severity == diag.Warning {
			if out.Accept = acceptFor(p, r.Target, e); out.Accept >= 0 {
				out.Severity = diag.Note
			}
		}
		j.Entries = append(j.Entries, out)
	}
	j.Diagnostics.Add(lossDiagnostics(p, j)...)
	return j
}

// standalone is what becomes of an entry when no launcher is there.
func standalone(e Entry) Entry {
	e.Verdict = Dropped
	if e.Loss == "" {
		e.Loss = "only sbc run enforces this"
	}
	return e
}

func severity(p *ir.Policy, e Entry, o JudgeOptions) diag.Severity {
	guard := e.Guard != ""
	switch e.Verdict {
	case Exact:
		if e.Code != "" {
			return diag.Note
		}
		return 0
	case Narrower:
		if guard || skipped(p, e) {
			return diag.Note
		}
		return diag.Warning
	case Snapshot:
		if o.Strict && !guard && e.Layer != ir.LayerFloor {
			return diag.Error
		}
		return diag.Note
	case Wider:
		// What a search did not reach may be anything, and a command can make a
		// tree that is too deep for the search of the next run.
		if guard && e.Code != diag.CodeScanBudget {
			return diag.Note
		}
		return diag.Error
	case Dropped:
		switch {
		case guard:
			return diag.Note
		case e.Opens:
			return diag.Warning
		}
		return diag.Error
	}
	return diag.Error
}

// skipped reports whether the author said that a missing path may be left out.
func skipped(p *ir.Policy, e Entry) bool {
	return e.Code == diag.CodeMissingOpen && e.Index >= 0 && p.Files[e.Index].OnMissing == ir.MissingSkip
}

// acceptFor returns the accept that takes the loss, or -1. Layers are ordered
// from the highest; an accept counts for its own layer and those below.
func acceptFor(p *ir.Policy, target string, e Entry) int {
	for i, a := range p.Accepts {
		if a.Code == e.Code && (a.Target == "" || a.Target == target) && a.Layer <= e.Layer && names(a.Rule, e.Rule) {
			return i
		}
	}
	return -1
}

// names reports whether an accept's address is the rule's, or that of the list
// or block that holds it.
func names(accept, rule string) bool {
	rest, ok := strings.CutPrefix(rule, accept)
	return ok && accept != "" && (rest == "" || rest[0] == '[' || rest[0] == '.')
}

// UnusedAccepts warns of accepts that matched nothing in any of the judgements.
// An accept for a target that was not compiled is not looked at.
func UnusedAccepts(p *ir.Policy, all []Judgement) diag.List {
	used := map[int]bool{}
	compiled := map[string]bool{}
	for _, j := range all {
		compiled[j.Target] = true
		for _, e := range j.Entries {
			if e.Accept >= 0 {
				used[e.Accept] = true
			}
		}
	}
	var out diag.List
	for i, a := range p.Accepts {
		everywhere := compiled[ir.Darwin] && compiled[ir.Linux]
		if used[i] || (a.Target != "" && !compiled[a.Target]) || (a.Target == "" && !everywhere && a.Layer != ir.LayerSession) {
			continue
		}
		d := diag.Diagnostic{
			Code: diag.CodeUnusedAccept, Severity: diag.Warning, Rule: a.Rule, Target: a.Target,
			Summary: fmt.Sprintf("the accept of %s for %q matches no loss", a.Code, a.Rule),
			Detail:  "Remove it, or correct the code or the rule's address. An accept counts for its own layer and lower ones only.",
		}
		if a.Origin.Range.File != "" {
			rng := a.Origin.Range
			d.Subject = &rng
		}
		out.Add(d)
	}
	return out
}

// lossDiagnostics turns judged entries into diagnostics.
func lossDiagnostics(p *ir.Policy, j Judgement) diag.List {
	var out diag.List
	type fold struct {
		guard string
		code  diag.Code
	}
	count := map[fold]int{}
	type keeper struct {
		code     diag.Code
		enforcer Enforcer
	}
	rules := map[keeper][]string{}
	var order []fold
	var kept []keeper
	for _, e := range j.Entries {
		switch {
		case e.Severity == 0:
		case e.Verdict == Exact && e.Guard == "" && e.Code == diag.CodeMissingClosed && e.Enforcer == Launcher:
			// A placeholder is something that people see; say where it stands.
			d := lossDiagnostic(p, j.Target, e)
			d.Summary = fmt.Sprintf("%s is kept with a placeholder on %s", e.Rule, j.Target)
			out.Add(d)
		case e.Verdict == Exact && e.Guard == "":
			k := keeper{e.Code, e.Enforcer}
			if rules[k] == nil {
				kept = append(kept, k)
			}
			name := e.Rule
			if e.Code == diag.CodeOthers && e.Index >= 0 {
				name += " " + e.Match(p) // people know their patterns better than their rules
			}
			if !slices.Contains(rules[k], name) {
				rules[k] = append(rules[k], name)
			}
		case e.Guard != "" && e.Severity == diag.Note:
			f := fold{e.Guard, e.Code}
			if count[f] == 0 {
				order = append(order, f)
			}
			count[f]++
		default:
			out.Add(lossDiagnostic(p, j.Target, e))
		}
	}
	for _, k := range kept {
		what := title(k.code)
		if k.enforcer != Kernel && k.code != diag.CodeOthers {
			what = fmt.Sprintf("kept by the %s only", k.enforcer)
		}
		d := diag.Diagnostic{
			Code: k.code, Severity: diag.Note, Target: j.Target,
			Summary: fmt.Sprintf("%s (%s)", what, strings.Join(rules[k], ", ")),
		}
		if k.code == diag.CodeOthers {
			d.Help = `process { supervise = "open" } covers it`
		}
		out.Add(d)
	}
	for _, f := range order {
		out.Add(diag.Diagnostic{
			Code: f.code, Severity: diag.Note, Rule: "guards." + f.guard, Target: j.Target,
			Summary: fmt.Sprintf("guard %s: %s (%s)", f.guard, title(f.code), plural(count[f], "rule")),
		})
	}
	return out
}

func lossDiagnostic(p *ir.Policy, target string, e Judged) diag.Diagnostic {
	d := diag.Diagnostic{
		Code: e.Code, Severity: e.Severity, Rule: e.Rule, Target: target,
		Summary: fmt.Sprintf("%s is %s on %s", e.Rule, e.Verdict, target),
		Detail:  sentence(e.Loss),
		Help:    e.Instead,
	}
	if e.Origin.Range.File != "" {
		r := e.Origin.Range
		d.Subject = &r
	}
	if e.Severity == diag.Error {
		d.Detail += fmt.Sprintf(" If the loss may be taken, accept %s for %q.", e.Code, e.Rule)
	}
	if e.Accept >= 0 {
		d.Summary += ", and accepted"
		d.Help = p.Accepts[e.Accept].Reason
	}
	return d
}

func title(c diag.Code) string {
	if pg, ok := diag.PageOf(c); ok {
		return pg.Title
	}
	return string(c)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func sentence(s string) string {
	if s == "" || strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}
