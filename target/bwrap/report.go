package bwrap

import (
	"slices"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/target"
)

// report says what became of every rule, in the policy's order: files, network,
// environment, processes, limits, extras.
func (l *lowering) report() target.Report {
	r := target.Report{Target: ir.Linux}
	emitted := l.emitted()
	for i := range l.policy.Files {
		rule := &l.policy.Files[i]
		if !rule.AppliesTo(ir.Linux) {
			continue
		}
		for _, v := range l.fileVerdicts(i) {
			e := target.Entry{
				Rule: rule.Origin.Address, Index: i, Feature: v.feature, Verdict: v.verdict, Code: v.code, Loss: v.loss,
				Enforcer: v.enforcer, Watch: v.watch, Instead: v.instead, Layer: rule.Layer, Guard: rule.Guard, Opens: rule.Opens(),
				Origin: rule.Origin, Emitted: emitted[i],
			}
			if e.Enforcer == "" {
				e.Enforcer = target.Kernel
			}
			r.Entries = append(r.Entries, e)
		}
	}
	r.Entries = append(r.Entries, l.settingEntries()...)
	r.Diagnostics = l.diags
	return r
}

// emitted returns the arguments that each rule became, a mount a line.
func (l *lowering) emitted() map[int][]string {
	out := map[int][]string{}
	for _, m := range l.plan.Mounts {
		line := l.plan.line(m)
		for _, i := range m.Rules {
			out[i] = append(out[i], line)
		}
	}
	return out
}

// verdict is one verdict on a rule, without what all verdicts on it share.
type verdict struct {
	feature  target.Feature
	verdict  target.Verdict
	code     diag.Code
	loss     string
	enforcer target.Enforcer // empty means the kernel
	watch    target.Watch
	instead  string
}

// fileVerdicts returns the verdicts on one file rule, at least one.
func (l *lowering) fileVerdicts(i int) []verdict {
	rule := &l.policy.Files[i]
	n := l.literals[i]
	switch {
	case n == nil:
		return l.globVerdicts(i)
	case rule.Private:
		return []verdict{l.privateVerdict(n)}
	case rule.Opens():
		return l.openVerdicts(rule, n)
	}
	return l.closeVerdicts(rule, n)
}

func (l *lowering) privateVerdict(n *node) verdict {
	v := verdict{feature: target.RootPrivate, verdict: target.Exact}
	if n.given < n.want {
		v.verdict, v.code = target.Narrower, diag.CodeTmp
		v.loss = Quote(n.path) + " does not exist, so nothing can be put in its place"
	}
	return v
}

// openVerdicts is for a rule that opens one path.
func (l *lowering) openVerdicts(rule *ir.FileRule, n *node) []verdict {
	v := verdict{feature: target.RootRead, verdict: target.Exact}
	if rule.Write == ir.Allow {
		v.feature = target.RootWrite
	}
	p := Quote(n.path)
	switch {
	case n.where.private() && n.given >= n.want:
		// The sandbox has its own.
	case n.state == linked:
		v.verdict, v.code = target.Narrower, diag.CodeSetAsideRoot
		v.loss = p + " passes the symbolic link " + Quote(n.link().path) + ", so nothing is mounted there"
	case n.state == unknown:
		v.code, v.loss = diag.CodeNoHost, "without a host view "+p+" is taken to be a directory that exists"
		if n.where.private() || n.mount < 0 {
			v.code, v.loss = "", ""
		}
	case n.state == absent && l.missing(rule) == ir.MissingRefuse:
		v.feature, v.verdict, v.code, v.loss = target.RootMissing, target.Narrower, diag.CodeMissingOpen, p+" does not exist"
		l.diags.Add(refusal(rule, diag.CodeMissingOpen, n.path))
	case n.state == absent && n.where == onHost && n.missing().reserved:
		v.feature, v.verdict, v.code = target.RootMissing, target.Narrower, diag.CodeMissingOpen
		v.loss = p + " does not exist, and a placeholder stands at " + Quote(n.missing().path) + ", so that it cannot be made"
		v.instead = "make the directory before the start"
	case n.given > n.want && (n.state == absent || n.state == blocked) && l.supervised():
		v.feature = target.CloseMissing
		v = l.watched(v, target.WatchNames, p+" does not exist, and the launcher refuses to let the command make it")
	case n.given > n.want && (n.state == absent || n.state == blocked):
		v.feature, v.verdict, v.code = target.CloseMissing, target.Snapshot, diag.CodeMissingClosed
		v.loss = p + " does not exist; the command can make it, and write it then"
	case n.given >= n.want:
		// What is given is enough, whether the path exists or not.
	case n.state == absent || n.state == blocked:
		v.feature, v.verdict, v.code = target.RootMissing, target.Narrower, diag.CodeMissingOpen
		v.loss = p + " does not exist, so it is left out"
		v.instead = `on_missing = "create" makes a directory there before the start`
	case n.state == hidden:
		v.verdict, v.code = target.Narrower, diag.CodeSetAsideRoot
		v.loss = p + " may not be looked at"
	case n.host.Type == host.Link:
		v.verdict, v.code = target.Narrower, diag.CodeSetAsideRoot
		v.loss = p + " is a symbolic link, on which nothing can be mounted"
	case !n.folded:
		v.verdict, v.code = target.Narrower, diag.CodeAlias
		v.loss = p + " is another name of " + Quote(n.alias) + ", which is closed"
	}
	out := []verdict{v}
	if v.verdict != target.Exact || n.mount < 0 {
		return out
	}
	if n.created {
		out[0].feature, out[0].code, out[0].enforcer = target.RootMissing, diag.CodeMissingOpen, target.Launcher
		out[0].loss = p + " does not exist; the launcher makes it before the start"
	}
	if l.plan.Mounts[n.mount].Kind != WritableBind {
		return out
	}
	switch {
	case n.state == present && n.host.Type != host.Dir:
		out[0] = verdict{
			feature: target.RootFile, verdict: target.Narrower, code: diag.CodeFileRoot,
			loss:    p + " is a single file: it can be written, but not removed or replaced by a rename, as many editors do",
			instead: "open the directory that holds it",
		}
	case l.writable > 1 && out[0].code == "":
		out[0].code = diag.CodeMountEdge
		out[0].loss = "a rename or a hard link between " + p + " and another writable root fails; mv copies instead"
	}
	return out
}

// closeVerdicts is for a rule that closes one path.
func (l *lowering) closeVerdicts(rule *ir.FileRule, n *node) []verdict {
	v := verdict{feature: target.CloseLiteral, verdict: target.Exact}
	switch {
	case rule.NonDir:
		v.feature = target.CloseNonDir
	case rule.Group >= ir.GroupRoot:
		v.feature = target.RootNone
	}
	closed := n.given <= n.want
	switch {
	case n.state == linked && !n.where.private():
		return []verdict{l.throughLink(n)}
	case n.state == unknown && !closed:
		v.verdict, v.code = target.Dropped, diag.CodeNoHost
		v.loss = "without a host view nothing is known of " + Quote(n.path) + ", so nothing closes it"
		v.instead = "compile on the host that it is for, or against a record of it"
		return []verdict{v}
	case (n.state == absent || n.state == blocked) && !n.where.private():
		return []verdict{l.missingVerdict(rule, n, v)}
	case n.state == present && n.host.Type == host.Link && !closed:
		return []verdict{l.linkVerdict(n)}
	case n.where == inTmp:
		return []verdict{v} // the host's is not there
	case n.where.private() && !closed:
		v.verdict, v.code = target.Wider, diag.CodeUnlinkClosed
		v.loss = Quote(n.path) + " is the sandbox's own, and its names cannot be closed one by one"
		return []verdict{v}
	case !closed && n.state == present:
		v.verdict, v.code = target.Wider, diag.CodeClosedLink
		v.loss = Quote(n.path) + " cannot be covered"
	}
	if g, ok := rule.Match.(ir.Glob); ok && v.verdict == target.Exact && l.shut(n) && !l.allExist(g.Except) {
		v.verdict, v.code = target.Narrower, diag.CodeMissingOpen
		v.loss = "what an exception opens in " + Quote(n.path) + " must exist at the start; nothing can be made there"
	}
	return append([]verdict{v}, l.aliasVerdicts(n)...)
}

// opened reports whether a rule opens the node, or something beneath, for
// writing.
func (l *lowering) opened(n *node) bool {
	return slices.ContainsFunc(l.policy.Files, func(r ir.FileRule) bool {
		base := r.Match.Base()
		return r.Write == ir.Allow && !r.Private && r.AppliesTo(ir.Linux) && (ir.Beneath(n.path, base) || ir.Beneath(base, n.path))
	})
}

// opensWithin reports whether a rule has exceptions that do not exist.
func (l *lowering) opensWithin(rule *ir.FileRule) bool {
	g, ok := rule.Match.(ir.Glob)
	return ok && !l.allExist(g.Except)
}

// allExist reports whether the exceptions are paths that exist and can be mounted
// on.
func (l *lowering) allExist(except []*glob.Pattern) bool {
	return !slices.ContainsFunc(except, func(e *glob.Pattern) bool {
		lit, ok := e.IsLiteral()
		if !ok {
			return true
		}
		n := l.tree.at(lit)
		return n.state != present || n.host.Type == host.Link
	})
}

// missingVerdict is for a closed path that does not exist.
func (l *lowering) missingVerdict(rule *ir.FileRule, n *node, v verdict) verdict {
	v.feature = target.CloseMissing
	p := Quote(n.path)
	first := n.missing()
	switch {
	case l.missing(rule) == ir.MissingRefuse:
		v.verdict, v.code, v.loss = target.Dropped, diag.CodeMissingClosed, p+" does not exist"
		l.diags.Add(refusal(rule, diag.CodeMissingClosed, n.path))
	case n.where != onHost || n.want >= n.have:
	case n.have < Writable:
		v = l.unmakeable(v, diag.CodeMissingClosed, p+" does not exist and the command cannot make it")
	case first.reserved && first == n && l.opensWithin(rule):
		v.verdict, v.code, v.enforcer = target.Narrower, diag.CodeMissingClosed, target.Launcher
		v.loss = p + " does not exist; an empty read-only directory stands there as a placeholder, so what an exception opens in it cannot be made"
		v.instead = "make the directory before the start"
	case first.reserved && first == n:
		v.code, v.enforcer = diag.CodeMissingClosed, target.Launcher
		v.loss = p + " does not exist; an empty read-only directory stands there as a placeholder while the command runs"
	case first.reserved:
		v.verdict, v.code, v.enforcer = target.Narrower, diag.CodeMissingClosed, target.Launcher
		v.loss = p + " does not exist; an empty read-only placeholder stands at " + Quote(first.path) + ", so nothing can be made there either"
		v.instead = `on_missing = "skip" leaves the names free, and the path unprotected until it exists`
	case l.supervised():
		v = l.watched(v, target.WatchNames, p+" does not exist, and the launcher refuses to let the command make it")
	case rule.Guard != "":
		v.verdict, v.code, v.enforcer = target.Snapshot, diag.CodeSweep, target.Launcher
		v.loss = p + " does not exist; if the command makes it, the sweep after the run finds it"
	default:
		v.verdict, v.code = target.Snapshot, diag.CodeMissingClosed
		v.loss = p + " does not exist, and the command can make it"
		v.instead = `on_missing = "reserve" keeps the name with a placeholder`
	}
	return v
}

// aliasVerdicts says how a closed node can be reached under other names.
func (l *lowering) aliasVerdicts(n *node) []verdict {
	var out []verdict
	if others := l.aliases.closed[n]; len(others) > 0 {
		slices.Sort(others)
		out = append(out, verdict{
			feature: target.CloseAlias, verdict: target.Exact, code: diag.CodeAlias,
			loss: Quote(n.path) + " has other names, by a hard link, a second mount or a symbolic link, which are closed as well: " + some(slices.Compact(others)),
		})
	}
	if l.aliases.unsure[n] {
		out = append(out, verdict{
			feature: target.CloseAlias, verdict: target.Exact, code: diag.CodeAlias,
			loss: "there is too much in " + Quote(n.path) + " to look for files that have a hard link elsewhere",
		})
	}
	if how := l.aliases.open[n]; how != "" {
		out = append(out, verdict{
			feature: target.CloseAlias, verdict: target.Wider, code: diag.CodeAlias,
			loss:    Quote(n.path) + " can be reached under another name (hard link, second mount or symbolic link): " + how,
			instead: "remove the other names, or close them too",
		})
	}
	return out
}

// refusal is the error of a rule that refuses to start.
func refusal(rule *ir.FileRule, code diag.Code, path string) diag.Diagnostic {
	d := diag.Diagnostic{
		Code: code, Severity: diag.Error, Target: ir.Linux, Rule: rule.Origin.Address,
		Summary: Quote(path) + " does not exist",
		Detail:  `The rule says on_missing = "refuse". Make the path, or choose another answer.`,
	}
	if rule.Origin.Range.File != "" {
		r := rule.Origin.Range
		d.Subject = &r
	}
	return d
}
