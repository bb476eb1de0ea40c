package irtest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/glob"
)

// Policies draws a valid policy of up to twelve file rules. The rest of it is
// the zero value; [Full] has the rest.
func Policies() *rapid.Generator[*ir.Policy] {
	return rapid.Custom(func(t *rapid.T) *ir.Policy {
		p := &ir.Policy{Version: 1, Name: "random", Workspace: "/w", Home: "/w/a", Temp: "/w/b"}
		p.Files = rapid.SliceOfN(Rules(), 0, 12).Draw(t, "rules")
		sortRules(p.Files)
		for i := range p.Files {
			r := &p.Files[i]
			at := diag.Pos{Line: i + 1, Column: 3, Byte: 10 * i}
			r.Origin = ir.Origin{
				Address: fmt.Sprintf("%s[%d]", r.Group, i),
				Range:   diag.Range{File: "random.hcl", Start: at, End: at},
			}
		}
		return p
	})
}

// sortRules puts rules in the order of their groups, and roots in theirs.
func sortRules(rules []ir.FileRule) {
	depth := func(r *ir.FileRule) int { return strings.Count(strings.TrimSuffix(r.Match.Base(), "/"), "/") }
	slices.SortStableFunc(rules, func(a, b ir.FileRule) int {
		order := cmp.Compare(a.Group, b.Group)
		if order == 0 && a.Group == ir.GroupRoot {
			order = cmp.Or(-cmp.Compare(depth(&a), depth(&b)), cmp.Compare(a.Layer, b.Layer))
		}
		return order
	})
}

// Rules draws one rule without an origin, valid in its group.
func Rules() *rapid.Generator[ir.FileRule] {
	return rapid.Custom(func(t *rapid.T) ir.FileRule {
		r := ir.FileRule{
			Group:  rapid.SampledFrom(groups()).Draw(t, "group"),
			Target: rapid.SampledFrom([]string{"", "", "", ir.Darwin, ir.Linux}).Draw(t, "target"),
		}
		switch r.Group {
		case ir.GroupDeny:
			closing(t, &r, ir.Deny)
		case ir.GroupAsk, ir.GroupNarrowAsk:
			closing(t, &r, ir.Ask)
		case ir.GroupGlob:
			r.Match = globs().Draw(t, "glob")
			closes(t, &r, rapid.SampledFrom([]ir.Effect{ir.Deny, ir.Ask}).Draw(t, "effect"))
		case ir.GroupGrant:
			r.Match = subtree(t)
			r.Read, r.Write = ir.Allow, rapid.SampledFrom([]ir.Effect{ir.Pass, ir.Allow}).Draw(t, "write")
		case ir.GroupRoot:
			r.Match = subtree(t)
			access(t, &r)
			r.Private = r.Read == ir.Allow && rapid.IntRange(0, 5).Draw(t, "private") == 0
		case ir.GroupRequired, ir.GroupFloor:
			kinds := 2
			if r.Group == ir.GroupFloor {
				kinds = 3
			}
			switch rapid.IntRange(1, kinds).Draw(t, "kind") {
			case 1:
				r.Match = ir.Path(AnyPath().Draw(t, "path"))
			case 2:
				r.Match = ir.Glob{Pattern: patterns().Draw(t, "pattern")}
			case 3:
				r.Match = subtree(t)
			}
			access(t, &r)
		}
		r.Layer = layer(t, &r)
		return r
	})
}

func groups() []ir.Group {
	return []ir.Group{
		ir.GroupRoot, ir.GroupRoot, ir.GroupRoot, ir.GroupDeny, ir.GroupDeny, ir.GroupGrant, ir.GroupAsk, ir.GroupGlob,
		ir.GroupNarrowAsk, ir.GroupRequired, ir.GroupFloor,
	}
}

func layer(t *rapid.T, r *ir.FileRule) ir.Layer {
	if r.Group == ir.GroupRequired || r.Group == ir.GroupFloor || r.Private && rapid.Bool().Draw(t, "floor") {
		return ir.LayerFloor
	}
	return rapid.SampledFrom([]ir.Layer{
		ir.LayerGuard, ir.LayerSession, ir.LayerWorkspace, ir.LayerUser, ir.LayerProfile,
	}).Draw(t, "layer")
}

func subtree(t *rapid.T) ir.Match { return ir.Subtree(AnyPath().Draw(t, "path")) }

// closing draws a rule of deny, ask or a guard.
func closing(t *rapid.T, r *ir.FileRule, e ir.Effect) {
	r.NonDir = rapid.IntRange(0, 5).Draw(t, "non-dir") == 0
	switch rapid.IntRange(0, 2).Draw(t, "kind") {
	case 0:
		r.Match = subtree(t)
		if r.NonDir {
			r.Match = ir.Path(r.Match.Base())
		}
	default:
		r.Match = globs().Draw(t, "glob")
	}
	closes(t, r, e)
}

// closes closes reading and writing, or writing alone.
func closes(t *rapid.T, r *ir.FileRule, e ir.Effect) {
	r.Write = e
	if rapid.Bool().Draw(t, "all") {
		r.Read = e
	}
}

// access gives a rule the effects of none, read, write, or of a rule list.
func access(t *rapid.T, r *ir.FileRule) {
	e := rapid.SampledFrom([][2]ir.Effect{
		{ir.Allow, ir.Allow},
		{ir.Allow, ir.Allow},
		{ir.Allow, ir.Deny},
		{ir.Allow, ir.Pass},
		{ir.Deny, ir.Deny},
		{ir.Pass, ir.Deny},
		{ir.Ask, ir.Ask},
		{ir.Allow, ir.Ask},
	}).Draw(t, "effects")
	r.Read, r.Write = e[0], e[1]
}

func globs() *rapid.Generator[ir.Match] {
	return rapid.Custom(func(t *rapid.T) ir.Match {
		g := ir.Glob{Pattern: patterns().Draw(t, "pattern")}
		if rapid.Bool().Draw(t, "has except") {
			g.Except = []*glob.Pattern{exception(t, g.Pattern)}
		}
		return g
	})
}

// exception draws a glob, or something beneath the pattern, so that it often
// takes something out.
func exception(t *rapid.T, p *glob.Pattern) *glob.Pattern {
	if rapid.Bool().Draw(t, "beneath") {
		return glob.MustParse(p.String() + "/" + glob.Quote(name().Draw(t, "name")))
	}
	return patterns().Draw(t, "except")
}
