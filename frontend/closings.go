package frontend

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/frontend/document"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/glob"
)

// closings adds the deny and ask blocks of a unit.
func (b *builder) closings(u unit) {
	u.filesystems(func(fs *document.Block, target, prefix string) {
		for _, kind := range []string{"deny", "ask"} {
			for _, blk := range fs.Children(kind) {
				r := b.closingRule(blk, kind)
				r.Layer, r.Target = u.layer, target
				if u.narrow {
					if kind == "ask" {
						r.Group = ir.GroupNarrowAsk
					}
					if r.OnMissing != ir.MissingDefault {
						b.setAside(u, blk.NameRange("on_missing"), prefix+kind+"."+blk.Label.Value, "on_missing")
						r.OnMissing = ir.MissingDefault
					}
				}
				b.closingBlock(u, blk, r, prefix+kind+"."+blk.Label.Value)
			}
		}
	})
}

// closingRule is what the attributes of a deny or ask block say.
func (b *builder) closingRule(blk *document.Block, kind string) ir.FileRule {
	e, group := ir.Deny, ir.GroupDeny
	if kind == "ask" {
		e, group = ir.Ask, ir.GroupAsk
	}
	r := ir.FileRule{
		Read: e, Write: e, Group: group,
		NonDir:    blk.Text("only").Value == "nondirectory",
		OnMissing: onMissing(blk.Text("on_missing").Value),
		Reason:    document.Plain(blk.Text("reason").Value),
	}
	if blk.Text("access").Value == "write" {
		r.Read = ir.Pass
	}
	if blk.Text("sweep").Value == "quarantine" {
		r.Sweep = ir.SweepQuarantine
	}
	return r
}

func (b *builder) closingBlock(u unit, blk *document.Block, r ir.FileRule, address string) {
	except, ok := b.blockExceptions(blk, address, !u.narrow)
	if !ok {
		return
	}
	var places []place
	for _, t := range blk.Texts("paths") {
		p, ok := b.paths.read(t, false)
		if !ok {
			continue
		}
		places = append(places, p)
		r := r
		r.Origin = u.origin(address, t.Range)
		b.closingPlace(p, except, r)
	}
	b.unusedExceptions(blk, places, address)
}

// unusedExceptions warns of an exception that lies apart from all paths of its
// block.
func (b *builder) unusedExceptions(blk *document.Block, places []place, address string) {
	for _, t := range blk.Texts("except") {
		e, ok := b.paths.read(t, false)
		if !ok || slices.ContainsFunc(places, func(p place) bool { return mayOverlap(p, e) }) {
			continue
		}
		b.warn(diag.CodeUnusedExcept, t.Range, address, fmt.Sprintf("the exception %q is covered by no path of the rule", e.text), "Remove it, or correct it.")
	}
}

// mayOverlap reports whether an exception may take something from a path or
// glob. Where it cannot tell, it says yes.
func mayOverlap(p, except place) bool {
	switch {
	case !p.isGlob() && !except.isGlob():
		// An exception above the path takes all of it.
		return ir.Subtree(p.literal).Matches(except.literal, glob.Darwin) || ir.Subtree(except.literal).Matches(p.literal, glob.Darwin)
	case p.isGlob() && !except.isGlob():
		return slices.ContainsFunc(p.pattern.Alternatives(), func(a glob.Alternative) bool { return mayReach(a, except.literal) })
	}
	pb, eb := p.base(), except.base()
	return ir.Beneath(pb, eb) || ir.Beneath(eb, pb)
}

// mayReach reports whether an alternative may match a path, or something above
// or beneath it: whether its segments match those of the path as far as both go,
// up to a **.
func mayReach(a glob.Alternative, path string) bool {
	n := slices.IndexFunc(a, func(s glob.Segment) bool { return s.Doublestar })
	if n < 0 {
		n = len(a)
	}
	start, err := glob.Parse(a[:min(n, strings.Count(strings.TrimSuffix(path, "/"), "/"))].String())
	return err != nil || start.Covers(path, glob.Darwin)
}

func (p place) base() string {
	if p.isGlob() {
		return p.pattern.Base()
	}
	return p.literal
}

// blockExceptions reads the except list of a closing block. An exception
// through a link is remembered if it opens something.
func (b *builder) blockExceptions(blk *document.Block, address string, opens bool) ([]*glob.Pattern, bool) {
	var out []*glob.Pattern
	good := true
	for _, t := range blk.Texts("except") {
		p, ok := b.paths.read(t, false)
		if !ok {
			good = false
			continue
		}
		if p.isGlob() {
			out = append(out, p.pattern)
			continue
		}
		pats, ok := b.exceptionForms(p, address, opens)
		good = good && ok
		out = append(out, pats...)
	}
	return out, good
}

// exceptionForms returns the written and, where it differs, the resolved form
// of a literal exception.
func (b *builder) exceptionForms(p place, address string, opens bool) ([]*glob.Pattern, bool) {
	out := []*glob.Pattern{glob.Literal(p.literal)}
	res, ok := b.resolve(p.literal, p.rng, address)
	if ok && res.Path != p.literal {
		out = append(out, glob.Literal(res.Path))
		if opens {
			r := ir.FileRule{Match: ir.Subtree(res.Path), Origin: ir.Origin{Address: address}}
			b.exceptions = append(b.exceptions, linked{rule: r, links: res.Links, rng: p.rng})
		}
	}
	return out, ok
}

// closingPlace adds a closing of one path or glob, less the exceptions.
func (b *builder) closingPlace(p place, except []*glob.Pattern, r ir.FileRule) {
	if !p.isGlob() && len(except) == 0 {
		b.closing(p.literal, r, p.rng)
		return
	}
	pattern := p.pattern
	if !p.isGlob() {
		pattern = glob.Literal(p.literal)
	} else if r.OnMissing == ir.MissingReserve || r.OnMissing == ir.MissingRefuse {
		b.fail(diag.CodeGlob, p.rng, r.Origin.Address, fmt.Sprintf("on_missing %q does not fit the glob %q", r.OnMissing, p.text),
			"A glob may match nothing. Leave on_missing out, or write the path.")
		return
	}
	b.globRule(pattern, except, r, p.rng)
}

// globRule adds a closing glob in its written and its resolved forms.
func (b *builder) globRule(pattern *glob.Pattern, except []*glob.Pattern, r ir.FileRule, rng diag.Range) {
	resolved, ok := b.resolveGlob(pattern, rng, r.Origin.Address)
	if !ok {
		return
	}
	r.Match = ir.Glob{Pattern: pattern, Except: except}
	b.add(r)
	for _, q := range resolved {
		r.Match, r.Written = ir.Glob{Pattern: q.pattern, Except: except}, pattern.String()
		b.add(r)
		b.closed = append(b.closed, linked{rule: r, links: q.links, rng: rng})
	}
}
