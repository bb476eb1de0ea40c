package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/frontend"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
)

// whyVersion is the version of [whyAnswer].
const whyVersion = 1

// whyAnswer is the JSON form of what sbc why says.
type whyAnswer struct {
	Version int         `json:"sbc_why"`
	Op      string      `json:"op"`
	Written string      `json:"written"` // the path of the command line, absolute
	Path    string      `json:"path"`    // links followed
	Links   []whyLink   `json:"links"`
	Problem string      `json:"problem,omitempty"` // why links were not followed
	Exists  bool        `json:"exists"`
	Policy  string      `json:"policy"`
	Hash    string      `json:"hash"`
	Targets []whyTarget `json:"targets"`
}

type whyLink struct {
	Path   string `json:"path"`
	Target string `json:"target"`
}

// whyTarget is the answer for one target.
type whyTarget struct {
	Target  string    `json:"target"`
	Path    string    `json:"path"`   // as the target knows it
	Effect  string    `json:"effect"` // allow, ask or deny
	Pinned  bool      `json:"pinned"`
	Pin     string    `json:"pin,omitempty"` // why it is pinned
	Rule    *whyRule  `json:"rule"`          // what decides; null if no rule does
	Beaten  []whyRule `json:"beaten"`
	Emitted []string  `json:"emitted"` // on Linux the mount that decides comes first
	Losses  []whyLoss `json:"losses"`
	// Launcher says how sbc run holds a name that no mount can hold.
	Launcher []string `json:"launcher,omitempty"`
	Remedy   string   `json:"remedy,omitempty"`
}

type whyRule struct {
	Address string      `json:"address"`
	Effect  string      `json:"effect"`
	Layer   string      `json:"layer"`
	Match   string      `json:"match"`
	Reason  string      `json:"reason,omitempty"`
	Range   *diag.Range `json:"range,omitempty"`
}

type whyLoss struct {
	Verdict string    `json:"verdict"`
	Code    diag.Code `json:"code,omitempty"`
	Loss    string    `json:"loss"`
}

// String is the rule in one line.
func (r whyRule) String() string {
	text := fmt.Sprintf("%s (%s, layer %s", r.Address, r.Effect, r.Layer)
	if r.Range != nil {
		text += ", " + r.Range.File
		if r.Range.Start.Line > 0 {
			text += fmt.Sprintf(":%d:%d", r.Range.Start.Line, r.Range.Start.Column)
		}
	}
	return text + ")"
}

// answer looks a question up.
func (l *loaded) answer(op ir.Op, path string, all []lowered) whyAnswer {
	written := l.cache.abs(path)
	ans := whyAnswer{
		Version: whyVersion, Op: op.String(), Written: written, Path: written, Links: []whyLink{},
		Policy: l.name(), Hash: ir.Hash(l.policy),
	}
	resolve := host.Resolve
	if op == ir.Unlink {
		resolve = host.ResolveParent // the name itself is removed, not what it leads to
	}
	res, err := resolve(l.machine.view, written)
	if err != nil {
		ans.Problem = err.Error()
	} else {
		ans.Path = res.Path
		ans.Exists = res.Missing == ""
	}
	for _, link := range res.Links {
		if l := (whyLink{Path: link.Path, Target: link.Target}); !slices.Contains(ans.Links, l) { // a loop has each many times
			ans.Links = append(ans.Links, l)
		}
	}
	dir := res.Node.Type == host.Dir || strings.HasSuffix(path, "/")
	for _, x := range all {
		t := l.answerOn(op, ans.Path, dir, x)
		if ans.Exists && res.Node.Type != host.Link {
			t.Launcher = nil // a mount holds it
		}
		ans.Targets = append(ans.Targets, t)
	}
	return ans
}

// answerOn is the answer for one target.
func (l *loaded) answerOn(op ir.Op, path string, dir bool, x lowered) whyTarget {
	name := x.judgement.Target
	d := ir.NewDecider(l.policy, name)
	t := whyTarget{Target: name, Path: frontend.PathOn(name, l.machine.facts.OS, path), Beaten: []whyRule{}, Emitted: []string{}, Losses: []whyLoss{}}
	dec := d.Decide(op, t.Path, dir)
	t.Effect, t.Pinned = dec.Effect.String(), dec.Pinned
	if dec.Pinned {
		t.Pin = pinReason(d, t.Path)
	}
	for _, i := range d.Matching(op, t.Path, dir) {
		r := l.rule(i, op)
		switch {
		case i == dec.Rule:
			t.Rule = &r
		case !slices.ContainsFunc(t.Beaten, func(b whyRule) bool { return b.Address == r.Address }):
			t.Beaten = append(t.Beaten, r)
		}
	}
	// The rule's own mounts may lie elsewhere: what decides is the nearest one.
	if a, ok := x.artifact.(*bwrap.Artifact); ok && a != nil {
		if line := a.Plan.MountOver(t.Path); line != "" {
			t.Emitted = append(t.Emitted, line)
		}
	}
	for _, e := range x.judgement.Entries {
		if e.Index != dec.Rule || dec.Rule < 0 {
			continue
		}
		for _, line := range e.Emitted {
			if !slices.Contains(t.Emitted, line) {
				t.Emitted = append(t.Emitted, line)
			}
		}
		if e.Watch != target.WatchNothing {
			t.Launcher = append(t.Launcher, e.Loss)
		}
		if e.Verdict != target.Exact {
			t.Losses = append(t.Losses, whyLoss{Verdict: e.Verdict.String(), Code: e.Code, Loss: e.Loss})
		}
	}
	t.Remedy = l.remedy(op, t.Path, dec)
	return t
}

func (l *loaded) rule(i int, op ir.Op) whyRule {
	r := &l.policy.Files[i]
	out := whyRule{
		Address: r.Origin.Address, Effect: r.Effect(op).String(), Layer: r.Layer.String(),
		Match: fmt.Sprint(r.Match), Reason: r.Reason,
	}
	if rng := r.Origin.Range; rng.File != "" {
		out.Range = &rng
	}
	return out
}

// pinReason says why a path may not be removed although it may be written.
func pinReason(d *ir.Decider, path string) string {
	p := d.Policy()
	for _, pin := range d.Pins().Literals {
		if len(pin.Rules) > 0 && ir.Path(pin.Path).Matches(path, ir.FoldFor(d.Target(), ir.Deny)) {
			return "if it were moved, " + p.Files[pin.Rules[0]].Origin.Address + " would no longer hold below it"
		}
	}
	for _, pp := range d.Pins().Patterns {
		if pp.Pattern.Match(path, ir.FoldFor(d.Target(), p.Files[pp.Rule].Write)) {
			return "if it were moved, " + p.Files[pp.Rule].Origin.Address + " would no longer match below it"
		}
	}
	return "the directory that holds it may not be written"
}

// remedy says what would open the path.
func (l *loaded) remedy(op ir.Op, path string, dec ir.Decision) string {
	flag := "--write"
	if op == ir.Read {
		flag = "--read"
	}
	grant := fmt.Sprintf("%s %s, for one run", flag, path)
	switch {
	case dec.Pinned:
		return "nothing but a change of the policy; what it holds may be changed"
	case dec.Effect == ir.Allow:
		return ""
	case dec.Rule < 0:
		return fmt.Sprintf("add it to filesystem.%s, or give %s", flag[2:], grant)
	}
	r := &l.policy.Files[dec.Rule]
	switch r.Group {
	case ir.GroupDeny:
		if r.Guard != "" {
			return "nothing but a change of the policy: a guard that denies is absolute; guards.except opens single paths"
		}
		return "nothing but a change of the policy: a deny is absolute"
	case ir.GroupAsk, ir.GroupNarrowAsk:
		return grant
	case ir.GroupGlob:
		return "a change of the rule list: an entry before this one"
	case ir.GroupGrant, ir.GroupRequired, ir.GroupRoot, ir.GroupFloor:
		return fmt.Sprintf("a deeper root in filesystem.%s, or %s", flag[2:], grant)
	}
	return ""
}
