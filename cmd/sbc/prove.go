package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/enforce/prove"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/verify"
	"github.com/sandboxc/sbc/verify/automata"
)

// proveAll proves everything that was emitted, unless it has been proved before.
// An artefact that does not mean the policy is an internal error, whoever asked
// for it.
func (a *app) proveAll(l *loaded, all []lowered) error {
	for _, x := range all {
		if err := l.proveLayers(x.judgement.Target); err != nil {
			return err
		}
		known := l.proofs()
		key, ok := l.proofKey(x)
		host := x.judgement.Target == ir.Linux
		if ok && (host && known.hasFor(key, l.memo()) || !host && known.has(key)) {
			continue
		}
		proof, err := prove.Lowered(l.policy, x.artifact, x.report, l.proveOptions())
		if err != nil {
			return notProved(x.judgement.Target, err)
		}
		if proof.Holds() {
			switch {
			case ok && host:
				known.addFor(key, l.memo())
			case ok:
				known.add(key)
			}
			continue
		}
		for _, line := range l.findings(proof, x.judgement.Target) {
			fmt.Fprintln(a.stderr, oneLine(line))
		}
		return &fault{
			status: exitInternal,
			text:   fmt.Sprintf("internal error: the output for %s does not mean what the policy says, so nothing is written; please report", x.judgement.Target),
		}
	}
	return nil
}

// proveLayers proves what the layers of a policy promise each other: what is
// granted for a session keeps every deny, and what is narrow opens nothing.
func (l *loaded) proveLayers(target string) error {
	breach, err := verify.GrantsKeepDenies(l.policy, target, 0)
	if err != nil {
		return notProved(target, err)
	}
	if breach != nil {
		return &fault{status: exitInternal, text: fmt.Sprintf("internal error: a grant opens %q on %s for %s, which %s closes; please report",
			breach.Path, target, breach.Op, l.policy.Files[breach.Promise].Origin.Address)}
	}
	if len(l.flags.narrow) == 0 {
		return nil
	}
	flags := *l.flags
	flags.narrow = nil
	without := *l.session
	without.flags = &flags
	wide, err := without.load(l.ref)
	if err != nil || wide.policy == nil {
		return err // alone it is no policy: there is nothing to be narrower than
	}
	change, err := verify.OpensNothing(wide.policy, l.policy, target, 0)
	if err != nil {
		return notProved(target, err)
	}
	if change != nil {
		return &fault{status: exitInternal, text: fmt.Sprintf("internal error: on %s the policy is not narrower with what --narrow adds (%v); please report", target, *change)}
	}
	return nil
}

func (l *loaded) proveOptions() prove.Options {
	return prove.Options{View: l.machine.view, Sockets: l.machine.facts.Sockets, Budget: l.budget}
}

// notProved is the end of a verb whose proof cannot be made.
func notProved(target string, err error) error {
	if isBudget(err) {
		return &fault{
			status: exitInternal, text: fmt.Sprintf("the output for %s: %v", target, err),
			hint: "give globs with exceptions the same exceptions, or write fewer of them; --no-verify compiles without a proof",
		}
	}
	return &fault{status: exitInternal, text: fmt.Sprintf("internal error: the output for %s cannot be read back: %v; please report", target, err)}
}

// isBudget reports whether a proof gave up.
func isBudget(err error) bool {
	over := (*automata.BudgetError)(nil)
	return errors.As(err, &over)
}

// findings are the lines that say what a proof found: the differences that no
// report declares, and what else is open.
func (l *loaded) findings(p *verify.Proof, target string) []string {
	var out []string
	for _, d := range p.Undeclared() {
		out = append(out, l.finding(d, target))
	}
	for _, h := range p.Holes {
		line := fmt.Sprintf("%s: %s%s [%s]", target, h.Text, at(target, h.Line), h.Name)
		if h.Note {
			line = "note: " + line
		}
		if !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	return out
}

// finding is a difference in one line.
func (l *loaded) finding(d verify.Difference, target string) string {
	var b strings.Builder
	verb, policy := "permits", "denies"
	if d.Direction == verify.Denies {
		verb, policy = "denies", "permits"
	}
	fmt.Fprintf(&b, "%s: %s to %s %q", target, verb, d.Op, d.Path)
	if d.Dir {
		b.WriteString(", a directory")
	}
	if d.As != "" {
		fmt.Fprintf(&b, " (%s)", d.As)
	}
	fmt.Fprintf(&b, ", which the policy %s", policy)
	if d.Rule >= 0 {
		o := l.policy.Files[d.Rule].Origin
		fmt.Fprintf(&b, " by %s%s", o.Address, place(o))
	}
	if d.Emitted != "" {
		fmt.Fprintf(&b, "; decided%s by %s", at(target, d.Line), d.Emitted)
	}
	return b.String()
}

// place is where a rule was written, in parentheses.
func place(o ir.Origin) string {
	switch r := o.Range; {
	case r.File == "":
		return ""
	case r.Start.Line > 0:
		return fmt.Sprintf(" (%s:%d)", r.File, r.Start.Line)
	default:
		return fmt.Sprintf(" (%s)", r.File)
	}
}

// at is a place in an artefact.
func at(target string, line int) string {
	switch {
	case line < 0:
		return ""
	case target == ir.Darwin:
		return fmt.Sprintf(" in line %d", line)
	}
	return fmt.Sprintf(" in argument %d", line)
}
