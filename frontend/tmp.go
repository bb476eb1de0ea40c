package frontend

import (
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
			setting(b, s, u, fs, "filesystem.", "tmp", mode, func(now, to ir.TmpMode) bool { return now == to })
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
}

// tmpDirs are the temporary directories of each target, and the host's own
// choice on its own target. A link among them leads to its target.
func (b *builder) tmpDirs() []writeRoot {
	out := []writeRoot{
		{"/tmp", ir.Linux}, {"/var/tmp", ir.Linux},
		{"/private/tmp", ir.Darwin}, {"/private/var/tmp", ir.Darwin}, {"/private/var/folders", ir.Darwin},
	}
	f := b.opts.Facts
	if f.Temp == "" || (f.OS != ir.Linux && f.OS != ir.Darwin) {
		return out
	}
	own := f.Temp
	if res, err := host.Resolve(b.opts.Host, own); err == nil {
		own = res.Path
	}
	for _, t := range out {
		if t.target == f.OS && ir.Beneath(own, t.path) {
			return out
		}
	}
	if ir.Beneath(f.Home, own) || ir.Beneath(b.opts.Workspace, own) {
		return out // TMPDIR=/ or the like is no temporary directory
	}
	return append(out, writeRoot{own, f.OS})
}

// floors adds what programs need to start at all on each target.
func (b *builder) floors() {
	for _, name := range profiles.Floors() {
		src, _ := profiles.FloorSource(name)
		f, ds := hclfront.Parse(profiles.FloorFile(name), src)
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
	}
	b.rules = append(b.rules, r)
}

func globQuote(p string) string { return glob.Quote(p) }
