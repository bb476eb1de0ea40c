package bwrap

import (
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/target"
)

// lowering is one run of [Backend.Lower]: what is known so far.
type lowering struct {
	policy   *ir.Policy
	decider  *ir.Decider
	opts     target.Options
	tree     *tree
	mounts   []host.Mount
	patterns *patterns
	pathRule bool // a rule matches a directory without what lies beneath it

	literals []*node         // the node of each rule that names one path, by index; nil for others
	matches  map[int][]*node // by rule: what its glob matches
	// overFolds are, by rule, the directories that are closed with what the
	// rule's exceptions leave open.
	overFolds map[int][]*node
	// pinnedLinks are the rules for which a symbolic link must stay where it is.
	pinnedLinks map[int]bool
	scan        scan
	aliases     aliases

	wantSockets bool     // the policy lists sockets, so the others must be covered
	sockets     []string // sockets that the walk saw
	covered     int      // how many sockets were covered

	plan     Plan
	writable int // writable host trees, between which nothing can be renamed
	diags    diag.List
}

func newLowering(p *ir.Policy, v host.View, o target.Options) *lowering {
	d := ir.NewDecider(p, ir.Linux)
	l := &lowering{
		policy: p, decider: d, opts: o,
		tree: newTree(v), patterns: newPatterns(d), matches: map[int][]*node{}, overFolds: map[int][]*node{}, pinnedLinks: map[int]bool{},
		literals: make([]*node, len(p.Files)), wantSockets: len(p.Network.UnixSockets) > 0,
	}
	for i := range p.Files {
		r := &p.Files[i]
		if _, ok := r.Match.(ir.Path); ok && !r.NonDir && r.AppliesTo(ir.Linux) {
			l.pathRule = true
		}
	}
	return l
}

// run makes the plan. The order matters: a node is decided when all that can
// open or close it is known, and the walk needs what the literal rules decide.
func (l *lowering) run() {
	if m, err := l.tree.view.Mounts(); err == nil {
		l.mounts = m
	}
	l.collect()
	l.walk()
	l.findAliases()
	l.coverSockets()
	l.layout()
	l.settings()
	l.judgeScan()
	l.judgeSize()
	l.judgeBwrap()
	l.judgeReplaceable()
}

// decide asks the policy about a node, once.
func (l *lowering) decide(n *node) {
	if n.decided {
		return
	}
	n.decided = true
	n.want, n.listable, n.private = Closed, false, false
	dir := n.dir() || n.state == unknown && n.opens
	read, readBy := l.answer(ir.Read, n.path, dir)
	write, writeBy := l.answer(ir.Write, n.path, dir)
	n.readBy, n.writeBy = readBy, writeBy
	switch {
	case write:
		n.want = Writable
	case read:
		n.want = ReadOnly
	}
	if l.pathRule && dir {
		n.listable = l.decider.Decide(ir.Read, n.path, true).Effect == ir.Allow
	}
	n.private = write && l.policy.Files[writeBy].Private
	if n.listed && n.want == Closed && (readBy < 0 || l.policy.Files[readBy].Group >= ir.GroupRoot) {
		n.want = ReadOnly
	}
	if n.limit < n.want && !n.opens {
		n.want, n.private = n.limit, false
	}
}

// answer reports whether the policy permits the operation on the path and, for
// a directory, on what lies beneath it that no other rule names. A rule on a
// directory alone says nothing about the latter.
func (l *lowering) answer(op ir.Op, path string, dir bool) (allowed bool, rule int) {
	if !l.pathRule || !dir {
		d := l.decider.Decide(op, path, dir)
		return d.Effect == ir.Allow, d.Rule
	}
	for _, i := range l.decider.Matching(op, path, dir) {
		r := &l.policy.Files[i]
		if _, alone := r.Match.(ir.Path); !alone {
			return r.Effect(op) == ir.Allow, i
		}
	}
	return false, -1
}

// missing returns what the rule says about a path that does not exist. Where the
// launcher decides about names, no placeholder is needed.
func (l *lowering) missing(r *ir.FileRule) ir.OnMissing {
	switch r.OnMissing {
	case ir.MissingReserve, ir.MissingCreate, ir.MissingSkip, ir.MissingRefuse:
		return r.OnMissing
	case ir.MissingDefault:
	}
	if !l.supervised() && r.Write.Closes() && r.Read != ir.Allow && r.Guard == "" && r.Layer != ir.LayerGuard && r.Layer != ir.LayerFloor {
		return ir.MissingReserve
	}
	return ir.MissingSkip
}
