package frontend

import (
	"fmt"

	"github.com/sandboxc/sbc/frontend/document"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
)

// rootEffects are the effects of a root by its access.
func rootEffects(access string) (read, write ir.Effect) {
	switch access {
	case "write":
		return ir.Allow, ir.Allow
	case "read":
		return ir.Allow, ir.Deny
	}
	return ir.Deny, ir.Deny
}

// roots adds the root lists and allow blocks of a unit.
func (b *builder) roots(u unit) {
	u.filesystems(func(fs *document.Block, target, prefix string) {
		for _, access := range []string{"read", "write", "none"} {
			for _, t := range fs.Texts(access) {
				address := fmt.Sprintf("%s%s[%s]", prefix, access, t.Source)
				b.root(u, t, access, ir.FileRule{Target: target, Origin: u.origin(address, t.Range)})
			}
		}
		for _, a := range fs.Children("allow") {
			access := a.Text("access").Value
			if access == "" {
				access = "read"
			}
			missing := onMissing(a.Text("on_missing").Value)
			if u.narrow && missing != ir.MissingDefault {
				b.setAside(u, a.NameRange("on_missing"), prefix+"allow."+a.Label.Value, "on_missing")
				missing = ir.MissingDefault
			}
			for _, t := range a.Texts("paths") {
				b.root(u, t, access, ir.FileRule{
					Target: target, OnMissing: missing, Reason: document.Plain(a.Text("reason").Value),
					Origin: u.origin(prefix+"allow."+a.Label.Value, t.Range),
				})
			}
		}
	})
}

// root adds one root. Of a narrow layer only what closes is left.
func (b *builder) root(u unit, t document.Text, access string, r ir.FileRule) {
	p, ok := b.paths.read(t, true)
	if !ok {
		return
	}
	if p.isGlob() {
		b.globRoot(p, access, r.Origin.Address)
		return
	}
	r.Read, r.Write = rootEffects(access)
	r.Group, r.Layer = ir.GroupRoot, u.layer
	if u.narrow {
		switch access {
		case "write":
			b.setAside(u, t.Range, r.Origin.Address, fmt.Sprintf("the write root %q", p.text))
			return
		case "read":
			r.Read = ir.Pass // reading is not opened; writing is closed
			b.closing(p.literal, r, t.Range)
			return
		}
	}
	if access == "none" {
		b.closing(p.literal, r, t.Range)
		return
	}
	b.opening(p.literal, r, t.Range)
}

func (b *builder) globRoot(p place, access, rule string) {
	if access == "none" {
		b.fail(diag.CodeGlob, p.rng, rule, fmt.Sprintf("the root %q is a glob", p.text), `Roots are single paths. Write a closing glob in a deny block.`)
		return
	}
	b.fail(diag.CodeGlob, p.rng, rule, fmt.Sprintf("the opening %q is a glob", p.text),
		`Only closings may be globs. Open the directory above it, or each path; for a path that holds such a character write literal("...").`)
}

// opening adds an opening at its resolved path. What is for another system than
// the host's stays as it is written: /bin is a link here, and none there. Links
// in the workspace and in the home directory are taken to be the same on both.
func (b *builder) opening(literal string, r ir.FileRule, rng diag.Range) {
	if r.Target != "" && r.Target != b.opts.Facts.OS {
		r.Match = ir.Subtree(literal)
		b.add(r)
		return
	}
	res, ok := b.resolve(literal, rng, r.Origin.Address)
	if !ok {
		return
	}
	r.Match = ir.Subtree(res.Path)
	if res.Path != literal {
		if r.Target == "" && !ir.Beneath(literal, b.opts.Workspace) && !ir.Beneath(literal, b.opts.Facts.Home) {
			other := r
			other.Match = ir.Subtree(literal)
			r.Target, other.Target = ir.Linux, ir.Darwin
			if b.opts.Facts.OS == ir.Darwin {
				r.Target, other.Target = ir.Darwin, ir.Linux
			}
			if l, d, differ := perTarget(other.Match, b.opts.Facts.OS); differ {
				other.Match = map[string]ir.Match{ir.Linux: l, ir.Darwin: d}[other.Target]
			}
			b.add(other)
		}
		r.Written = literal
		b.openings = append(b.openings, linked{rule: r, links: res.Links, rng: rng})
	}
	b.add(r)
}

// closing adds a closing at its written and, where they differ, its resolved
// path.
func (b *builder) closing(literal string, r ir.FileRule, rng diag.Range) {
	res, ok := b.resolve(literal, rng, r.Origin.Address)
	if !ok {
		return
	}
	r.Match = ir.Subtree(literal)
	b.add(r)
	if res.Path != literal {
		r.Match, r.Written = ir.Subtree(res.Path), literal
		b.add(r)
		b.closed = append(b.closed, linked{rule: r, links: res.Links, rng: rng})
	}
}

func (u unit) origin(address string, rng diag.Range) ir.Origin {
	return ir.Origin{Address: address, Range: rng, Via: u.via}
}

func onMissing(word string) ir.OnMissing {
	for _, m := range []ir.OnMissing{ir.MissingReserve, ir.MissingCreate, ir.MissingSkip, ir.MissingRefuse} {
		if m.String() == word {
			return m
		}
	}
	return ir.MissingDefault
}
