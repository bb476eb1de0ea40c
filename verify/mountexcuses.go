package verify

import (
	"slices"
	"strings"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/glob"
)

// whole reports whether a directory in which the rule closes every name is closed
// as a whole: exceptions stand against that, but for a guard that closes writing.
func whole(r *ir.FileRule) bool {
	g, ok := r.Match.(ir.Glob)
	return !ok || len(g.Except) == 0 && endsInStar(g) || r.Guard != "" && !r.Read.Closes()
}

// endsInStar reports whether each alternative names the directory in which it
// closes every name.
func endsInStar(g ir.Glob) bool {
	return !slices.ContainsFunc(g.Pattern.Alternatives(), func(a glob.Alternative) bool {
		n := len(a)
		return n < 2 || a[n-1].Doublestar || a[n-2].Doublestar
	})
}

// below returns the closings of what lies beneath a path, or beneath the
// directory of a fresh name: where they cannot be closed without it, they close
// it as well.
func (c *comparison) below(path string) []int {
	path = strings.TrimSuffix(path, "/"+fresh)
	for _, dir := range ir.Ancestors(path) {
		if _, ok := c.in.Prepared[dir]; ok && !c.exists(dir) {
			path = dir // a placeholder stands there for what it is to close
			break
		}
	}
	var out []int
	for i := range c.policy.Files {
		r := &c.policy.Files[i]
		if lit, ok := ir.Literal(r.Match); ok && r.Write.Closes() && r.AppliesTo(ir.Linux) && lit != path && ir.Beneath(lit, path) {
			out = append(out, i)
		}
	}
	return out
}

// beside returns the closings of all other names in a directory on the way to a
// path: a directory that is closed as a whole closes what an exception leaves
// open too.
func (c *comparison) beside(op ir.Op, path string) []int {
	var out []int
	for p := path; p != "/"; p = ir.Parent(p) {
		d := c.pinned.Decide(op, strings.TrimSuffix(ir.Parent(p), "/")+"/"+fresh, false)
		if d.Effect != ir.Allow && d.Rule >= 0 {
			out = append(out, d.Rule)
		}
	}
	return out
}

// laterException returns the code of the claim on a glob of which an exception
// would leave open what does not exist yet: in a directory that is closed
// already nothing can be made, whatever an exception says.
func (c *comparison) laterException(path string) diag.Code {
	for i := range c.policy.Files {
		g, ok := c.policy.Files[i].Match.(ir.Glob)
		if !ok || !g.Pattern.Covers(path, glob.Exact) || !slices.ContainsFunc(g.Except, func(e *glob.Pattern) bool { return e.Covers(path, glob.Exact) }) {
			continue
		}
		for _, x := range c.claims[i] {
			if x.Later && x.Closed == WatchNothing {
				return x.Code
			}
		}
	}
	return ""
}

// excused reports whether the policy itself closes what the snapshot leaves
// open: a name that a glob would match, another name of something closed, a
// socket that is not listed where others are.
func (c *comparison) excused(op ir.Op, path string, dir bool) bool {
	switch {
	case c.pinned.Decide(op, path, dir).Effect != ir.Allow, c.folded(op, path), c.aliases.closed(path):
		return true
	case op == ir.Unlink && c.aliases.mountPoint(path):
		return true // nobody can, on the host either
	}
	return len(c.policy.Network.UnixSockets) > 0 && c.typeOf(path) == host.Socket
}

// folded reports whether the policy closes every name in a directory, those
// that do not exist yet included. Then the directory itself may be closed as
// well: its listing shows nothing that may be used, and its attributes are of no
// use to anybody.
func (c *comparison) folded(op ir.Op, path string) bool {
	return c.everyName(op, path, false)
}

// everyName reports whether the policy closes all names in a directory, be they
// short, as ? would have them, or long.
func (c *comparison) everyName(op ir.Op, dir string, asDir bool) bool {
	for _, name := range []string{fresh, fresh + "any other name" + fresh} {
		if c.pinned.Decide(op, strings.TrimSuffix(dir, "/")+"/"+name, asDir).Effect == ir.Allow {
			return false
		}
	}
	return true
}

// device reports whether the policy lists the path as a device.
func (c *comparison) device(path string) bool {
	return slices.ContainsFunc(c.policy.Process.Devices, func(d ir.DeviceRule) bool { return ir.Beneath(path, d.Path) })
}

// ownStorage reports whether a rule of the policy gives the sandbox storage of
// its own at the path.
func (c *comparison) ownStorage(path string) bool {
	return slices.ContainsFunc(c.policy.Files, func(r ir.FileRule) bool {
		return r.Private && r.AppliesTo(ir.Linux) && r.Match.Matches(path, glob.Exact)
	})
}

// ownWritable reports whether that may be written by the rule that gives it; the
// kernel's settings may not.
func (c *comparison) ownWritable(path string) bool {
	i := slices.IndexFunc(c.policy.Files, func(r ir.FileRule) bool {
		return r.Private && r.AppliesTo(ir.Linux) && r.Match.Matches(path, glob.Exact)
	})
	return i >= 0 && c.policy.Files[i].Write == ir.Allow
}
