package target

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
)

// ReportVersion is the version of the JSON form of a judgement.
const ReportVersion = 1

type entryForm struct {
	Rule     string      `json:"rule"`
	Verdict  string      `json:"verdict"`
	Severity string      `json:"severity,omitempty"`
	Code     diag.Code   `json:"code,omitempty"`
	Loss     string      `json:"loss,omitempty"`
	Instead  string      `json:"instead,omitempty"`
	Enforcer Enforcer    `json:"enforcer,omitempty"`
	Feature  Feature     `json:"feature,omitempty"`
	Layer    string      `json:"layer,omitempty"`
	Guard    string      `json:"guard,omitempty"`
	Accepted string      `json:"accepted,omitempty"` // the reason of the accept
	Range    *diag.Range `json:"range,omitempty"`
	Emitted  []string    `json:"emitted,omitempty"`
}

// Encode returns the versioned JSON form of a judgement on the policy: one entry
// a line, so that two reports compare line by line. Same judgement, same bytes.
func (j Judgement) Encode(p *ir.Policy) ([]byte, error) {
	var b bytes.Buffer
	totals, err := line(j.Totals())
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(&b, "{\n  \"sbc_report\": %d,\n  \"target\": %q,\n  \"totals\": %s,\n  \"entries\": [", ReportVersion, j.Target, totals)
	for i, e := range j.Entries {
		entry, err := line(form(p, e))
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "\n    %s", entry)
	}
	b.WriteString("\n  ]\n}\n")
	return b.Bytes(), nil
}

func form(p *ir.Policy, e Judged) entryForm {
	f := entryForm{
		Rule: e.Rule, Verdict: e.Verdict.String(), Code: e.Code, Loss: e.Loss, Instead: e.Instead,
		Enforcer: e.Enforcer, Feature: e.Feature, Guard: e.Guard, Emitted: e.Emitted,
	}
	if e.Severity != 0 {
		f.Severity = e.Severity.String()
	}
	if e.Layer != 0 {
		f.Layer = e.Layer.String()
	}
	if e.Accept >= 0 {
		f.Accepted = p.Accepts[e.Accept].Reason
	}
	if r := e.Origin.Range; r.File != "" {
		f.Range = &r
	}
	return f
}

// line encodes a value on one line; angle brackets stay as they are.
func line(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// Totals counts the entries by the names of their verdicts.
func (j Judgement) Totals() map[string]int {
	out := map[string]int{}
	for _, e := range j.Entries {
		out[e.Verdict.String()]++
	}
	return out
}
