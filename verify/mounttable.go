package verify

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/verify/mounts"
	"github.com/sandboxc/sbc/verify/snapshot"
)

// MountsInput is a command line of bubblewrap and what it was made for.
type MountsInput struct {
	Args []string
	// Prepared are the objects that the launcher makes before the start, by
	// path on the host.
	Prepared map[string]mounts.Object
	// View is the host that the command line was made for.
	View host.View
	// Sockets are where somebody listens on the host, as far as is known.
	Sockets []string
	Scan    snapshot.Options
	Claims  []Claim
	// Watch is what the launcher decides while the command runs.
	Watch Watch
}

// Mounts holds the mounts that a command line makes against the policy, on the
// host that it is for: globs stand for what they match there.
//
// A mount table answers alike for all paths beneath which it names nothing, and
// so does a policy without wildcards. So both are asked at each path that one of
// them names, and at a fresh name within it: that is every path.
func Mounts(p *ir.Policy, in MountsInput) (*Proof, error) {
	sandbox, err := mounts.Read(in.Args, mounts.ReadOptions{})
	if err != nil {
		return nil, err
	}
	table, err := mounts.Build(sandbox, mounts.Options{View: in.View, Prepared: in.Prepared})
	if err != nil {
		return nil, err
	}
	snap := snapshot.Take(p, in.View, in.Scan)
	c := comparison{
		in: in, policy: p, snap: snap, sandbox: sandbox, tree: table.Tree(),
		decider: ir.NewDecider(snap.Policy, ir.Linux), pinned: ir.NewDecider(p, ir.Linux), claims: newClaims(in.Claims, in.Watch),
		proof: &Proof{Holes: openings(p, sandbox)}, seen: map[kind]bool{},
	}
	c.aliases = newAliases(in.View, snap.Policy)
	paths := c.paths()
	for _, path := range paths {
		c.compare(path)
	}
	c.proof.States = len(paths)
	c.written(table)
	c.hostLevel(table, paths)
	if err := c.later(); err != nil {
		return nil, err
	}
	return c.proof, nil
}

// comparison is one proof under way.
type comparison struct {
	in      MountsInput
	policy  *ir.Policy
	snap    *snapshot.Snapshot
	sandbox *mounts.Sandbox
	tree    *mounts.Node
	decider *ir.Decider // of the snapshot: reading and writing
	pinned  *ir.Decider // of the policy: what may be renamed
	claims  claims
	aliases *aliases
	proof   *Proof
	seen    map[kind]bool
}

// kind is what differences have in common that are shown once.
type kind struct {
	op        ir.Op
	direction Direction
	rule      int
	line      int
	declared  bool
	missing   bool
}

// fresh is a name that nothing has. No glob of the snapshot matches it, for it
// has none.
const fresh = "\x01"

// paths returns every path that the policy or the table names, sorted, those
// that a symbolic link leads through left out: such a path is another one to
// the kernel.
func (c *comparison) paths() []string {
	set := map[string]bool{"/": true}
	add := func(path string) {
		for _, a := range ir.Ancestors(path) {
			set[a] = true
		}
		set[path] = true
	}
	var nodes func(n *mounts.Node)
	nodes = func(n *mounts.Node) {
		set[n.Path] = true
		for _, k := range n.Children {
			nodes(k)
		}
	}
	nodes(c.tree)
	for i := range c.snap.Policy.Files {
		m := c.snap.Policy.Files[i].Match
		add(m.Base())
		if g, ok := m.(ir.Glob); ok {
			for _, e := range g.Except {
				add(e.Base())
			}
		}
	}
	for _, path := range c.snap.Pins {
		add(path)
	}
	for _, pin := range c.pinned.Pins().Literals {
		add(pin.Path)
	}
	out := slices.Sorted(maps.Keys(set))
	return slices.DeleteFunc(out, c.throughLink)
}

// throughLink reports whether a directory of the path is a symbolic link, on
// the host or in the sandbox.
func (c *comparison) throughLink(path string) bool {
	return slices.ContainsFunc(ir.Ancestors(path), func(dir string) bool {
		return c.typeOf(dir) == host.Link || c.linkInside(dir)
	})
}

func (c *comparison) linkInside(path string) bool {
	n := c.tree
	for name := range strings.SplitSeq(path[1:], "/") {
		if n == nil || name == "" {
			break
		}
		n = n.Child(name)
	}
	return n != nil && n.Path == path && n.Link != ""
}

// typeOf returns what the host has at a path; 0 for nothing.
func (c *comparison) typeOf(path string) host.Type {
	if o, ok := c.in.Prepared[path]; ok && o.Kind == mounts.Directory {
		return host.Dir
	}
	n, err := c.in.View.Lstat(path)
	if err != nil {
		return 0
	}
	return n.Type
}

// exists reports whether there may be something at the path.
func (c *comparison) exists(path string) bool {
	_, err := c.in.View.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// compare asks both at a path, and at a fresh name in it.
func (c *comparison) compare(path string) {
	typ := c.typeOf(path)
	link := typ == host.Link || c.linkInside(path)
	c.ask(path, typ == host.Dir || path == "/", link)
	if !link {
		c.ask(strings.TrimSuffix(path, "/")+"/"+fresh, false, false)
	}
	if typ == host.Dir {
		c.names(path)
	}
}

// names asks about a name that is made later in a directory that exists. What a
// glob matches is known of such a name if the policy closes every name there,
// so that the directory can be closed as a whole: no claim on what comes later is
// about that.
func (c *comparison) names(dir string) {
	path := strings.TrimSuffix(dir, "/") + "/" + fresh
	a := c.tree.Answer(path)
	want := c.pinned.Decide(ir.Write, path, false)
	closed := c.everyName(ir.Write, dir, false) && c.everyName(ir.Write, dir, true)
	if !a.Write || a.Private || a.Void || !closed || c.decider.Decide(ir.Write, path, false).Effect != ir.Allow {
		return // or it has been asked already
	}
	d := Difference{Op: ir.Write, Direction: Permits, Path: path, Missing: true, Rule: want.Rule, Line: a.Entry}
	d.Declared = c.claims.permits(&d, whenIs(!whole(&c.policy.Files[want.Rule]), false), nil)
	if i := a.Entry; i >= 0 && i < len(c.sandbox.Args) {
		d.Emitted = c.option(i)
	}
	c.note(d)
}

func (c *comparison) ask(path string, dir, link bool) {
	a := c.tree.Answer(path)
	if a.Void || c.device(path) {
		return // nothing can be there, or a device that the policy lists
	}
	read := c.decider.Decide(ir.Read, path, dir)
	write := c.decider.Decide(ir.Write, path, dir)
	// What a link leads to is a path of its own. What does not exist and cannot
	// be made has nothing to read, and a placeholder hides nothing.
	missing := !c.exists(path)
	_, placeholder := c.in.Prepared[path]
	switch {
	case link, missing && a.Private && !placeholder && read.Effect == ir.Allow:
	case !missing || a.Write || !a.Read || a.HostPath != path:
		c.differ(ir.Read, path, dir, a, c.permits(path, a, a.Read, read, write) || missing && placeholder && a.Read, read)
	}
	c.differ(ir.Write, path, dir, a, c.permits(path, a, a.Write, write, write), write)
	if a.Private {
		return // its names are the sandbox's own
	}
	c.differ(ir.Unlink, path, dir, a, a.Unlink, c.unlink(path, dir, write))
}

// unlink asks the policy itself, whose globs pin directories, about a path that
// the snapshot lets be written.
func (c *comparison) unlink(path string, dir bool, write ir.Decision) ir.Decision {
	if write.Effect != ir.Allow {
		return write
	}
	d := c.pinned.Decide(ir.Unlink, path, dir)
	switch {
	case strings.HasSuffix(path, "/"+fresh):
		write.Pinned = c.decider.Decide(ir.Write, ir.Parent(path), true).Effect != ir.Allow
	case !d.Pinned && d.Effect != ir.Allow:
		// A glob that nothing there matches.
	default:
		write.Pinned = d.Pinned
	}
	if write.Pinned {
		write.Effect = ir.Deny
	}
	return write
}

// pinnedBy returns the rules that pin a path.
func pinnedBy(d *ir.Decider, path string) []int {
	var out []int
	fold := ir.FoldFor(d.Target(), ir.Deny)
	pins := d.Pins()
	for _, pin := range pins.Literals {
		if ir.Path(pin.Path).Matches(path, fold) {
			out = append(out, pin.Rules...)
		}
	}
	for _, pin := range pins.Patterns {
		if pin.Pattern.Match(path, fold) {
			out = append(out, pin.Rule)
		}
	}
	return out
}

// permits reports whether what the mounts let be done is what the policy
// permits. Storage of the sandbox's own is not the host's that is meant, unless
// the policy says so: the rule that lets it be read, or the one that lets it be
// written. What is refused must be refused there too, but where the policy itself
// gives the sandbox storage of its own to write: nothing that a rule could close is
// in it.
func (c *comparison) permits(path string, a mounts.Answer, may bool, want, write ir.Decision) bool {
	switch {
	case !may || !a.Private:
		return may
	case want.Effect == ir.Allow:
		// What the host has not is as good in the sandbox's own storage.
		return c.private(want) || c.private(write) || c.ownStorage(path) && !c.exists(path)
	}
	return !c.ownWritable(path)
}

// private reports whether the storage at a path is to be the sandbox's own.
func (c *comparison) private(d ir.Decision) bool {
	return d.Rule >= 0 && c.snap.Policy.Files[d.Rule].Private
}

// kernels reports whether a path is one of the kernel's settings, of which each
// sandbox has no other than the host, or a device.
func (c *comparison) kernels(path string) bool {
	return ir.Beneath(path, "/proc") || ir.Beneath(path, "/dev")
}

// differ notes a difference, one of each kind.
func (c *comparison) differ(op ir.Op, path string, dir bool, a mounts.Answer, got bool, want ir.Decision) {
	if got && !a.Private && a.HostPath != path {
		c.proof.Holes = append(c.proof.Holes, Hole{
			Name: "other-path", Line: a.Entry, Text: fmt.Sprintf("%q shows %q of the host", path, a.HostPath),
		})
	}
	if got && c.private(want) && !a.Private && !c.kernels(path) && c.exists(path) {
		c.proof.Holes = append(c.proof.Holes, Hole{
			Name: "host-storage", Line: a.Entry, Text: fmt.Sprintf("%q shows the host's, and was to be the sandbox's own", path),
		})
	}
	if got == (want.Effect == ir.Allow) || !got && c.excused(op, path, dir) {
		return
	}
	d := Difference{
		Op: op, Direction: Denies, Path: path, Dir: dir, Rule: c.snap.Original(want.Rule), Line: a.Entry,
		Missing: !c.exists(path),
	}
	if got {
		d.Direction = Permits
	}
	if a.Entry >= 0 && a.Entry < len(c.sandbox.Args) {
		d.Emitted = c.option(a.Entry)
	}
	var pins []int
	if want.Pinned {
		if pins = pinnedBy(c.pinned, path); len(pins) == 0 && path != "/" {
			if by := c.pinned.Decide(ir.Write, ir.Parent(path), true); by.Rule >= 0 {
				pins = []int{by.Rule} // it closes the directory
			}
		}
		d.Others = slices.Clone(pins)
	}
	for _, i := range c.decider.Matching(op, path, dir) {
		if o := c.snap.Original(i); o != d.Rule && !slices.Contains(d.Others, o) {
			d.Others = append(d.Others, o)
		}
	}
	if !got {
		if !c.exists(strings.TrimSuffix(path, "/"+fresh)) {
			d.Others = append(d.Others, c.below(path)...)
		}
		d.Others = append(d.Others, c.beside(op, path)...)
	}
	// What the policy has as the sandbox's own is new for each run: all in it comes
	// later.
	c.claims.cover(&d, whenIs(d.Missing || a.Private && c.ownStorage(path), c.typeOf(path) == host.Link), pins)
	if d.Declared == "" && !got && (d.Missing || c.typeOf(path) == host.Link) {
		d.Declared = c.laterException(path)
	}
	c.note(d)
}

// note keeps one difference of each kind.
func (c *comparison) note(d Difference) {
	k := kind{op: d.Op, direction: d.Direction, rule: d.Rule, line: d.Line, declared: d.Declared != "", missing: d.Missing}
	if !c.seen[k] {
		c.seen[k] = true
		c.proof.Differences = append(c.proof.Differences, d)
	}
}

// option returns the words of the option at an index.
func (c *comparison) option(i int) string {
	end := i + 1
	for end < len(c.sandbox.Args) && !strings.HasPrefix(c.sandbox.Args[end], "--") {
		end++
	}
	return strings.Join(c.sandbox.Args[i:end], " ")
}
