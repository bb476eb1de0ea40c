package main

import (
	"fmt"
	"strings"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/profiles"
	"github.com/sandboxc/sbc/verify"
)

// diagnostics are one finding for each path and setting that differs. What is
// wider is an error under --gate, and a matter of security otherwise.
func (x comparison) diagnostics(gate bool) diag.List {
	var out diag.List
	for _, p := range x.parts {
		for _, f := range p.change.Files {
			for _, w := range f.Witnesses {
				out.Add(x.pathFinding(p.target, f, w, gate))
			}
			if f.Relation == verify.Undecided {
				out.Add(diag.Diagnostic{
					Code: diag.CodeUndecided, Severity: diag.Error, Target: p.target, Subject: x.now.whole(),
					Summary: fmt.Sprintf("it is not known what %s became", f.What()), Detail: undecidedDetail,
				})
			}
		}
		for _, s := range p.change.Settings {
			out.Add(x.settingFinding(p.target, s, gate))
		}
	}
	return out
}

const undecidedDetail = "The comparison took more than --max-states. Give it more, or write globs with fewer wildcards."

func (x comparison) pathFinding(target string, f verify.FileChange, w verify.Witness, gate bool) diag.Diagnostic {
	r := witnessRelation(w)
	sides := x.sides()
	lines := x.decisions(f.Op, w)
	d := diag.Diagnostic{
		Code: relationCode(r), Severity: x.severity(r, gate), Target: target,
		Summary: fmt.Sprintf("%s of %q is %s", f.Op, w.Path+dirMark(w.Dir), becomes(r, f.Grants)),
		Detail:  fmt.Sprintf("%s: %s. %s: %s.", title1(sides[0]), lines[0], title1(sides[1]), lines[1]),
	}
	if x.pair != [2]string{} {
		d.Summary = fmt.Sprintf("%s of %q is permitted on %s and not on %s", f.What(), w.Path+dirMark(w.Dir), sides[1], sides[0])
		if !w.Wider {
			d.Summary = fmt.Sprintf("%s of %q is permitted on %s and not on %s", f.What(), w.Path+dirMark(w.Dir), sides[0], sides[1])
		}
	}
	var from, to ir.Origin
	if w.Old.Rule >= 0 {
		from = x.old.policy.Files[w.Old.Rule].Origin
	}
	if w.New.Rule >= 0 {
		to = x.now.policy.Files[w.New.Rule].Origin
	}
	x.locate(&d, from, to)
	return d
}

// becomes says what became of a path.
func becomes(r verify.Relation, grants bool) string {
	switch {
	case grants && r == verify.Wider:
		return "closed unless it is granted, and was denied"
	case grants:
		return "denied, and a grant could open it"
	case r == verify.Wider:
		return "open, and was not"
	}
	return "closed, and was not"
}

func title1(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func (x comparison) settingFinding(target string, s verify.SettingChange, gate bool) diag.Diagnostic {
	d := diag.Diagnostic{
		Code: relationCode(s.Relation), Severity: x.severity(s.Relation, gate), Target: target,
		Summary: fmt.Sprintf("%s is %s: %s -> %s", strings.TrimSpace(s.Field+" "+s.What), s.Relation, s.Old, s.New),
	}
	if s.Relation == verify.Undecided {
		d.Summary, d.Detail = fmt.Sprintf("it is not known what %s became", s.Field), undecidedDetail
	}
	x.locate(&d, s.From, s.To)
	return d
}

// severity is how bad a change is. Two targets only differ.
func (x comparison) severity(r verify.Relation, gate bool) diag.Severity {
	switch r {
	case verify.Equivalent, verify.Narrower:
		return diag.Note
	case verify.Wider, verify.Incomparable:
		switch {
		case x.pair != [2]string{}:
			return diag.Note
		case gate:
			return diag.Error
		}
		return diag.Security
	case verify.Undecided:
	}
	return diag.Error
}

// locate puts a finding at the rule of the new policy; where there is none in a
// file of the user's, at the policy as a whole. The rule of the old one is
// related, if its file is still as it was.
func (x comparison) locate(d *diag.Diagnostic, from, to ir.Origin) {
	d.Rule = to.Address
	d.Subject = x.now.whole()
	if own(to) {
		r := to.Range
		d.Subject = &r
	}
	if own(from) && x.old.revision == "" && from.Range != to.Range {
		d.Related = append(d.Related, diag.Related{Range: from.Range, Message: "the rule that decided before: " + from.Address})
		if x.pair != [2]string{} {
			d.Related[0].Message = "the rule that decides on " + x.pair[0] + ": " + from.Address
		}
	}
}

// own reports whether something was written in a file of the user's.
func own(o ir.Origin) bool {
	_, builtin := profiles.Open(o.Range.File)
	return o.Range.File != "" && !builtin
}

// whole is the policy file as a whole; nil for a built-in one.
func (l *loaded) whole() *diag.Range {
	r := diag.Range{File: l.name()}
	if !own(ir.Origin{Range: r}) {
		return nil
	}
	return &r
}
