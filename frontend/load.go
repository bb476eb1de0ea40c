package frontend

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/frontend/document"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/glob"
)

// Load reads, evaluates, resolves and merges a policy. The policy is nil if the
// diagnostics hold an error.
func Load(o Options) (*ir.Policy, diag.List) {
	o.Workspace = clean(o.Workspace)
	facts := *o.Facts
	facts.Home, facts.Temp = clean(facts.Home), clean(facts.Temp)
	o.Facts = &facts
	o.Host = host.NewMemo(o.Host)
	scope := document.Scope{
		Workspace: o.Workspace, Home: o.Facts.Home, Tmp: o.Facts.Temp, UserCache: o.Facts.Cache,
		GitDirs: o.GitDirs, OS: o.Facts.OS, Vars: o.Vars, Env: o.Env,
	}
	if ds := surroundings(o); ds.HasErrors() {
		return nil, ds
	}
	r := &reader{opts: o, scope: scope, used: map[string]bool{}, read: map[source]bool{}}
	r.readAll()
	if r.diags.HasErrors() {
		return nil, shown(r.diags)
	}
	// Nearest first; narrow layers last, so that they see what they may narrow.
	slices.SortStableFunc(r.units, func(a, b unit) int { return rank(a) - rank(b) })
	b := &builder{opts: o, scope: scope, units: r.units, diags: r.diags}
	b.paths = pathReader{workspace: o.Workspace, home: o.Facts.Home, view: o.Host, diags: &b.diags}
	p := b.policy(r.sources)
	if b.diags.HasErrors() {
		return nil, shown(b.diags)
	}
	return p, shown(b.diags)
}

// shown sorts problems and keeps as many errors as help anybody.
func shown(ds diag.List) diag.List {
	var out diag.List
	errors := 0
	for _, d := range ds.Sorted() {
		if d.Severity == diag.Error {
			errors++
		}
		if d.Severity != diag.Error || errors <= document.MaxProblems {
			out.Add(d)
		}
	}
	if more := errors - document.MaxProblems; more > 0 {
		out.Add(diag.Diagnostic{
			Code: diag.CodeSyntax, Severity: diag.Note, Summary: fmt.Sprintf("%d more errors are not shown", more),
			Detail: "Correct the first ones, and look again.",
		})
	}
	return out
}

func rank(u unit) int {
	n := int(u.layer)
	if u.narrow {
		n += 100
	}
	return n
}

func (b *builder) policy(sources []ir.Source) *ir.Policy {
	p := &ir.Policy{
		Version: 1, Workspace: b.opts.Workspace, Home: b.opts.Facts.Home,
		Sources: sources, Name: document.Plain(b.units[0].doc.Text("name").Value),
	}
	if path.IsAbs(b.opts.Facts.Temp) {
		p.Temp = b.opts.Facts.Temp
	}
	for _, u := range b.units {
		if !u.narrow {
			b.unit(u)
		}
	}
	b.tmp(&p.Tmp)
	b.floors()
	b.mergeRoots()
	own := b.take()
	for _, u := range b.units {
		if u.narrow {
			b.unit(u)
		}
	}
	narrow := b.take()
	grants := b.readGrants()
	b.policyFiles(sources)
	b.own(own, grants)
	files := b.take()
	b.guards(own, grants)
	guards := b.take()
	b.grants(grants, slices.Concat(own, guards))
	granted := b.take()

	b.network(&p.Network)
	b.process(&p.Process)

	// What narrow layers close must not make a link look safe.
	p.Files = slices.Concat(own, guards, granted)
	order(p.Files)
	b.repointable(p)
	p.Files = slices.Concat(own, b.narrowed(narrow, grants), files, guards, granted)
	order(p.Files)
	b.replaceable(p)
	b.env(&p.Env)
	b.limits(&p.Limits)
	b.extras(p)
	b.accepts(p)
	b.tests(p)
	b.broadRoots(p)
	return p
}

// unit adds the file rules of one policy file.
func (b *builder) unit(u unit) {
	b.roots(u)
	b.ruleList(u)
	b.closings(u)
}

// take returns the rules that were added since the last time.
func (b *builder) take() []ir.FileRule {
	out := b.rules
	b.rules = nil
	return out
}

// clean cleans an absolute path.
func clean(p string) string {
	if !path.IsAbs(p) {
		return p
	}
	return path.Clean(p)
}

// surroundings checks the directories that relative paths and "~" are relative
// to. Without a home the guards would close nothing.
func surroundings(o Options) diag.List {
	var ds diag.List
	fail := func(code diag.Code, name, dir, detail string) {
		if !ir.Clean(dir) {
			ds.Add(diag.Diagnostic{
				Code: code, Severity: diag.Error, Summary: fmt.Sprintf("the %s %q is no absolute path", name, dir), Detail: detail,
			})
		}
	}
	fail(diag.CodeWorkspace, "workspace", o.Workspace, "Name a directory with --workspace.")
	fail(diag.CodePath, "home directory", o.Facts.Home, "Set HOME to the directory that ~ means.")
	return ds
}

// policyFiles closes every policy file that was read for writing, and sbc's own
// configuration where the guard sbc-files does not know it.
func (b *builder) policyFiles(sources []ir.Source) {
	for _, s := range sources {
		if s.Path == "" {
			continue
		}
		r := ir.FileRule{
			Write: ir.Deny, Group: ir.GroupDeny, Layer: ir.LayerGuard, OnMissing: ir.MissingSkip,
			Guard:  "sbc-files",
			Origin: ir.Origin{Address: "policy-file", Range: diag.Range{File: s.File}},
			Reason: "a command must not change the policy that confines it",
		}
		b.closing(s.Path, r, diag.Range{File: s.File})
	}
	if c := b.opts.Facts.Config; c != "" && path.Join(c, "sbc") != path.Join(b.opts.Facts.Home, ".config/sbc") {
		b.closing(path.Join(c, "sbc"), ir.FileRule{
			Write: ir.Deny, Group: ir.GroupDeny, Layer: ir.LayerGuard, OnMissing: ir.MissingSkip, Guard: "sbc-files",
			Origin: ir.Origin{Address: "configuration"},
			Reason: "a command must not change which policies are trusted",
		}, diag.Range{})
	}
}

// own closes what sbc itself writes, if anything opens it for writing: its
// cache, where it keeps what it has proved, and what the caller names.
func (b *builder) own(rules []ir.FileRule, grants []grant) {
	list := b.opts.Own
	if cache := b.opts.Facts.Cache; path.IsAbs(cache) {
		proofs := Own{Path: path.Join(cache, "sbc"), Address: "proofs", Reason: "a command must not say that an output has been proved"}
		list = append([]Own{proofs}, list...)
	}
	for _, o := range list {
		opens := func(r *ir.FileRule) bool { return r.Write == ir.Allow && r.Match.Matches(o.Path, glob.Exact) }
		open := false
		for i := range rules {
			open = open || opens(&rules[i])
		}
		for i := range grants {
			open = open || opens(&grants[i].rule)
		}
		if open {
			b.closing(o.Path, ir.FileRule{
				Write: ir.Deny, Group: ir.GroupDeny, Layer: ir.LayerGuard, OnMissing: ir.MissingSkip, Guard: "sbc-files",
				Origin: ir.Origin{Address: o.Address},
				Reason: o.Reason,
			}, diag.Range{})
		}
	}
}

// broadRoots warns of a write root that holds the home directory.
func (b *builder) broadRoots(p *ir.Policy) {
	for i := range p.Files {
		r := &p.Files[i]
		if r.Write == ir.Allow && r.Group == ir.GroupRoot && r.Layer != ir.LayerFloor && p.Home != "/" && ir.Beneath(p.Home, r.Match.Base()) {
			b.warn(diag.CodeBroadRoot, r.Origin.Range, r.Origin.Address, fmt.Sprintf("the write root %q holds the home directory", r.Match.Base()),
				"Everything that programs read at their start can be changed. Name the directories that the command needs.")
		}
	}
}

// extras reads what only one target knows.
func (b *builder) extras(p *ir.Policy) {
	for _, u := range b.units {
		for _, t := range u.doc.Children("target") {
			target := t.Label.Value
			for _, m := range t.Texts(ir.ExtraMach) {
				value := document.Plain(m.Value)
				address := fmt.Sprintf("target.%s.%s[%s]", target, ir.ExtraMach, value)
				switch {
				case u.narrow:
					b.setAside(u, m.Range, address, "the Mach service")
				case target != ir.Darwin:
					b.fail(diag.CodeUnknownName, m.Range, address, fmt.Sprintf("%q has no Mach services", target), `Write it in target "darwin".`)
				case !validMach(value):
					b.fail(diag.CodePath, m.Range, address, fmt.Sprintf("%q is no Mach service", value), "Use the service's name: letters, digits, dots, - and _.")
				default:
					p.Extras = append(p.Extras, ir.Extra{Target: target, Kind: ir.ExtraMach, Value: value, Layer: u.layer, Origin: u.origin(address, m.Range)})
				}
			}
		}
	}
}

func validMach(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
		return !letter && (r < '0' || r > '9') && !strings.ContainsRune(".-_", r)
	})
}
