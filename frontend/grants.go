package frontend

import (
	"fmt"
	"path"
	"strings"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
)

// grants adds the session's grants. They come after all other rules are known:
// a grant that a deny covers is an error, one that answers an ask stands above
// the asks, and any other is a root of the session.
func (b *builder) grants() {
	given := len(b.rules)
	for _, g := range b.opts.Read {
		b.grant(g, "read", b.rules[:given])
	}
	for _, g := range b.opts.Write {
		b.grant(g, "write", b.rules[:given])
	}
}

func (b *builder) grant(text, access string, rules []ir.FileRule) {
	address := fmt.Sprintf("session.%s[%s]", access, text)
	if text == "" || strings.ContainsRune(text, 0) {
		b.fail(diag.CodePath, diag.Range{}, address, fmt.Sprintf("--%s %q is no path", access, text), "Name a path.")
		return
	}
	abs := text
	switch {
	case text == "~":
		abs = b.scope.Home
	case strings.HasPrefix(text, "~/"):
		abs = path.Join(b.scope.Home, text[2:])
	case !path.IsAbs(text):
		abs = path.Join(b.opts.WorkDir, text)
	}
	abs = path.Clean(abs)
	res, ok := b.resolve(abs, diag.Range{}, address)
	if !ok {
		return
	}
	r := ir.FileRule{
		Match: ir.Subtree(res.Path), Read: ir.Allow, Layer: ir.LayerSession, Group: ir.GroupRoot,
		Origin: ir.Origin{Address: address},
	}
	op := ir.Read
	if access == "write" {
		r.Write, op = ir.Allow, ir.Write
	}
	if res.Path != abs {
		r.Written = abs
		b.openings = append(b.openings, linked{rule: r, links: res.Links})
	}
	groups, denied := b.answers(res.Path, op, res.Node.Type == host.Dir, rules)
	if denied != nil {
		var related []diag.Related
		if denied.Origin.Range.File != "" {
			related = append(related, diag.Related{Range: denied.Origin.Range, Message: "it is denied here"})
		}
		b.fail(diag.CodeGrantDenied, diag.Range{}, address, fmt.Sprintf("--%s %s is denied by %s", access, text, denied.Origin.Address),
			"A deny is absolute: no grant opens it. Change the policy.", related...)
		return
	}
	if len(groups) == 0 {
		b.add(r)
		return
	}
	for _, g := range groups {
		r.Group = g
		b.add(r)
	}
}

// answers returns the groups in which a grant of the path must stand, and the
// deny that covers the path, if any. A path that differs between targets is
// looked at as each target knows it.
func (b *builder) answers(p string, op ir.Op, dir bool, rules []ir.FileRule) (groups []ir.Group, denied *ir.FileRule) {
	linux, darwin, _ := perTarget(ir.Subtree(p), b.opts.Facts.OS)
	seen := map[ir.Group]bool{}
	for i := range rules {
		r := &rules[i]
		e := r.Effect(op)
		for _, q := range []struct{ target, path string }{{ir.Linux, linux.Base()}, {ir.Darwin, darwin.Base()}} {
			if !e.Closes() || !r.Matches(ir.Query{Target: q.target, Op: op, Path: q.path, Dir: dir}) {
				continue
			}
			if r.Group == ir.GroupDeny {
				return nil, r
			}
			if r.Group == ir.GroupAsk {
				seen[ir.GroupGrant] = true
			}
			if r.Group == ir.GroupNarrowAsk {
				seen[ir.GroupNarrowGrant] = true
			}
		}
	}
	for _, g := range []ir.Group{ir.GroupGrant, ir.GroupNarrowGrant} {
		if seen[g] {
			groups = append(groups, g)
		}
	}
	return groups, nil
}
