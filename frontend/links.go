package frontend

import (
	"fmt"
	"slices"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/glob"
)

// repointable refuses an opening through a link that lies where a command may
// write, unless the link's target is open by a rule that passes no link:
// otherwise one run plants the link and the next opens its target.
func (b *builder) repointable(p *ir.Policy) {
	if len(b.openings)+len(b.exceptions)+len(b.others) == 0 {
		return
	}
	c := linkCheck{b: b, now: deciders(p), plain: deciders(b.plain(p)), lasting: deciders(lasting(p))}
	for _, o := range b.openings {
		c.check(o, "the opening", c.plainlyOpen)
	}
	for _, o := range b.exceptions {
		c.check(o, "the exception", c.opensNothing)
	}
	for _, o := range b.others {
		c.check(o, "the path", func(linked, string) bool { return b.plainlyListed(o) })
	}
}

func deciders(p *ir.Policy) map[string]*ir.Decider {
	return map[string]*ir.Decider{ir.Linux: ir.NewDecider(p, ir.Linux), ir.Darwin: ir.NewDecider(p, ir.Darwin)}
}

// linkCheck holds the policy against itself without what links open.
type linkCheck struct {
	b          *builder
	now, plain map[string]*ir.Decider
	lasting    map[string]*ir.Decider // with the closings alone that keep a name from appearing
}

// lasting returns the policy without closings that may not hold for a name
// which is missing at the start: where names cannot be protected before they
// exist, an earlier run could have made the link.
func lasting(p *ir.Policy) *ir.Policy {
	out := *p
	out.Files = slices.DeleteFunc(slices.Clone(p.Files), func(r ir.FileRule) bool {
		_, literal := ir.Literal(r.Match)
		return r.Group < ir.GroupRequired && !r.Opens() && (!literal || r.Guard != "" || r.OnMissing == ir.MissingSkip)
	})
	return &out
}

// check reports a link that may be re-pointed, on any target where what it
// opens is not harmless.
func (c linkCheck) check(o linked, what string, harmless func(o linked, target string) bool) {
	for _, target := range targets() {
		if !o.rule.AppliesTo(target) || harmless(o, target) {
			continue
		}
		for _, l := range o.links {
			if c.b.plantable(c.lasting[target], l.Path) {
				c.b.fail(diag.CodeRepointable, o.rng, o.rule.Origin.Address,
					fmt.Sprintf("%s passes the link %q, which a command may re-point", what, l.Path),
					fmt.Sprintf("It leads to %q now. Write that path, or close the link for writing.", o.rule.Match.Base()))
				return
			}
		}
	}
}

// plainlyOpen reports whether the opening's target is as open without links.
func (c linkCheck) plainlyOpen(o linked, target string) bool {
	op := ir.Read
	if o.rule.Write == ir.Allow {
		op = ir.Write
	}
	return c.plain[target].Decide(op, c.b.on(target, o.rule.Match), true).Effect == ir.Allow
}

// opensNothing reports whether what the link leads to is as open without it as
// an exception.
func (c linkCheck) opensNothing(o linked, target string) bool {
	to := c.b.on(target, o.rule.Match)
	return !slices.ContainsFunc([]ir.Op{ir.Read, ir.Write}, func(op ir.Op) bool {
		return c.now[target].Decide(op, to, false).Effect == ir.Allow && c.plain[target].Decide(op, to, false).Effect != ir.Allow
	})
}

// plainlyListed reports whether the socket is listed by its own name too.
func (b *builder) plainlyListed(o linked) bool {
	return slices.ContainsFunc(b.listed, func(p string) bool { return p == o.rule.Match.Base() })
}

// plantable reports whether a command may replace the name, or could in a
// directory above it.
func (b *builder) plantable(d *ir.Decider, link string) bool {
	return d.Decide(ir.Write, b.on(d.Target(), ir.Path(link)), false).Effect == ir.Allow
}

// on is what a target calls the base of a match.
func (b *builder) on(target string, m ir.Match) string {
	linux, darwin, _ := perTarget(m, b.opts.Facts.OS)
	if target == ir.Darwin {
		return darwin.Base()
	}
	return linux.Base()
}

// plain returns the policy without what links open: the openings that pass one,
// and the exceptions that are what one leads to.
func (b *builder) plain(p *ir.Policy) *ir.Policy {
	openings, leads := map[[2]string]bool{}, map[string]bool{}
	for _, x := range b.openings {
		openings[[2]string{x.rule.Origin.Address, x.rule.Written}] = true
	}
	for _, x := range slices.Concat(b.openings, b.exceptions) {
		for _, target := range targets() {
			leads[b.on(target, x.rule.Match)] = true
		}
	}
	out := *p
	out.Files = nil
	for _, r := range p.Files {
		if r.Opens() && r.Written != "" && openings[[2]string{r.Origin.Address, r.Written}] {
			continue
		}
		if g, ok := r.Match.(ir.Glob); ok && len(g.Except) > 0 {
			g.Except = slices.DeleteFunc(slices.Clone(g.Except), func(e *glob.Pattern) bool {
				lit, ok := e.IsLiteral()
				return ok && leads[lit]
			})
			r.Match = g
		}
		out.Files = append(out.Files, r)
	}
	return &out
}

// replaceable warns of a closing through a link that a command may replace: the
// name then leads elsewhere, and what it leads to now stays closed only by its
// resolved path.
func (b *builder) replaceable(p *ir.Policy) {
	if len(b.closed) == 0 {
		return
	}
	d := ir.NewDecider(p, b.opts.Facts.OS)
	for _, c := range b.closed {
		if c.rule.Guard != "" || c.rng.File == "" {
			continue
		}
		for _, l := range c.links {
			if b.plantable(d, l.Path) {
				b.warn(diag.CodeLinkedClosing, c.rng, c.rule.Origin.Address, fmt.Sprintf("the closing passes the link %q, which a command may replace", l.Path),
					fmt.Sprintf("It leads to %q now, and that stays closed. Write that path too, or close the link's directory for writing.", c.rule.Match.Base()))
				break
			}
		}
	}
}
