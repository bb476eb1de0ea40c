package main

import (
	"slices"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/verify"
	"github.com/sandboxc/sbc/verify/automata"
)

// testVersion is the version of [testAnswer].
const testVersion = 1

const automataStates = automata.DefaultMaxStates

// How a test, or a line of it, ended.
const (
	statusOK        = "ok"
	statusFail      = "fail"
	statusUndecided = "undecided"
)

// testAnswer is the JSON form of what sbc test says.
type testAnswer struct {
	Version   int            `json:"sbc_test"`
	Policies  []testedPolicy `json:"policies"`
	OK        int            `json:"ok"` // tests
	Failed    int            `json:"failed"`
	Undecided int            `json:"undecided"`
}

// tests is how many were run.
func (ans *testAnswer) tests() int { return ans.OK + ans.Failed + ans.Undecided }

type testedPolicy struct {
	Policy  string       `json:"policy"`
	Name    string       `json:"name"`
	Hash    string       `json:"hash"`
	Targets []string     `json:"targets"`
	Tests   []testedTest `json:"tests"`
	has     int          // tests, those that were not to run included
}

type testedTest struct {
	Name   string        `json:"name"`
	Place  *diag.Range   `json:"range,omitempty"`
	Status string        `json:"status"`
	Checks []testedCheck `json:"checks"`
}

// testedCheck is one line of a test on one target.
type testedCheck struct {
	Target   string          `json:"target"`
	Effect   string          `json:"effect"` // what the test wants: allow or deny
	Op       string          `json:"op"`
	Pattern  string          `json:"pattern"`
	Place    *diag.Range     `json:"range,omitempty"`
	Status   string          `json:"status"`
	Findings []testedFinding `json:"findings"`
}

type testedFinding struct {
	Kind    string      `json:"kind"`
	Fails   bool        `json:"fails"`
	Path    string      `json:"path,omitempty"`
	Dir     bool        `json:"dir,omitempty"`
	Effect  string      `json:"effect,omitempty"` // what the policy says there
	Pinned  bool        `json:"pinned,omitempty"`
	Rule    string      `json:"rule,omitempty"` // by which it says so
	Range   *diag.Range `json:"range,omitempty"`
	As      string      `json:"operation,omitempty"`
	Code    diag.Code   `json:"code,omitempty"`
	Emitted string      `json:"emitted,omitempty"`
	Line    int         `json:"line,omitempty"`
	Reason  string      `json:"reason,omitempty"`
}

// findingName is the stable name of a kind of finding.
func findingName(k verify.FindingKind) string {
	switch k {
	case verify.PolicyDiffers:
		return "policy"
	case verify.ArtefactPermits:
		return "permits"
	case verify.ArtefactDenies:
		return "denies"
	case verify.OnlyNow:
		return "snapshot"
	case verify.MoreDenied:
		return "narrower"
	case verify.NotDecided:
		return "undecided"
	}
	return "invalid finding"
}

func rangeOf(o ir.Origin) *diag.Range {
	if o.Range.File == "" {
		return nil
	}
	return &o.Range
}

// add adds a policy and counts its tests.
func (ans *testAnswer) add(p testedPolicy) {
	ans.Policies = append(ans.Policies, p)
	for _, t := range p.Tests {
		switch t.Status {
		case statusFail:
			ans.Failed++
		case statusUndecided:
			ans.Undecided++
		default:
			ans.OK++
		}
	}
}

// add adds a line of the test on one target.
func (t *testedTest) add(p *ir.Policy, c verify.Check, strict bool) {
	out := testedCheck{
		Target: c.Target, Effect: c.Want.String(), Op: c.Line.Op.String(), Pattern: c.Line.Pattern, Place: rangeOf(c.Line.Origin),
		Status: statusOK, Findings: []testedFinding{},
	}
	for _, f := range c.Findings {
		x := testedFinding{
			Kind: findingName(f.Kind), Fails: f.Kind.Fails(strict), Path: f.Path, Dir: f.Dir, As: f.As, Code: f.Code,
			Emitted: f.Emitted, Line: max(f.Line, 0), Reason: f.Reason,
		}
		if f.Path != "" {
			x.Effect, x.Pinned = f.Policy.Effect.String(), f.Policy.Pinned
			if f.Policy.Rule >= 0 {
				o := p.Files[f.Policy.Rule].Origin
				x.Rule, x.Range = o.Address, rangeOf(o)
			}
		}
		switch {
		case x.Fails:
			out.Status = statusFail
		case f.Kind == verify.NotDecided && out.Status == statusOK:
			out.Status = statusUndecided
		}
		out.Findings = append(out.Findings, x)
	}
	if out.Status == statusFail || out.Status == statusUndecided && t.Status == statusOK {
		t.Status = out.Status
	}
	t.Checks = append(t.Checks, out)
}

// sort puts the lines of the test in their order in the policy, each with its
// targets.
func (t *testedTest) sort() {
	at := func(c testedCheck) int {
		if c.Place == nil {
			return 0
		}
		return c.Place.Start.Byte
	}
	slices.SortStableFunc(t.Checks, func(a, b testedCheck) int { return at(a) - at(b) })
}

// sameLine reports whether two checks are of one line of a test.
func (c testedCheck) sameLine(o testedCheck) bool {
	return c.Effect == o.Effect && c.Op == o.Op && c.Pattern == o.Pattern && placeText(c.Place) == placeText(o.Place)
}
