package verify

import (
	"errors"
	"fmt"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/verify/automata"
	"github.com/sandboxc/sbc/verify/snapshot"
)

// TestOptions say against what the tests of a policy are run. The zero value
// asks the policy alone, of paths as they are written.
type TestOptions struct {
	// View is the host that paths are resolved against, as a kernel does it, and
	// on which globs are looked for; nil is a host of which nothing is known.
	View host.View
	// Scan bounds that search.
	Scan snapshot.Options
	// PathOn returns what a path of the host is on a target; nil leaves it.
	PathOn func(target, path string) string
	// MaxStates bounds a walk over all paths; 0 is the bound of package automata.
	MaxStates int
}

// TestTarget is a target that tests are run for.
type TestTarget struct {
	Name string
	// Artefact is what was emitted for the target; nil if it is not looked at.
	Artefact Artefact
	// Claims are what the report says of the policy's rules.
	Claims []Claim
}

// Check is one line of a test on one target.
type Check struct {
	Want   ir.Effect // Allow or Deny
	Line   ir.TestPath
	Target string
	// Findings are what was found; none means that it holds.
	Findings []Finding
}

// FindingKind says what a finding means for a test.
type FindingKind uint8

const (
	// PolicyDiffers is a path of which the policy does not say what the test
	// wants. The test fails.
	PolicyDiffers FindingKind = iota + 1
	// ArtefactPermits is a path that the policy refuses, as the test wants, and
	// the artefact does not: because the report says so, or in spite of it. The
	// test fails.
	ArtefactPermits
	// ArtefactDenies is a path that the policy permits, as the test wants, and the
	// artefact does not although the report does not say so. The test fails.
	ArtefactDenies
	// OnlyNow is a path that the artefact leaves open if it is made later, as the
	// report says; what exists at the start is refused, as the test wants.
	OnlyNow
	// MoreDenied is a path that the artefact refuses, as the report says, although
	// the test wants it to be permitted.
	MoreDenied
	// NotDecided is a bound that was met before the answer.
	NotDecided
)

// Fails reports whether a test with such a finding fails. Strict says that what
// holds only at the start is not enough.
func (k FindingKind) Fails(strict bool) bool {
	switch k {
	case PolicyDiffers, ArtefactPermits, ArtefactDenies:
		return true
	case OnlyNow:
		return strict
	case MoreDenied, NotDecided:
	}
	return false
}

// Finding is a path on which something is not as a test wants it.
type Finding struct {
	Kind    FindingKind
	Path    string
	Dir     bool        // the path is a directory, or would be made as one
	Policy  ir.Decision // what the policy says there
	As      string      // the name of the operation on the target, if it has several
	Code    diag.Code   // of the claim that declares it, or empty
	Emitted string      // the part of the artefact that decides
	Line    int         // where that stands: a line, 1-based, or the index of an argument; -1 if no part does
	Reason  string      // of NotDecided
}

// Tester runs the tests of a policy on one target.
type Tester struct {
	policy  *ir.Policy
	target  TestTarget
	opts    TestOptions
	decider *ir.Decider
	model   model // of the artefact; nil without
}

// NewTester returns a tester. The error says that the artefact cannot be read.
func NewTester(p *ir.Policy, t TestTarget, o TestOptions) (*Tester, error) {
	if o.View == nil {
		o.View = host.Empty{}
	}
	x := &Tester{policy: p, target: t, opts: o, decider: ir.NewDecider(p, t.Name)}
	var err error
	switch a := t.Artefact.(type) {
	case nil:
	case ProfileText:
		x.model, err = newProfileModel(x, a)
	case MountArgs:
		x.model, err = newMountModel(x, a)
	}
	return x, err
}

// Run runs a test: each of its lines is checked for every path that it matches.
// The error is one of this package.
func (x *Tester) Run(test ir.Test) ([]Check, error) {
	var out []Check
	for _, part := range []struct {
		want  ir.Effect
		lines []ir.TestPath
	}{{ir.Allow, test.Allow}, {ir.Deny, test.Deny}} {
		for _, line := range part.lines {
			c := Check{Want: part.want, Line: line, Target: x.target.Name}
			err := x.check(&c)
			if budget := (*automata.BudgetError)(nil); errors.As(err, &budget) {
				c.Findings = append(c.Findings, Finding{Kind: NotDecided, Line: -1, Reason: budget.Error()})
			} else if err != nil {
				return nil, err
			}
			out = append(out, c)
		}
	}
	return out, nil
}

// check holds the policy against a line, and then the artefact.
func (x *Tester) check(c *Check) error {
	q, err := x.question(c)
	if err != nil {
		return err
	}
	for _, dir := range q.kinds() {
		path, found, err := x.find(q.domain, x.list(q, dir), q.wrong)
		if err != nil {
			return err
		}
		if !found {
			continue
		}
		d := x.decider.Decide(q.op, path, dir)
		if (x.label(q, d.Effect, d.Rule) == allowed) != (q.wrong == allowed) {
			return fmt.Errorf("internal error: the automata find that %s on %q is wrong, but the policy says %s; please report", q.op, path, d.Effect)
		}
		f := Finding{Kind: PolicyDiffers, Path: path, Dir: dir, Policy: d, Line: -1}
		if len(c.Findings) == 0 || len(path) < len(c.Findings[0].Path) {
			c.Findings = []Finding{f}
		}
	}
	if len(c.Findings) > 0 || x.model == nil {
		return nil
	}
	c.Findings, err = x.model.check(q)
	return err
}

// list is what the policy answers to a question.
func (x *Tester) list(q *asked, dir bool) automata.List {
	list, files := FromDecider(x.decider, q.op, dir)
	for i, rule := range files {
		if rule >= 0 {
			list.Rules[i].Label = x.label(q, x.policy.Files[rule].Effect(q.op), rule)
		}
	}
	return list
}

// label is what an answer of the policy means for a test. Storage of the
// sandbox's own is open, and the host's, which lies out of reach behind it, is
// refused: a deny speaks of the host's.
func (x *Tester) label(q *asked, e ir.Effect, rule int) uint8 {
	if e != ir.Allow || q.wrong == allowed && x.policy.Files[rule].Private {
		return denied
	}
	return allowed
}

// find returns a shortest path to which a list gives a label.
func (x *Tester) find(domain automata.Expr, list automata.List, label uint8) (path string, found bool, err error) {
	res, err := automata.Explore(domain, []automata.List{list}, automata.Options{MaxStates: x.opts.MaxStates})
	if err != nil {
		return "", false, err
	}
	for _, c := range res.Classes {
		if c.Labels[0] == label {
			return c.Cases[0].Path, true, nil
		}
	}
	return "", false, nil
}

// asked is a line of a test as it is asked on a target.
type asked struct {
	op      ir.Op
	wrong   uint8           // the label that no path may have
	domain  automata.And    // the paths
	pattern []*glob.Pattern // of the paths, any of which may match
	literal string          // the only path, or empty
	typ     host.Type       // of what exists at the only path; 0 for nothing
}

// kinds are the kinds of file to ask about: directories and others.
func (q *asked) kinds() []bool {
	if q.typ != 0 {
		return []bool{q.typ == host.Dir}
	}
	return []bool{false, true}
}

// isDevice reports whether a rule opens devices, which every program needs.
func isDevice(r *ir.FileRule) bool { return r.Layer == ir.LayerFloor && r.Write == ir.Allow }

// question resolves a line.
func (x *Tester) question(c *Check) (*asked, error) {
	p, err := glob.Parse(c.Line.Pattern)
	if err != nil {
		return nil, fmt.Errorf("test %s: %w", c.Line.Origin.Address, err)
	}
	q := &asked{op: c.Line.Op, wrong: denied}
	if c.Want != ir.Allow {
		q.wrong = allowed
	}
	// What must be refused must be so under every spelling that is the same file.
	fold := ir.FoldFor(x.target.Name, c.Want)
	var paths automata.Or
	for _, a := range p.Alternatives() {
		one, err := x.resolved(a, q.op)
		if err != nil {
			return nil, err
		}
		q.pattern = append(q.pattern, one)
		paths = append(paths, automata.In{Lang: automata.Glob(one, fold, false)})
	}
	if lit, ok := q.pattern[0].IsLiteral(); ok && len(q.pattern) == 1 {
		q.literal = lit
		if n, err := x.opts.View.Lstat(lit); err == nil {
			q.typ = n.Type
		}
	}
	q.domain = automata.And{reachable(x.target.Name), paths}
	if q.literal == "" {
		// Devices hold no files.
		q.domain = append(q.domain, automata.Not{X: spokenOf(x.target.Name, isDevice, x.policy)})
	}
	return q, nil
}

// resolved is an alternative of a pattern with the links followed that its
// beginning passes, as the target knows it.
func (x *Tester) resolved(a glob.Alternative, op ir.Op) (*glob.Pattern, error) {
	n, base := 0, ""
	for n < len(a) {
		name, ok := a[n].Literal()
		if !ok || a[n].Doublestar {
			break
		}
		base += "/" + name
		n++
	}
	if base == "" {
		base = "/"
	}
	resolve := host.Resolve
	if n == len(a) && op == ir.Unlink {
		resolve = host.ResolveParent // the name itself is removed, not what it leads to
	}
	if r, err := resolve(x.opts.View, base); err == nil {
		base = r.Path
	}
	if x.opts.PathOn != nil {
		base = x.opts.PathOn(x.target.Name, base)
	}
	text := glob.Quote(base)
	if n < len(a) {
		if base == "/" {
			text = ""
		}
		text += a[n:].String()
	}
	p, err := glob.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("internal error: the pattern %q: %w; please report", text, err)
	}
	return p, nil
}
