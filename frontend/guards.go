package frontend

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/frontend/document"
	hclfront "github.com/sandboxc/sbc/frontend/hcl"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/profiles"
)

// guardExcept is a path that a policy leaves open of a guard.
type guardExcept struct {
	place place
	forms []*glob.Pattern
	write bool // writing stays open too
	rule  string
	used  bool
}

// guards adds the rules of every guard that is not excluded. It runs after the
// roots, which are among the rules: "**/" in a guard means beneath each write
// root.
func (b *builder) guards(rules []ir.FileRule, grants []grant) {
	excluded := b.excludedGuards()
	excepts := b.guardExcepts(excluded)
	roots := rootGroups(writeRoots(rules, grants))
	for _, name := range profiles.Guards() {
		if _, ok := excluded[name]; ok {
			continue
		}
		b.guard(name, roots, excepts[name])
		for _, e := range excepts[name] {
			if !e.used {
				b.warn(diag.CodeUnusedExcept, e.place.rng, e.rule, fmt.Sprintf("the exception %q opens nothing of the guard", e.place.text), "Remove it, or correct it.")
			}
		}
	}
}

// excludedGuards returns the guards that a policy switches off by name.
func (b *builder) excludedGuards() map[string]bool {
	out := map[string]bool{}
	for _, u := range b.units {
		g := u.doc.Child("guards")
		if g == nil || !g.Has("exclude") {
			continue
		}
		if u.narrow {
			b.setAside(u, g.NameRange("exclude"), "guards", "the guard exclusion")
			continue
		}
		if strings.TrimSpace(g.Text("reason").Value) == "" && len(g.Texts("exclude")) > 0 {
			b.fail(diag.CodeUnknownGuard, g.NameRange("exclude"), "guards", "guards are excluded without a reason", `Add reason = "...": whoever reviews the policy wants to know.`)
		}
		for _, t := range g.Texts("exclude") {
			name := document.Plain(t.Value)
			if b.knownGuard(name, t.Range) {
				out[name] = true
			}
		}
	}
	return out
}

func (b *builder) knownGuard(name string, at diag.Range) bool {
	if slices.Contains(profiles.Guards(), name) {
		return true
	}
	d := diag.Diagnostic{
		Code: diag.CodeUnknownGuard, Severity: diag.Error, Subject: &at,
		Summary: fmt.Sprintf("no guard is called %q", name),
		Detail:  "The guards are " + strings.Join(profiles.Guards(), ", ") + ".",
	}
	if near := diag.Nearest(name, profiles.Guards()); near != "" {
		d.Help = fmt.Sprintf("did you mean %q?", near)
	}
	b.diags.Add(d)
	return false
}

func (b *builder) guardExcepts(excluded map[string]bool) map[string][]*guardExcept {
	out := map[string][]*guardExcept{}
	for _, u := range b.units {
		for _, e := range u.doc.Child("guards").Children("except") {
			name, rule := e.Label.Value, "guards.except."+e.Label.Value
			if !b.knownGuard(name, e.Label.Range) {
				continue
			}
			if u.narrow {
				b.setAside(u, e.Range, rule, "the guard exception")
				continue
			}
			if excluded[name] {
				b.warn(diag.CodeUnusedExcept, e.Range, rule, fmt.Sprintf("the guard %q is excluded as a whole", name), "Remove the exception, or the exclusion.")
			}
			for _, t := range e.Texts("paths") {
				p, ok := b.paths.read(t, true)
				if !ok {
					continue
				}
				if p.isGlob() {
					b.fail(diag.CodeGlob, t.Range, rule, fmt.Sprintf("the guard exception %q is a glob", p.text), "An exception opens single paths. Name each of them.")
					continue
				}
				forms, _ := b.exceptionForms(p, rule, true)
				for _, f := range slices.Clone(forms) { // as each target calls it
					lit, _ := f.IsLiteral()
					if linux, darwin, differ := perTarget(ir.Subtree(lit), b.opts.Facts.OS); differ {
						forms = append(forms, glob.Literal(linux.Base()), glob.Literal(darwin.Base()))
					}
				}
				out[name] = append(out[name], &guardExcept{place: p, forms: forms, write: e.Text("access").Value == "write", rule: rule})
			}
		}
	}
	return out
}

// guard adds the rules of one guard.
func (b *builder) guard(name string, roots func(string) []rootGroup, except []*guardExcept) {
	src, _ := profiles.GuardSource(name)
	f, ds := hclfront.ParseBuiltin(profiles.GuardFile(name), src)
	b.diags.Add(ds...)
	if ds.HasErrors() {
		return
	}
	doc, ds := document.Decode(f, document.Schema(), b.guardScope())
	b.diags.Add(ds...)
	if doc == nil {
		return
	}
	u := unit{doc: doc, name: f.Name, layer: ir.LayerGuard}
	u.filesystems(func(fs *document.Block, target, _ string) {
		for _, kind := range []string{"deny", "ask"} {
			for _, blk := range fs.Children(kind) {
				r := b.closingRule(blk, kind)
				r.Layer, r.Guard, r.Target = ir.LayerGuard, name, target
				b.guardBlock(u, blk, r, roots, except)
			}
		}
	})
}

// guardScope is the scope of a guard. Its git_dirs are those that the guards'
// own "**/.git/..." does not find, as of a bare repository with worktrees.
func (b *builder) guardScope() document.Scope {
	s := b.scope
	s.GitDirs = slices.DeleteFunc(slices.Clone(s.GitDirs), func(d string) bool {
		return slices.Contains(strings.Split(d, "/"), ".git")
	})
	return s
}

func (b *builder) guardBlock(u unit, blk *document.Block, r ir.FileRule, roots func(string) []rootGroup, except []*guardExcept) {
	own, ok := b.blockExceptions(blk, "", false)
	if !ok {
		return
	}
	for _, t := range blk.Texts("paths") {
		p, ok := b.paths.read(t, true)
		if !ok {
			continue
		}
		r := r
		r.Origin = u.origin("guards."+r.Guard+"."+blk.Label.Value, t.Range)
		if !p.everywhere {
			b.guardPlace(p, own, r, except)
			continue
		}
		for _, g := range roots(r.Target) {
			r := r
			r.Target = g.target
			if g.writeOnly {
				r.Read = ir.Pass
			}
			patterns, err := g.roots.Beneath(p.pattern)
			if err != nil {
				b.fail(diag.CodeGlob, t.Range, r.Origin.Address, fmt.Sprintf("the guard pattern %q cannot be used", p.text), err.Error()+".")
				continue
			}
			for _, pattern := range patterns {
				q := p
				q.pattern, q.literal = pattern, ""
				if lit, ok := pattern.IsLiteral(); ok {
					q.pattern, q.literal = nil, lit
				}
				b.guardPlace(q, own, r, except)
			}
		}
	}
}

// guardPlace adds a guard's rule for one path or glob, less what the guard and
// the policies leave open. What is left open for reading only stays closed for
// writing.
func (b *builder) guardPlace(p place, own []*glob.Pattern, r ir.FileRule, except []*guardExcept) {
	both, onlyRead := slices.Clone(own), []*glob.Pattern(nil)
	for _, e := range except {
		for _, f := range e.forms {
			switch {
			case !opensOf(p, f):
				continue
			case e.write:
				both = append(both, f)
			case r.Read.Closes():
				onlyRead = append(onlyRead, f)
			default:
				continue // the rule closes writing alone
			}
			e.used = true
		}
	}
	if len(onlyRead) == 0 {
		b.closingPlace(p, both, r)
		return
	}
	b.closingPlace(p, slices.Concat(both, onlyRead), r)
	r.Read = ir.Pass
	b.closingPlace(p, both, r)
}

// opensOf reports whether an exception lies where the place matches, so that
// others do not clutter its rule.
func opensOf(p place, except *glob.Pattern) bool {
	lit, _ := except.IsLiteral()
	if p.isGlob() {
		return p.pattern.Covers(lit, glob.Darwin)
	}
	return ir.Subtree(p.literal).Matches(lit, glob.Darwin)
}
