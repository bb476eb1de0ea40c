package frontend

import (
	"path"
	"slices"

	"github.com/sandboxc/sbc/frontend/document"
	hclfront "github.com/sandboxc/sbc/frontend/hcl"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/profiles"
)

// tmp adds the temporary directories as roots of the layer that chose them, or
// of the profile layer where nobody did.
func (b *builder) tmp(s *ir.Tmp) {
	for _, u := range b.units {
		u.filesystems(func(fs *document.Block, target, prefix string) {
			if !fs.Has("tmp") {
				return
			}
			if target != "" {
				b.fail(diag.CodeUnknownName, fs.NameRange("tmp"), prefix+"tmp", `"tmp" cannot differ between targets`, "Write it in the filesystem block of the policy.")
				return
			}
			mode := ir.TmpShared
			if fs.Text("tmp").Value == ir.TmpPrivate.String() {
				mode = ir.TmpPrivate
			}
			if u.narrow && mode == s.Value {
				return // said again, by whom does not matter: the roots keep their layer
			}
			setting(b, s, u, fs, "filesystem.", "tmp", mode, func(ir.TmpMode, ir.TmpMode) bool { return false })
		})
	}
	layer, origin := ir.LayerProfile, s.Origin
	if s.Set {
		layer = s.Layer
	}
	origin.Address = "filesystem.tmp"
	r := ir.FileRule{Read: ir.Allow, Write: ir.Allow, Group: ir.GroupRoot, Layer: layer, OnMissing: ir.MissingSkip, Private: s.Value == ir.TmpPrivate, Origin: origin}
	for _, t := range b.tmpDirs() {
		r.Target, r.Match = t.target, ir.Subtree(t.path)
		b.rules = append(b.rules, r)
	}
	b.ownTmp(r)
}

// tmpDirs are the temporary directories of each target.
func (b *builder) tmpDirs() []writeRoot {
	return []writeRoot{
		{path: "/tmp", target: ir.Linux},
		{path: "/var/tmp", target: ir.Linux},
		{path: "/private/tmp", target: ir.Darwin},
		{path: "/private/var/tmp", target: ir.Darwin},
		{path: "/private/var/folders", target: ir.Darwin},
	}
}

// ownTmp adds the temporary directory that the host has chosen, on its own
// target, if it is another one. A link leads to its target.
func (b *builder) ownTmp(r ir.FileRule) {
	f := b.opts.Facts
	if !path.IsAbs(f.Temp) || (f.OS != ir.Linux && f.OS != ir.Darwin) {
		return
	}
	own := f.Temp
	res, err := host.Resolve(b.opts.Host, own)
	if err == nil && res.Path != own {
		r.Written, own = own, res.Path
	}
	if slices.ContainsFunc(b.tmpDirs(), func(t writeRoot) bool { return t.target == f.OS && ir.Beneath(own, t.path) }) {
		return
	}
	if ir.Beneath(f.Home, own) || ir.Beneath(b.opts.Workspace, own) {
		return // TMPDIR=/ or the like is no temporary directory
	}
	r.Target, r.Match = f.OS, ir.Subtree(own)
	b.rules = append(b.rules, r)
	if r.Written != "" {
		b.openings = append(b.openings, linked{rule: r, links: res.Links})
	}
}

// floors adds what programs need to start at all on each target.
func (b *builder) floors() {
	for _, name := range profiles.Floors() {
		src, _ := profiles.FloorSource(name)
		f, ds := hclfront.ParseBuiltin(profiles.FloorFile(name), src)
		b.diags.Add(ds...)
		if ds.HasErrors() {
			continue
		}
		doc, ds := document.Decode(f, document.FloorSchema(), b.scope)
		b.diags.Add(ds...)
		if doc == nil {
			continue
		}
		u := unit{doc: doc, name: f.Name, layer: ir.LayerFloor}
		u.filesystems(func(fs *document.Block, target, _ string) {
			for _, a := range fs.Children("allow") {
				for _, t := range a.Texts("paths") {
					b.floorRule(u, a, t, target)
				}
			}
		})
	}
}

// floorRule adds one path of a floor. By its kind it covers the path and all
// beneath, the path alone, the path alone and above the roots, or storage of the
// sandbox's own.
func (b *builder) floorRule(u unit, a *document.Block, t document.Text, target string) {
	p, ok := b.paths.read(t, true)
	if !ok {
		return
	}
	r := ir.FileRule{
		Match: ir.Subtree(p.literal), Layer: ir.LayerFloor, Group: ir.GroupFloor, Target: target, OnMissing: ir.MissingSkip,
		Reason: document.Plain(a.Text("reason").Value), Origin: u.origin("floor."+a.Label.Value, t.Range),
	}
	r.Read, r.Write = ir.Allow, ir.Pass
	if a.Text("access").Value == "write" {
		r.Write = ir.Allow
	}
	switch a.Text("kind").Value {
	case "tree", "":
		if p.isGlob() {
			r.Match = ir.Glob{Pattern: p.pattern}
		}
	case "required":
		r.Group = ir.GroupRequired
		r.Match = ir.Path(p.literal)
		if p.isGlob() {
			r.Match = ir.Glob{Pattern: p.pattern}
		}
	case "alone":
		r.Match = ir.Path(p.literal)
	case "private":
		r.Private, r.Group = true, ir.GroupRoot
		if r.Write == ir.Pass {
			r.Write = ir.Deny // as a read root
		}
	}
	b.rules = append(b.rules, r)
}

func globQuote(p string) string { return glob.Quote(p) }
