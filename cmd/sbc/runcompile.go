package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/sandboxc/sbc/enforce/audit"
	"github.com/sandboxc/sbc/enforce/placeholder"
	"github.com/sandboxc/sbc/enforce/run"
	"github.com/sandboxc/sbc/frontend"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target"
)

// compiled is a policy that has been compiled for this machine, and proved.
type compiled struct {
	artifact target.Artifact
	target   string
	hash     string // of the policy
	name     string
	facts    host.Facts
	env      ir.Env
	output   int64
	wall     time.Duration
	verdicts []audit.Verdict // other than exact
	accepted []string        // addresses of rules whose losses somebody accepted
	diags    diag.List
	source   func(string) []byte
	view     host.View
	policy   func() (*ir.Policy, error)
}

// compile loads, lowers and proves the policy. Losses that nobody accepted end
// the run. What was asked of the surroundings is in the witness.
func (x *execution) compile(home string, w *witness) (*compiled, error) {
	f := x.flags
	a := *x.app
	a.lookup = w.lookup(a.lookup)
	lap := x.clock()
	targets, err := targetsOf("")
	if err != nil {
		return nil, err
	}
	s, err := a.newSession(&f.policyFlags, targets)
	if err != nil {
		return nil, err
	}
	s.recorded(w)
	s.own = x.own(home)
	free, view, err := hidePlaceholders(a.live, home)
	if err != nil {
		return nil, err
	}
	s.machine.view = view
	l, err := s.loadOptional(f.policy)
	if err != nil {
		return nil, err
	}
	if l.policy == nil {
		return nil, a.badPolicy(l, diag.FormatText)
	}
	lap(&x.phases.Load)
	all := l.lower(targets, judgeFlags{strict: f.strict, apart: !run.Supervises}, false)
	low := all[0]
	c := &compiled{
		artifact: low.artifact, target: low.report.Target, hash: ir.Hash(l.policy), name: l.policy.Name, facts: l.machine.facts,
		env: l.policy.Env, output: l.policy.Limits.Output.Value, wall: l.policy.Limits.Wall.Value,
		verdicts: auditVerdicts(low.report), accepted: acceptedRules(low.judgement), diags: verdictDiagnostics(l, all), source: l.source, view: view,
		policy: func() (*ir.Policy, error) { return l.policy, nil },
	}
	x.compiled = c
	if c.diags.HasErrors() {
		if err := a.tell(c.diags, diag.FormatText, l.source); err != nil {
			return nil, err
		}
		return nil, &fault{text: "the policy is not kept here, so nothing is run", hint: "sbc explain shows each rule; accept a loss by name, or change the policy"}
	}
	lap(&x.phases.Compile)
	if err := a.proveAll(l, all); err != nil {
		return nil, err
	}
	lap(&x.phases.Prove)
	for _, dir := range free.Doubtful() {
		w.fail = true
		fmt.Fprintln(a.stderr, oneLine(fmt.Sprintf("sbc: %s is an empty directory with the mode 0500: if a script that was killed left it, remove it", dir)))
	}
	x.keep(l, c, w)
	return c, nil
}

// own is what the run itself writes.
func (x *execution) own(home string) []frontend.Own {
	list := []frontend.Own{{Path: home, Address: "state", Reason: "a command must not change what sbc knows of other runs"}}
	if x.flags.audit != "" {
		list = append(list, frontend.Own{Path: x.flags.audit, Address: "audit-file", Reason: "a command must not change the record of what it did"})
	}
	return list
}

// hidePlaceholders is a view of the machine without what other runs hold there
// for as long as they last.
func hidePlaceholders(live host.View, home string) (*placeholder.View, *host.Memo, error) {
	view, err := placeholder.NewView(live, run.Placeholders(home))
	if err != nil {
		return nil, nil, misuse("", "%v", err)
	}
	return view, host.NewMemo(view), nil
}

// clock measures phases: each call adds the time since the last one.
func (x *execution) clock() func(to *float64) {
	last := time.Now()
	return func(to *float64) {
		now := time.Now()
		*to += now.Sub(last).Seconds()
		last = now
	}
}

// acceptedRules are the addresses of rules whose losses somebody accepted.
func acceptedRules(j target.Judgement) []string {
	var out []string
	for _, e := range j.Entries {
		if e.Accept >= 0 && !slices.Contains(out, e.Rule) {
			out = append(out, e.Rule)
		}
	}
	return out
}
