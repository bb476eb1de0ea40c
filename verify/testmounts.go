package verify

import (
	"slices"
	"strings"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/verify/mounts"
)

// mountModel is the model of a command line of bubblewrap.
type mountModel struct {
	*Tester
	sandbox *mounts.Sandbox
	tree    *mounts.Node
	c       comparison
}

func newMountModel(x *Tester, a MountArgs) (*mountModel, error) {
	sandbox, err := mounts.Read(a.Args, mounts.ReadOptions{})
	if err != nil {
		return nil, err
	}
	table, err := mounts.Build(sandbox, mounts.Options{View: x.opts.View, Prepared: a.Prepared})
	if err != nil {
		return nil, err
	}
	m := &mountModel{Tester: x, sandbox: sandbox, tree: table.Tree()}
	m.c = comparison{
		in:     MountsInput{View: x.opts.View, Prepared: a.Prepared, Watch: a.Watch},
		policy: x.policy, sandbox: sandbox, tree: m.tree, claims: newClaims(x.target.Claims, a.Watch),
	}
	return m, nil
}

// check asks the mounts at the only path, or at what a glob matches on the host.
// What must be refused is then proved for every other path, where something may
// be made later.
func (m *mountModel) check(q *asked) ([]Finding, error) {
	var out []Finding
	add := func(path string, missing bool, a mounts.Answer) {
		typ := m.c.typeOf(path)
		f := m.finding(q, path, typ == host.Dir, missing, m.c.claims, typ == host.Link)
		if a.Entry >= 0 && a.Entry < len(m.sandbox.Args) {
			f.Line, f.Emitted = a.Entry, m.c.option(a.Entry)
		}
		if !slices.ContainsFunc(out, func(o Finding) bool { return o.Kind == f.Kind }) {
			out = append(out, f)
		}
	}
	paths, short := []string{q.literal}, false
	if q.literal == "" {
		paths, short = m.matches(q)
	}
	for _, path := range paths {
		a := m.tree.Answer(path)
		missing := !m.c.exists(path)
		if a.Void || m.c.device(path) || missing && q.op == ir.Read && !a.Write {
			continue // there is nothing, or a device that the policy lists
		}
		if m.wrong(q, path, a) && !m.held(q, missing, m.c.typeOf(path) == host.Link) {
			add(path, missing, a)
		}
	}
	if short {
		out = append(out, Finding{Kind: NotDecided, Line: -1, Reason: "the search for what the glob matches met its bound"})
	}
	if q.wrong == denied || q.literal != "" || m.held(q, true, false) {
		return out, nil
	}
	path, found, err := m.find(q.domain, usable(m.tree, q.op), allowed)
	if err == nil && found {
		add(path, !m.c.exists(path), m.tree.Answer(path))
	}
	return out, err
}

// held reports whether the launcher refuses what the mounts permit: it asks the
// policy, which does as the test wants. What a directory is called that was made
// during the run is only held against a rename, unless removals are watched.
func (m *mountModel) held(q *asked, missing, link bool) bool {
	least := WatchRemovals
	if missing && q.op != ir.Unlink {
		least = WatchNames
	}
	return q.wrong == allowed && (missing || link) && m.c.in.Watch >= least
}

// wrong reports whether the mounts do what the test does not want. Storage of
// the sandbox's own is open only where the policy speaks of that; the host's, out
// of reach behind it, is refused.
func (m *mountModel) wrong(q *asked, path string, a mounts.Answer) bool {
	may := permits(q.op, a)
	if q.wrong == allowed {
		return may && !a.Private
	}
	if !a.Private {
		return !may
	}
	d := m.decider.Decide(q.op, path, m.c.typeOf(path) == host.Dir)
	return !may || d.Rule < 0 || !m.policy.Files[d.Rule].Private
}

// permits reports whether the mounts leave an operation open.
func permits(op ir.Op, a mounts.Answer) bool {
	switch op {
	case ir.Read:
		return a.Read
	case ir.Write:
		return a.Write
	case ir.Unlink:
		return a.Unlink
	}
	return false
}

// matches walks the host and returns what the patterns match, and whether a bound
// ended the walk. Directories in which everything is as the test wants it are
// passed over, and so are the kernel's own file systems.
func (m *mountModel) matches(q *asked) (out []string, short bool) {
	kernel := map[string]bool{}
	list, _ := m.opts.View.Mounts() // without a table nothing is left out
	for _, x := range list {
		kernel[x.Point] = kernel[x.Point] || x.Kernel()
	}
	type spot struct {
		path  string
		depth int
		at    glob.State
	}
	set := glob.NewSet(q.pattern)
	names := 0
	for stack := []spot{{path: "/", at: set.Root()}}; len(stack) > 0; {
		s := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if kernel[s.path] || s.at.Dead() || !m.interesting(q, s.path) {
			continue
		}
		if o := m.opts.Scan; o.Files > 0 && names >= o.Files || o.Depth > 0 && s.depth > o.Depth {
			return out, true
		}
		entries, err := m.opts.View.ReadDir(s.path)
		if err != nil {
			continue // nobody can look into it: not the command either
		}
		names += len(entries)
		for _, e := range entries {
			next := spot{path: strings.TrimSuffix(s.path, "/") + "/" + e.Name, depth: s.depth + 1}
			var matched []int
			if next.at, matched = s.at.Step(e.Name); len(matched) > 0 {
				out = append(out, next.path)
			}
			if e.Type == host.Dir {
				stack = append(stack, next)
			}
		}
	}
	slices.Sort(out)
	return out, false
}

// interesting reports whether the mounts may do something beneath a directory
// that the test does not want.
func (m *mountModel) interesting(q *asked, dir string) bool {
	n := m.tree
	for n.Path != dir {
		name, _, _ := strings.Cut(strings.TrimPrefix(dir[len(n.Path):], "/"), "/")
		next := n.Child(name)
		if next == nil {
			return permits(q.op, n.Beneath) == (q.wrong == allowed)
		}
		n = next
	}
	return len(n.Children) > 0 || permits(q.op, n.Beneath) == (q.wrong == allowed)
}
