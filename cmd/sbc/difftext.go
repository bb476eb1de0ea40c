package main

import (
	"fmt"
	"strings"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/profiles"
	"github.com/sandboxc/sbc/verify"
)

// relationCode is the code of a relation; none for what is equivalent.
func relationCode(r verify.Relation) diag.Code {
	switch r {
	case verify.Equivalent:
	case verify.Narrower:
		return diag.CodeNarrower
	case verify.Wider:
		return diag.CodeWider
	case verify.Incomparable:
		return diag.CodeIncomparable
	case verify.Undecided:
		return diag.CodeUndecided
	}
	return ""
}

// label is a relation at the start of a line.
func (k look) label(r verify.Relation) string {
	color := map[verify.Relation]string{verify.Wider: red, verify.Incomparable: red, verify.Undecided: yellow, verify.Narrower: green}[r]
	text := r.String()
	if code := relationCode(r); code != "" {
		text += fmt.Sprintf("[%s]", code)
	}
	return k.paint(color, text) + ": "
}

// title is the first line about a target.
func (x comparison) title(p comparedTarget) string {
	if x.pair != [2]string{} {
		return fmt.Sprintf("%s compared with %s: ", x.pair[1], x.pair[0])
	}
	return p.target + ": "
}

// sides are what the two sides are called.
func (x comparison) sides() [2]string {
	if x.pair != [2]string{} {
		return x.pair
	}
	return [2]string{"old", "new"}
}

// diffText prints one target for people.
func (a *app) diffText(k look, x comparison, p comparedTarget) {
	fmt.Fprintf(a.out, "%s%s\n", k.paint(bold, x.title(p)), p.change.Relation())
	for _, c := range p.change.Files {
		fmt.Fprintf(a.out, "  %s%s\n", k.label(c.Relation), c.What())
		for _, w := range c.Witnesses {
			sign, color := "-", green
			if w.Wider {
				sign, color = "+", red
			}
			fmt.Fprintf(a.out, "    %s\n", k.paint(color, oneLine(sign+" "+w.Path+dirMark(w.Dir))))
			for i, line := range x.decisions(c.Op, w) {
				a.out.WriteString(wrapped("        ", oneLine(x.sides()[i]+": "+line), k.width))
			}
		}
		if c.More {
			fmt.Fprintf(a.out, "    and more; --witnesses shows them\n")
		}
	}
	for _, s := range p.change.Settings {
		a.out.WriteString(wrapped("  ", k.label(s.Relation)+oneLine(settingText(s)+x.origins(s)), k.width))
	}
}

func dirMark(dir bool) string {
	if dir {
		return " (a directory)"
	}
	return ""
}

// settingText is what changed of a setting.
func settingText(s verify.SettingChange) string {
	if s.Relation == verify.Undecided {
		return s.Field
	}
	text := s.Field + " "
	if s.What != "" {
		text += s.What + ": "
	}
	return text + s.Old + " -> " + s.New
}

// decisions say what decides on both sides.
func (x comparison) decisions(op ir.Op, w verify.Witness) [2]string {
	return [2]string{x.old.decision(op, w.Old), x.now.decision(op, w.New)}
}

// decision says what a policy answers, and by what.
func (l *loaded) decision(op ir.Op, d ir.Decision) string {
	var rule *ir.FileRule
	by := "; no rule speaks about it"
	if d.Rule >= 0 {
		rule = &l.policy.Files[d.Rule]
		by = " by " + rule.Origin.Address + l.inFile(rule.Origin)
	}
	switch {
	case d.Pinned:
		return "pinned; it may be changed" + by
	case d.Effect == ir.Allow && rule != nil && rule.Private:
		return "open, as storage of the sandbox's own," + by
	case d.Effect == ir.Allow:
		return "open" + by
	case d.Effect == ir.Ask:
		return "closed, unless it is granted," + by
	case rule != nil && rule.Effect(op) == ir.Deny && rule.Opens():
		return "only read" + by
	}
	return "closed" + by
}

// inFile is where something was written, in parentheses.
func (l *loaded) inFile(o ir.Origin) string {
	r := rangeOf(o)
	if r == nil {
		return ""
	}
	named := *r
	named.File = l.fileName(r.File)
	return inFile(&named)
}

// fileName is what a file of the policy is called: in a revision of git, with
// the revision before it.
func (l *loaded) fileName(file string) string {
	if _, builtin := profiles.Open(file); l.revision == "" || builtin {
		return file
	}
	if !strings.HasPrefix(file, "/") && !strings.HasPrefix(file, ".") {
		file = "./" + file // git takes others to be relative to the checkout
	}
	return strings.TrimPrefix(l.revision, "git:") + ":" + file
}

// origins are where a setting was written, in parentheses.
func (x comparison) origins(s verify.SettingChange) string {
	from, to := x.old.inFile(s.From), x.now.inFile(s.To)
	switch {
	case to != "":
		return to
	case from != "":
		return from
	}
	return ""
}
