package verify

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/verify/automata"
	"github.com/sandboxc/sbc/verify/regex"
)

// excuses are the paths on which the claims of a report say that a profile
// differs from the policy.
type excuses struct {
	denies  automata.Or
	permits automata.Or
	key     string // equal for equal excuses
}

// excusesOf returns what the claims excuse for one operation.
func (v *profileProof) excusesOf(op operation, dir bool) (out excuses) {
	defer func() {
		if len(out.denies)+len(out.permits) > 0 {
			out.key = fmt.Sprint(op.op, op.creates, dir)
		}
	}()
	for _, c := range v.claims {
		r := &v.policy.Files[c.Rule]
		switch {
		case c.Direction == Permits && (c.Code == diag.CodeMovable || c.Code == diag.CodePlantable || c.Code == diag.CodeAlias):
			// These are about two paths, or about another name of the thing.
		case c.Direction == Permits && c.Code == diag.CodeCase:
			// As it is written it is closed.
			exact := matchExpr(r.Match, glob.Exact, true, itself)
			out.permits = append(out.permits, automata.And{v.matched(r, op), automata.Not{X: exact}})
		case c.Direction == Permits:
			out.permits = append(out.permits, v.matched(r, op))
		case c.Code == diag.CodeExceptDir:
			if dir && (op.creates || op.op == ir.Unlink) {
				out.denies = append(out.denies, exceptions(r))
			}
		case c.Code == diag.CodeFileRoot:
			if op.op == ir.Unlink {
				out.denies = append(out.denies, v.matched(r, op))
			}
		case c.Code == diag.CodeCharacter && !r.Effect(op.op).Closes():
			out.denies = append(out.denies, automata.And{v.matched(r, op), odd()})
		case c.Code == diag.CodeCharacter:
			out.denies = append(out.denies, automata.And{roughly(r, op.op == ir.Unlink), odd()})
		case r.Private:
			// It closes what the host has there.
		case c.Code == diag.CodeMissingClosed:
			// What is pinned by name is not made: see places.
		default:
			out.denies = append(out.denies, v.matched(r, op))
		}
	}
	return out
}

// odd are the paths with a byte that is not printable ASCII. What is matched byte
// by byte instead of character by character differs on those alone.
func odd() automata.Expr { return automata.In{Lang: automata.Regex(regex.MustParse("[^ -~]"))} }

// matched is what a rule speaks about.
func (v *profileProof) matched(r *ir.FileRule, op operation) automata.Expr {
	return matchExpr(r.Match, ir.FoldFor(ir.Darwin, r.Effect(op.op)), true, itself)
}

// exceptions is what the exceptions of a rule cover.
func exceptions(r *ir.FileRule) automata.Expr {
	var out automata.Or
	if g, ok := r.Match.(ir.Glob); ok {
		for _, e := range g.Except {
			out = append(out, automata.In{Lang: automata.Glob(e, glob.Exact, true)})
		}
	}
	return out
}

// roughly is what a closing glob may match if it cannot be matched character by
// character: any characters, at least one, stand where several have to. With pins
// that is also what leads to a match.
func roughly(r *ir.FileRule, pins bool) automata.Expr {
	var out automata.Or
	g, ok := r.Match.(ir.Glob)
	if !ok {
		return out
	}
	add := func(p *glob.Pattern, beneath bool) {
		for _, a := range p.Alternatives() {
			var b strings.Builder
			for _, s := range a {
				b.WriteString("/" + roughSegment(s))
			}
			if p, err := glob.Parse(b.String()); err == nil {
				out = append(out, automata.In{Lang: automata.Glob(p, glob.Darwin, beneath)})
			}
		}
	}
	add(g.Pattern, true)
	if pins {
		for _, lead := range g.Pattern.Leading() {
			add(lead, false)
		}
	}
	return out
}

func roughSegment(s glob.Segment) string {
	if _, literal := s.Literal(); literal || s.Doublestar {
		return s.String()
	}
	if !utf8.ValidString(s.String()) {
		return "*" // a byte that is no character may be found within one
	}
	var b strings.Builder
	open := "" // what stands for the wildcards since the last literal
	for _, a := range s.Atoms {
		_, run := a.(glob.AnyRun)
		switch {
		case isRough(a):
			open = "?*"
		case run:
			open = cmp.Or(open, "*")
		default:
			b.WriteString(open + glob.Segment{Atoms: []glob.Atom{a}}.String())
			open = ""
		}
	}
	return b.String() + open
}

// isRough reports whether an atom is matched as one byte or several.
func isRough(a glob.Atom) bool {
	switch a := a.(type) {
	case glob.AnyChar:
		return true
	case glob.Class:
		return a.Negated || slices.ContainsFunc(a.Ranges, func(r glob.Range) bool { return r.Hi >= utf8.RuneSelf })
	case glob.Char, glob.AnyRun:
	}
	return false
}
