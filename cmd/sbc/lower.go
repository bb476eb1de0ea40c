package main

import (
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
	"github.com/sandboxc/sbc/target/seatbelt"
)

// backends are the targets that sbc knows, in the order of its output.
func backends() []target.Backend { return []target.Backend{seatbelt.Backend{}, bwrap.Backend{}} }

// lowered is a policy on one target.
type lowered struct {
	artifact  target.Artifact // nil if there is none
	report    target.Report
	judgement target.Judgement
}

// lower compiles a loaded policy for the named targets, in their order.
func (l *loaded) lower(targets []string, j judgeFlags, annotate bool) []lowered {
	var out []lowered
	for _, name := range targets {
		for _, b := range backends() {
			if b.Name() != name {
				continue
			}
			art, rep := b.Lower(l.policy, l.machine.view, target.Options{
				Facts: &l.machine.facts, Annotate: annotate, Budget: l.budget, Supervised: !j.standalone && !j.apart,
			})
			out = append(out, lowered{
				artifact: art, report: rep,
				judgement: target.Judge(l.policy, rep, target.JudgeOptions{Strict: j.strict, Standalone: j.standalone}),
			})
		}
	}
	return out
}

// verdictDiagnostics are the problems of a loaded policy and of what became of
// it on the targets.
func verdictDiagnostics(l *loaded, all []lowered) diag.List {
	out := append(diag.List{}, l.diags...)
	var js []target.Judgement
	for _, x := range all {
		out.Add(x.judgement.Diagnostics...)
		js = append(js, x.judgement)
	}
	out.Add(target.UnusedAccepts(l.policy, js)...)
	return out
}

// judgements returns the judgements alone.
func judgements(all []lowered) []target.Judgement {
	var out []target.Judgement
	for _, x := range all {
		out = append(out, x.judgement)
	}
	return out
}
