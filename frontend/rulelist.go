package frontend

import (
	"fmt"

	"github.com/sandboxc/sbc/frontend/document"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/glob"
)

// entry is a rule-list entry with its effects.
type entry struct {
	place       place
	read, write ir.Effect
}

// ruleList adds the flat form of a unit: the first match decides, so an entry
// says nothing about what an earlier one covers.
func (b *builder) ruleList(u unit) {
	var before []entry
	for i, r := range u.doc.Rules("rules") {
		address := fmt.Sprintf("rules[%d]", i)
		p, ok := b.paths.read(r.Path, true)
		if !ok {
			continue
		}
		e := entry{place: p}
		e.read, e.write = listEffects(r)
		b.listEntry(u, e, before, address)
		before = append(before, e)
	}
}

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

func (b *builder) listEntry(u unit, e entry, before []entry, address string) {
	read, write := live(e, before)
	if read == ir.Pass && write == ir.Pass {
		b.warn(diag.CodeDeadRule, e.place.rng, address, fmt.Sprintf("the rule for %q never decides", e.place.text), "An earlier rule covers it. Remove it, or move it up.")
		return
	}
	r := ir.FileRule{Read: read, Write: write, Layer: u.layer, Group: ir.GroupRoot, Origin: u.origin(address, e.place.rng)}
	if read == ir.Allow || write == ir.Allow {
		if e.place.isGlob() {
			b.globRoot(e.place, "read", address)
			return
		}
		if u.narrow {
			b.setAside(u, e.place.rng, address, "the opening "+fmt.Sprintf("%q", e.place.text))
			return
		}
		b.opening(e.place.literal, r, e.place.rng)
		return
	}
	if !e.place.isGlob() {
		if u.narrow && write == ir.Ask {
			r.Group = ir.GroupNarrowAsk
		}
		b.closing(e.place.literal, r, e.place.rng)
		return
	}
	r.Group = ir.GroupGlob
	if u.narrow && write == ir.Ask {
		r.Group = ir.GroupNarrowAsk
	}
	b.listGlob(e.place, before, r)
}

// listGlob adds a closing glob less the openings before it. Reading and writing
// have exceptions of their own, and so become two rules where those differ.
func (b *builder) listGlob(p place, before []entry, r ir.FileRule) {
	var read, write []*glob.Pattern
	for _, o := range before {
		if o.place.isGlob() {
			continue
		}
		pats := []*glob.Pattern{glob.Literal(o.place.literal)}
		if res, ok := b.resolve(o.place.literal, o.place.rng, ""); ok && res.Path != o.place.literal {
			pats = append(pats, glob.Literal(res.Path))
		}
		if o.read == ir.Allow {
			read = append(read, pats...)
		}
		if o.write == ir.Allow {
			write = append(write, pats...)
		}
	}
	if r.Read == ir.Pass || len(read) == len(write) {
		if r.Read == ir.Pass {
			read = write
		}
		b.globRule(p.pattern, read, r, p.rng)
		return
	}
	// What opens writing opens reading: write's exceptions are among read's.
	b.globRule(p.pattern, read, r, p.rng)
	r.Read = ir.Pass
	b.globRule(p.pattern, write, r, p.rng)
}

// live takes from an entry the effects that an earlier entry has covered.
func live(e entry, before []entry) (read, write ir.Effect) {
	read, write = e.read, e.write
	for _, o := range before {
		if !covers(o.place, e.place) {
			continue
		}
		if o.read != ir.Pass {
			read = ir.Pass
		}
		if o.write != ir.Pass {
			write = ir.Pass
		}
	}
	return read, write
}

// covers reports whether everything that inner matches lies in outer. For two
// different globs it says no where it cannot tell.
func covers(outer, inner place) bool {
	switch {
	case !outer.isGlob() && !inner.isGlob():
		return ir.Beneath(inner.literal, outer.literal)
	case !outer.isGlob():
		return ir.Beneath(inner.pattern.Base(), outer.literal)
	case !inner.isGlob():
		return outer.pattern.Covers(inner.literal, glob.Exact)
	}
	return outer.pattern.String() == inner.pattern.String()
}
