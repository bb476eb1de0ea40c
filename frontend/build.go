package frontend

import (
	"github.com/sandboxc/sbc/frontend/document"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
)

// builder turns the units into rules.
type builder struct {
	opts  Options
	scope document.Scope
	units []unit
	paths pathReader
	rules []ir.FileRule
	// Rules whose paths pass symbolic links, and other parts that open through
	// one, for the check that none of them can be re-pointed.
	openings   []linked
	exceptions []linked
	others     []linked
	closed     []linked
	listed     []string // sockets by their own names
	diags      diag.List
}

// linked is a rule or another part of the policy whose path passes symbolic
// links.
type linked struct {
	rule  ir.FileRule // with what the path leads to as its match
	links []host.FollowedLink
	rng   diag.Range
}

func (b *builder) warn(code diag.Code, at diag.Range, rule, summary, detail string) {
	d := diag.Diagnostic{Code: code, Severity: diag.Warning, Summary: summary, Detail: detail, Rule: rule}
	if at != (diag.Range{}) {
		d.Subject = &at
	}
	b.diags.Add(d)
}

func (b *builder) fail(code diag.Code, at diag.Range, rule, summary, detail string, related ...diag.Related) {
	d := diag.Diagnostic{Code: code, Severity: diag.Error, Summary: summary, Detail: detail, Rule: rule, Related: related}
	if at != (diag.Range{}) {
		d.Subject = &at
	}
	b.diags.Add(d)
}

// setAside says that a narrow layer's part does not count.
func (b *builder) setAside(u unit, at diag.Range, rule, what string) {
	b.warn(diag.CodeSetAside, at, rule, what+" of "+u.name+" is set aside",
		"Only the closings of this file count. Review the file, then run sbc trust, or name it with -p.")
}

// add appends a rule once for every target that its path differs on.
func (b *builder) add(r ir.FileRule) {
	linux, darwin, differ := perTarget(r.Match, b.opts.Facts.OS)
	l, d := r, r
	l.Target, l.Match = ir.Linux, linux
	d.Target, d.Match = ir.Darwin, darwin
	switch {
	case r.Target == "" && !differ:
		b.rules = append(b.rules, r)
	case r.Target == "":
		b.rules = append(b.rules, l, d)
	case r.Target == ir.Linux:
		b.rules = append(b.rules, l)
	case r.Target == ir.Darwin:
		b.rules = append(b.rules, d)
	}
	if r.Target == ir.Linux {
		return
	}
	if g, ok := privateTwin(r.Match); ok {
		d.Match = g
		b.rules = append(b.rules, d)
	}
}

// filesystems calls f for every filesystem block of a unit with its target and
// the prefix of its addresses.
func (u unit) filesystems(f func(fs *document.Block, target, prefix string)) {
	if fs := u.doc.Child("filesystem"); fs != nil {
		f(fs, "", "filesystem.")
	}
	for _, t := range u.doc.Children("target") {
		if fs := t.Child("filesystem"); fs != nil {
			f(fs, t.Label.Value, "target."+t.Label.Value+".filesystem.")
		}
	}
}
