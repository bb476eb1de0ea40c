package frontend

import (
	"fmt"
	"slices"

	"github.com/sandboxc/sbc/frontend/document"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/glob"
)

// entry is a rule-list entry.
type entry struct {
	place       place
	access      string // "read", "write", "both"
	read, write ir.Effect
	address     string
	forms       []form
}

// form is a path or glob that an entry becomes a rule for: an opening where it
// leads, a closing as it is written and where it leads.
type form struct {
	literal string
	pattern *glob.Pattern
	written string // if it is not the written form
	rule    linked // for a form that links lead to
}

func (f form) base() string {
	if f.pattern != nil {
		return f.pattern.Base()
	}
	return f.literal
}

// listRule is what a form of an entry comes to on a target.
type listRule struct {
	form        form
	read, write ir.Effect
	exceptRead  []*glob.Pattern
	exceptWrite []*glob.Pattern
}

// ruleList adds the flat form of a unit: the first match decides, so an entry
// says nothing about what an earlier one covers. What covers what depends on the
// target, for on darwin a closing matches other spellings too.
func (b *builder) ruleList(u unit) {
	var entries []entry
	for i, r := range u.doc.Rules("rules") {
		if e, ok := b.listEntry(r, fmt.Sprintf("rules[%d]", i)); ok {
			entries = append(entries, e)
		}
	}
	linux, darwin := liveRules(entries, glob.Exact), liveRules(entries, glob.Darwin)
	for i, e := range entries {
		switch {
		case len(linux[i]) == 0 && len(darwin[i]) == 0:
			b.warn(diag.CodeDeadRule, e.place.rng, e.address, fmt.Sprintf("the rule for %q never decides", e.place.text), "An earlier rule covers it. Remove it, or move it up.")
		case u.narrow && e.opens():
			b.setAside(u, e.place.rng, e.address, fmt.Sprintf("the opening %q", e.place.text))
		case slices.EqualFunc(linux[i], darwin[i], listRule.equal):
			b.listRules(u, e, linux[i], "")
		default:
			b.listRules(u, e, linux[i], ir.Linux)
			b.listRules(u, e, darwin[i], ir.Darwin)
		}
	}
}

// listEntry reads an entry and finds its forms.
func (b *builder) listEntry(r document.Rule, address string) (entry, bool) {
	p, ok := b.paths.read(r.Path, true)
	if !ok {
		return entry{}, false
	}
	e := entry{place: p, access: r.Access.Value, address: address}
	e.read, e.write = listEffects(r)
	switch {
	case p.isGlob() && e.opens():
		b.globRoot(p, "read", address)
		return e, false
	case p.isGlob():
		e.forms = []form{{pattern: p.pattern}}
		resolved, ok := b.resolveGlob(p.pattern, p.rng, address)
		for _, q := range resolved {
			e.forms = append(e.forms, form{pattern: q.pattern, written: p.pattern.String(), rule: linked{links: q.links, rng: p.rng}})
		}
		return e, ok
	}
	res, ok := b.resolve(p.literal, p.rng, address)
	if !e.opens() || res.Path == p.literal {
		e.forms = []form{{literal: p.literal}}
	}
	if ok && res.Path != p.literal {
		e.forms = append(e.forms, form{literal: res.Path, written: p.literal, rule: linked{links: res.Links, rng: p.rng}})
	}
	return e, ok
}

func (e entry) opens() bool { return e.read == ir.Allow }

// listEffects are the effects that an entry names.
func listEffects(r document.Rule) (read, write ir.Effect) {
	e := map[string]ir.Effect{"allow": ir.Allow, "ask": ir.Ask, "deny": ir.Deny}[r.Action.Value]
	switch r.Access.Value {
	case "read":
		if e == ir.Allow {
			return ir.Allow, ir.Pass
		}
		return e, e // what may not be read may not be written
	case "write":
		if e == ir.Allow {
			return ir.Allow, ir.Allow // what may be written may be read
		}
		return ir.Pass, e
	}
	return e, e
}

// listRules adds the rules of an entry for a target.
func (b *builder) listRules(u unit, e entry, rules []listRule, target string) {
	for _, l := range rules {
		r := ir.FileRule{
			Read: l.read, Write: l.write, Layer: u.layer, Group: ir.GroupRoot, Target: target,
			Written: l.form.written, Origin: u.origin(e.address, e.place.rng),
		}
		switch {
		case u.narrow && l.write == ir.Ask:
			r.Group = ir.GroupNarrowAsk
		case l.form.pattern != nil:
			r.Group = ir.GroupGlob
		}
		if l.form.pattern == nil {
			r.Match = ir.Subtree(l.form.literal)
			b.add(r)
		} else {
			b.listGlob(l, r)
		}
		if l.form.written == "" {
			continue
		}
		through := l.form.rule
		through.rule = r
		if e.opens() {
			b.openings = append(b.openings, through)
		} else {
			b.closed = append(b.closed, through)
		}
	}
}

// listGlob adds a closing glob less the openings before it. Reading and writing
// have exceptions of their own, and so become two rules where those differ.
func (b *builder) listGlob(l listRule, r ir.FileRule) {
	r.Match = ir.Glob{Pattern: l.form.pattern, Except: l.exceptRead}
	if r.Read == ir.Pass {
		r.Match = ir.Glob{Pattern: l.form.pattern, Except: l.exceptWrite}
	}
	b.add(r)
	if r.Read == ir.Pass || len(l.exceptRead) == len(l.exceptWrite) {
		return
	}
	// What opens writing opens reading: write's exceptions are among read's.
	r.Read, r.Match = ir.Pass, ir.Glob{Pattern: l.form.pattern, Except: l.exceptWrite}
	b.add(r)
}

func (l listRule) equal(o listRule) bool {
	same := func(x, y []*glob.Pattern) bool { return slices.EqualFunc(x, y, (*glob.Pattern).Equal) }
	return l.form.literal == o.form.literal && l.form.pattern.Equal(o.form.pattern) && l.read == o.read && l.write == o.write &&
		same(l.exceptRead, o.exceptRead) && same(l.exceptWrite, o.exceptWrite)
}
