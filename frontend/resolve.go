package frontend

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/glob"
)

// resolve follows the symbolic links of a literal path. Where the host may not
// be looked at, the path stays as it is: what sbc may not see, the command,
// which runs as the same user, may not see either.
//
// Paths in /proc and /dev of a Linux host stay too: the sandbox has its own, and
// links such as /proc/self would lead through sbc itself.
func (b *builder) resolve(p string, rng diag.Range, rule string) (host.Resolution, bool) {
	if b.opts.Facts.OS == ir.Linux && (ir.Beneath(p, "/proc") || ir.Beneath(p, "/dev")) {
		return host.Resolution{Path: p}, true
	}
	r, err := host.Resolve(b.opts.Host, p)
	if err == nil {
		return r, true
	}
	if errors.Is(err, fs.ErrPermission) {
		return r, true // resolved as far as it may be looked at
	}
	b.fail(diag.CodePath, rng, rule, fmt.Sprintf("cannot resolve %q", p), err.Error()+". Remove the link, or name another path.")
	return r, false
}

// resolveGlob follows the links of the literal part before the first wildcard.
func (b *builder) resolveGlob(p *glob.Pattern, rng diag.Range, rule string) (*glob.Pattern, bool) {
	base := p.Base()
	r, ok := b.resolve(base, rng, rule)
	if !ok || r.Path == base {
		return p, ok
	}
	rest, found := strings.CutPrefix(p.String(), glob.Quote(base))
	if !found || (base != "/" && !strings.HasPrefix(rest, "/")) {
		return p, true // written in a way that hides the base, as with braces
	}
	q, err := glob.Parse(path.Clean(glob.Quote(r.Path) + "/" + strings.TrimPrefix(rest, "/")))
	if err != nil {
		return p, true
	}
	return q, true
}

// macRoots are the directories that macOS has beneath /private, with links to
// them at the root.
var macRoots = []string{"/tmp", "/var", "/etc"}

// perTarget returns what a match becomes on each target, and whether they
// differ: the kernel of macOS knows /tmp, /var and /etc as /private/tmp and so
// on. On a Linux host a path under /private is itself.
func perTarget(m ir.Match, hostOS string) (linux, darwin ir.Match, differ bool) {
	base := m.Base()
	for _, root := range macRoots {
		if ir.Beneath(base, root) {
			return m, rebase(m, root, func(s string) string { return "/private" + s }), true
		}
		if hostOS == ir.Darwin && ir.Beneath(base, "/private"+root) {
			return rebase(m, "/private"+root, func(s string) string { return strings.TrimPrefix(s, "/private") }), m, true
		}
	}
	return m, m, false
}

// rebase rewrites the paths of a match that lie beneath root; the function is
// applied to literal paths and to the text of patterns.
func rebase(m ir.Match, root string, f func(string) string) ir.Match {
	switch m := m.(type) {
	case ir.Path:
		return ir.Path(f(string(m)))
	case ir.Subtree:
		return ir.Subtree(f(string(m)))
	case ir.Glob:
		out := ir.Glob{Pattern: rebasePattern(m.Pattern, f)}
		for _, e := range m.Except {
			if ir.Beneath(e.Base(), root) {
				e = rebasePattern(e, f)
			}
			out.Except = append(out.Except, e)
		}
		return out
	}
	return m
}

func rebasePattern(p *glob.Pattern, f func(string) string) *glob.Pattern {
	q, err := glob.Parse(f(p.String()))
	if err != nil {
		return p
	}
	return q
}
