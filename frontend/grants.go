package frontend

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/glob"
)

// grant is what a session opens.
type grant struct {
	text   string // as it was given
	access string // "read", "write"
	rule   ir.FileRule
	paths  map[string]string // what it is called on each target
	dir    bool
}

func (g *grant) op() ir.Op {
	if g.access == "write" {
		return ir.Write
	}
	return ir.Read
}

func (g *grant) query(target string) ir.Query {
	return ir.Query{Target: target, Op: g.op(), Path: g.paths[target], Dir: g.dir}
}

func targets() []string { return []string{ir.Linux, ir.Darwin} }

// readGrants resolves the session's grants.
func (b *builder) readGrants() []grant {
	var out []grant
	for _, text := range b.opts.Read {
		out = b.readGrant(out, text, "read")
	}
	for _, text := range b.opts.Write {
		out = b.readGrant(out, text, "write")
	}
	return out
}

func (b *builder) readGrant(list []grant, text, access string) []grant {
	address := fmt.Sprintf("session.%s[%s]", access, text)
	if text == "" || strings.ContainsRune(text, 0) {
		b.fail(diag.CodePath, diag.Range{}, address, fmt.Sprintf("--%s %q is no path", access, text), "Name a path.")
		return list
	}
	abs := text
	switch {
	case text == "~":
		abs = b.scope.Home
	case strings.HasPrefix(text, "~/"):
		abs = b.scope.Home + "/" + text[2:]
	case !path.IsAbs(text):
		abs = b.opts.WorkDir + "/" + text
	}
	if at, ambiguous := b.paths.upThroughLink(abs); ambiguous {
		b.fail(diag.CodePath, diag.Range{}, address, fmt.Sprintf("--%s %q goes up behind the link %q", access, text, at), upDetail)
		return list
	}
	abs = path.Clean(abs)
	res, ok := b.resolve(abs, diag.Range{}, address)
	if !ok {
		return list
	}
	g := grant{text: text, access: access, dir: res.Node.Type == host.Dir}
	g.rule = ir.FileRule{
		Match: ir.Subtree(res.Path), Read: ir.Allow, Layer: ir.LayerSession, Group: ir.GroupRoot,
		Origin: ir.Origin{Address: address},
	}
	if access == "write" {
		g.rule.Write = ir.Allow
	}
	if res.Path != abs {
		g.rule.Written = abs
		b.openings = append(b.openings, linked{rule: g.rule, links: res.Links})
	}
	linux, darwin, _ := perTarget(g.rule.Match, b.opts.Facts.OS)
	g.paths = map[string]string{ir.Linux: linux.Base(), ir.Darwin: darwin.Base()}
	return append(list, g)
}

// grants adds the grants. One that answers an ask stands above the asks, any
// other is a root of the session. The rules are those of the trusted layers.
func (b *builder) grants(list []grant, rules []ir.FileRule) {
	for i := range list {
		g := &list[i]
		if b.denied(g, rules) {
			continue
		}
		r := g.rule
		if slices.ContainsFunc(targets(), func(target string) bool { return answers(g, target, rules) }) {
			r.Group = ir.GroupGrant
		}
		b.add(r)
	}
}

// answers reports whether an ask rule matches the granted path itself.
func answers(g *grant, target string, rules []ir.FileRule) bool {
	return slices.ContainsFunc(rules, func(r ir.FileRule) bool {
		asks := r.Group == ir.GroupAsk || r.Group == ir.GroupGlob
		return asks && r.Effect(g.op()) == ir.Ask && r.Matches(g.query(target))
	})
}

// denied reports a grant that a deny covers: a deny rule or guard, or a glob of
// a rule list that comes before one that asks. It opens nothing.
func (b *builder) denied(g *grant, rules []ir.FileRule) bool {
	for _, target := range targets() {
		first := true // of the globs of rule lists
		for i := range rules {
			r := &rules[i]
			if r.Group != ir.GroupDeny && r.Group != ir.GroupGlob || !r.Effect(g.op()).Closes() || !r.Matches(g.query(target)) {
				continue
			}
			if r.Group == ir.GroupGlob && (!first || r.Effect(g.op()) == ir.Ask) {
				first = false
				continue
			}
			var related []diag.Related
			if r.Origin.Range.File != "" {
				related = append(related, diag.Related{Range: r.Origin.Range, Message: "it is denied here"})
			}
			b.fail(diag.CodeGrantDenied, diag.Range{}, g.rule.Origin.Address, fmt.Sprintf("--%s %s is denied by %s", g.access, g.text, r.Origin.Address),
				"A deny is absolute: no grant opens it. Change the policy.", related...)
			return true
		}
	}
	return false
}

// narrowed takes from the asks of narrow layers what a grant answers. The grant
// then opens what it would open without them, and no more. A grant that a deny
// of a narrow layer covers is an error.
func (b *builder) narrowed(rules []ir.FileRule, list []grant) []ir.FileRule {
	for i := range list {
		g := &list[i]
		if b.denied(g, rules) {
			continue
		}
		var out []ir.FileRule
		for _, r := range rules {
			if r.Group != ir.GroupNarrowAsk {
				out = append(out, r)
				continue
			}
			less := r
			for _, target := range targets() {
				if r.Matches(g.query(target)) {
					less.Match = without(less.Match, g.paths[target])
				}
			}
			out = append(out, less)
			if g.access == "read" && r.Read.Closes() && less.Match.String() != r.Match.String() {
				r.Read = ir.Pass // writing is still asked for
				out = append(out, r)
			}
		}
		rules = out
	}
	return rules
}

// without is a match less a path and what lies beneath it.
func without(m ir.Match, p string) ir.Match {
	g, ok := m.(ir.Glob)
	if !ok {
		g = ir.Glob{Pattern: glob.Literal(m.Base())}
	}
	g.Except = append(slices.Clone(g.Except), glob.Literal(p))
	return g
}
