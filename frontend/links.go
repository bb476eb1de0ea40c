package frontend

import (
	"fmt"
	"slices"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
)

// repointable refuses an opening through a link that lies where a command may
// write, unless the link's target is open by a rule that passes no link:
// otherwise one run plants the link and the next opens its target.
func (b *builder) repointable(p *ir.Policy) {
	for _, o := range b.openings {
		reported := false
		for _, target := range []string{ir.Linux, ir.Darwin} {
			if !o.rule.AppliesTo(target) || b.plainlyOpen(p, o, target) {
				continue
			}
			for _, l := range o.links {
				if !b.plantable(p, target, l.Path) {
					continue
				}
				b.fail(diag.CodeRepointable, o.rng, o.rule.Origin.Address,
					fmt.Sprintf("the opening passes the link %q, which a command may re-point", l.Path),
					fmt.Sprintf("It leads to %q now. Write that path, or close the link for writing.", o.rule.Match.Base()))
				reported = true
				break
			}
			if reported {
				break
			}
		}
	}
}

// plantable reports whether a command may replace the name, or could in a
// directory above it.
func (b *builder) plantable(p *ir.Policy, target, link string) bool {
	return p.Decide(ir.Query{Target: target, Op: ir.Write, Path: link}).Effect == ir.Allow
}

// plainlyOpen reports whether the opening's target is as open without it.
func (b *builder) plainlyOpen(p *ir.Policy, o linked, target string) bool {
	without := *p
	without.Files = slices.DeleteFunc(slices.Clone(p.Files), func(r ir.FileRule) bool {
		return r.Opens() && r.Written != "" && slices.ContainsFunc(b.openings, func(x linked) bool { return x.rule.Origin.Address == r.Origin.Address && x.rule.Written == r.Written })
	})
	op := ir.Read
	if o.rule.Write == ir.Allow {
		op = ir.Write
	}
	return without.Decide(ir.Query{Target: target, Op: op, Path: o.rule.Match.Base(), Dir: true}).Effect == ir.Allow
}

// replaceable warns of a closing through a link that a command may replace: the
// name then leads elsewhere, and what it leads to now stays closed only by its
// resolved path.
func (b *builder) replaceable(p *ir.Policy) {
	for _, c := range b.closed {
		if c.rule.Guard != "" || c.rng.File == "" {
			continue
		}
		for _, l := range c.links {
			if b.plantable(p, b.opts.Facts.OS, l.Path) {
				b.warn(diag.CodeLinkedClosing, c.rng, c.rule.Origin.Address, fmt.Sprintf("the closing passes the link %q, which a command may replace", l.Path),
					fmt.Sprintf("It leads to %q now, and that stays closed. Write that path too, or close the link's directory for writing.", c.rule.Match.Base()))
				break
			}
		}
	}
}
