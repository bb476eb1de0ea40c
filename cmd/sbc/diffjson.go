package main

import (
	"encoding/json"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/verify"
)

// diffVersion is the version of [diffAnswer].
const diffVersion = 1

// diffAnswer is the JSON form of what sbc diff says.
type diffAnswer struct {
	Version int          `json:"sbc_diff"`
	Old     diffSide     `json:"old"`
	New     diffSide     `json:"new"`
	Targets []diffTarget `json:"targets"`
}

type diffSide struct {
	Policy   string `json:"policy"`
	Hash     string `json:"hash"`
	Revision string `json:"revision,omitempty"` // of git, as it was given
	Target   string `json:"target,omitempty"`   // where two targets are compared
}

type diffTarget struct {
	Target   string        `json:"target"`
	Relation string        `json:"relation"`
	Files    []diffFiles   `json:"files"`
	Settings []diffSetting `json:"settings"`
}

type diffFiles struct {
	Op        string        `json:"op"` // or "grant read", "grant write"
	Relation  string        `json:"relation"`
	Witnesses []diffWitness `json:"witnesses"`
	More      bool          `json:"more"` // there are, or may be, more witnesses
}

type diffWitness struct {
	Path     string       `json:"path"`
	Dir      bool         `json:"dir,omitempty"` // as a directory; without it, as another file, or as either
	Relation string       `json:"relation"`      // wider or narrower
	Old      diffDecision `json:"old"`
	New      diffDecision `json:"new"`
}

type diffDecision struct {
	Effect  string      `json:"effect"`
	Pinned  bool        `json:"pinned,omitempty"`
	Private bool        `json:"private,omitempty"` // storage of the sandbox's own
	Rule    string      `json:"rule,omitempty"`    // empty if no rule decides
	Range   *diag.Range `json:"range,omitempty"`
}

type diffSetting struct {
	Field    string    `json:"field"`
	Relation string    `json:"relation"`
	What     string    `json:"what,omitempty"`
	Old      diffValue `json:"old"`
	New      diffValue `json:"new"`
}

type diffValue struct {
	Value string      `json:"value"`
	Rule  string      `json:"rule,omitempty"`
	Range *diag.Range `json:"range,omitempty"`
}

func (a *app) diffJSON(x comparison) error {
	ans := diffAnswer{Version: diffVersion, Old: sideOf(x.old, x.pair[0]), New: sideOf(x.now, x.pair[1]), Targets: []diffTarget{}}
	for _, p := range x.parts {
		t := diffTarget{Target: p.target, Relation: p.change.Relation().String(), Files: []diffFiles{}, Settings: []diffSetting{}}
		for _, f := range p.change.Files {
			out := diffFiles{Op: f.What(), Relation: f.Relation.String(), Witnesses: []diffWitness{}, More: f.More}
			for _, w := range f.Witnesses {
				out.Witnesses = append(out.Witnesses, diffWitness{
					Path: w.Path, Dir: w.Dir, Relation: witnessRelation(w).String(), Old: x.old.decisionForm(w.Old), New: x.now.decisionForm(w.New),
				})
			}
			t.Files = append(t.Files, out)
		}
		for _, s := range p.change.Settings {
			t.Settings = append(t.Settings, diffSetting{
				Field: s.Field, Relation: s.Relation.String(), What: s.What,
				Old: diffValue{s.Old, s.From.Address, rangeOf(s.From)}, New: diffValue{s.New, s.To.Address, rangeOf(s.To)},
			})
		}
		ans.Targets = append(ans.Targets, t)
	}
	enc := json.NewEncoder(a.out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(ans)
}

func sideOf(l *loaded, target string) diffSide {
	return diffSide{Policy: l.name(), Hash: ir.Hash(l.policy), Revision: l.revision, Target: target}
}

func witnessRelation(w verify.Witness) verify.Relation {
	if w.Wider {
		return verify.Wider
	}
	return verify.Narrower
}

func (l *loaded) decisionForm(d ir.Decision) diffDecision {
	out := diffDecision{Effect: d.Effect.String(), Pinned: d.Pinned}
	if d.Rule >= 0 {
		r := &l.policy.Files[d.Rule]
		out.Rule, out.Range, out.Private = r.Origin.Address, rangeOf(r.Origin), r.Private && d.Effect == ir.Allow
	}
	return out
}
