package frontend

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
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

// resolvedGlob is a glob as it is where a link on its way leads.
type resolvedGlob struct {
	pattern *glob.Pattern
	links   []host.FollowedLink
}

// resolveGlob follows the links before the first wildcard of each alternative,
// and returns what differs from the pattern itself.
func (b *builder) resolveGlob(p *glob.Pattern, rng diag.Range, rule string) ([]resolvedGlob, bool) {
	var out []resolvedGlob
	good := true
	for _, alt := range p.Alternatives() {
		n := 0
		base := ""
		for n < len(alt) {
			name, ok := alt[n].Literal()
			if !ok {
				break
			}
			base += "/" + name
			n++
		}
		if base == "" {
			continue
		}
		r, ok := b.resolve(base, rng, rule)
		good = good && ok
		if !ok || r.Path == base {
			continue
		}
		text := glob.Quote(r.Path)
		if n < len(alt) {
			text = strings.TrimSuffix(text, "/") + alt[n:].String()
		}
		q, err := glob.Parse(text)
		if err != nil {
			b.fail(diag.CodeGlob, rng, rule, fmt.Sprintf("the glob %q cannot be used where the link %q leads", p, base), err.Error()+".")
			good = false
			continue
		}
		if !slices.ContainsFunc(out, func(x resolvedGlob) bool { return x.pattern.Equal(q) }) {
			out = append(out, resolvedGlob{q, r.Links})
		}
	}
	return out, good
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

// privateTwin returns what a glob that starts with a wildcard or with braces
// means for the macRoots on darwin: /{etc,opt}/x is /private/etc/x there too.
func privateTwin(m ir.Match) (ir.Match, bool) {
	g, ok := m.(ir.Glob)
	if !ok || g.Base() != "/" || !slices.ContainsFunc(g.Pattern.Alternatives(), startsInMacRoot) {
		return nil, false
	}
	private := func(s string) string { return "/private" + s }
	out := ir.Glob{Pattern: rebasePattern(g.Pattern, private)}
	for _, e := range g.Except {
		if !slices.ContainsFunc(e.Alternatives(), func(a glob.Alternative) bool { return len(a) == 0 || a[0].Doublestar }) {
			e = rebasePattern(e, private)
		}
		out.Except = append(out.Except, e)
	}
	return out, true
}

func startsInMacRoot(a glob.Alternative) bool {
	if len(a) == 0 || a[0].Doublestar {
		return false // ** crosses /private itself
	}
	if name, ok := a[0].Literal(); ok && len(name) > len("/tmp")-1 {
		return false // longer than any of them in any spelling
	}
	first, err := glob.Parse(a[:1].String())
	return err == nil && slices.ContainsFunc(macRoots, func(root string) bool { return first.Match(root, glob.Darwin) })
}
