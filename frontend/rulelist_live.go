package frontend

import (
	"slices"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
)

// coverage is what the entries of a rule list so far decide.
type coverage struct {
	fold     glob.Fold                             // how closings compare
	openings map[string]effects                    // by path
	closings map[string]effects                    // by foldKey
	globs    []listRule                            // all of them closings
	except   struct{ read, write []*glob.Pattern } // the openings
}

// effects says of which operations something is decided.
type effects struct{ read, write bool }

func (e effects) or(o effects) effects { return effects{e.read || o.read, e.write || o.write} }

// liveRules returns the rules that each entry comes to, for closings that
// compare as fold says.
func liveRules(entries []entry, fold glob.Fold) [][]listRule {
	c := &coverage{fold: fold, openings: map[string]effects{}, closings: map[string]effects{}}
	out := make([][]listRule, len(entries))
	for i, e := range entries {
		for _, f := range e.forms {
			if l, ok := live(e, f, c.of(f)); ok {
				if f.pattern != nil {
					l.exceptRead, l.exceptWrite = slices.Clip(c.except.read), slices.Clip(c.except.write)
				}
				out[i] = append(out[i], l)
			}
		}
		for _, l := range out[i] {
			c.add(e, l)
		}
	}
	return out
}

// live takes from an entry the effects that earlier ones have covered. An entry
// is dead if all that it names is; what is only there because nothing may be
// written that may not be read goes with it.
func live(e entry, f form, covered effects) (listRule, bool) {
	l := listRule{form: f, read: e.read, write: e.write}
	named := effects{read: e.access != "write", write: e.access != "read"}
	if (!named.read || covered.read) && (!named.write || covered.write) {
		return l, false
	}
	if e.opens() {
		if covered.write {
			l.write = ir.Pass
		}
		if covered.read && l.write != ir.Allow {
			l.read = ir.Pass
		}
		return l, l.read != ir.Pass || l.write != ir.Pass
	}
	if covered.read {
		l.read = ir.Pass
	}
	if covered.write && !l.read.Closes() {
		l.write = ir.Pass
	}
	return l, l.read != ir.Pass || l.write != ir.Pass
}

// of returns what of a form is decided already, wholly.
func (c *coverage) of(f form) effects {
	var out effects
	for _, p := range append(ir.Ancestors(f.base()), f.base()) {
		out = out.or(c.openings[p]).or(c.closings[c.key(p)])
	}
	for _, g := range c.globs {
		// Of two different globs nobody knows.
		if f.pattern == nil && g.form.pattern.Covers(f.literal, c.fold) || f.pattern != nil && g.form.pattern.Equal(f.pattern) {
			out = out.or(g.decides())
		}
	}
	return out
}

func (l listRule) decides() effects { return effects{l.read != ir.Pass, l.write != ir.Pass} }

func (c *coverage) add(e entry, l listRule) {
	switch {
	case l.form.pattern != nil:
		c.globs = append(c.globs, l)
	case !e.opens():
		k := c.key(l.form.literal)
		c.closings[k] = c.closings[k].or(l.decides())
	default:
		c.openings[l.form.literal] = c.openings[l.form.literal].or(l.decides())
		pats := []*glob.Pattern{glob.Literal(l.form.literal)}
		if l.form.written != "" {
			pats = append([]*glob.Pattern{glob.Literal(l.form.written)}, pats...)
		}
		if l.read == ir.Allow {
			c.except.read = append(c.except.read, pats...)
		}
		if l.write == ir.Allow {
			c.except.write = append(c.except.write, pats...)
		}
	}
}

func (c *coverage) key(p string) string {
	if c.fold == glob.Exact {
		return p
	}
	return foldKey(p)
}
