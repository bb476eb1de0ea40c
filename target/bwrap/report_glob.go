package bwrap

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/target"
)

// globVerdicts returns the verdicts on a rule that closes by a glob.
func (l *lowering) globVerdicts(i int) []verdict {
	rule := &l.policy.Files[i]
	feature := target.CloseGlob
	if rule.NonDir {
		feature = target.CloseNonDir
	}
	g, ok := closingGlob(rule, ir.Linux)
	if !ok {
		return []verdict{{
			feature: feature, verdict: target.Dropped, code: diag.CodeNoHost, loss: "a glob that opens cannot be expressed by mounts",
		}}
	}
	domain := l.domain(g)
	if l.tree.blind {
		if domain < Writable && (domain == Closed || !rule.Read.Closes()) {
			return []verdict{{feature: feature, verdict: target.Exact}}
		}
		return []verdict{{
			feature: feature, verdict: target.Dropped, code: diag.CodeNoHost,
			loss:    "without a host view nothing is known of what " + Quote(g.Pattern.String()) + " matches",
			instead: "compile on the host that it is for, or against a record of it",
		}}
	}
	out := []verdict{{feature: feature, verdict: target.Exact}}
	aside, all := l.asideVerdicts(g, feature)
	if all {
		return aside
	}
	switch {
	case domain == Writable && !l.foldedWhole(i, g) && l.supervised() && !free(rule):
		watch := target.WatchNames
		if l.pinnedLinks[i] {
			watch = target.WatchRemovals
		}
		out[0] = l.watched(out[0], watch, "the launcher refuses to let the command make anything that "+Quote(g.Pattern.String())+" matches")
	case domain == Writable && !l.foldedWhole(i, g):
		out[0].verdict, out[0].code = target.Snapshot, diag.CodeSnapshot
		out[0].loss = "what the command makes that " + Quote(g.Pattern.String()) + " matches is not covered"
		if len(g.Except) > 0 && slices.ContainsFunc(l.matches[i], (*node).dir) {
			out[0].loss += ", and in a directory that is matched already it makes nothing, whatever an exception says"
		}
		if rule.Guard != "" {
			out[0].loss += "; it is reported after the run"
		}
	case domain == ReadOnly && rule.Read.Closes():
		out[0] = l.unmakeable(out[0], diag.CodeSnapshot, "the command cannot make anything that "+Quote(g.Pattern.String())+" matches")
	}
	out = append(out, aside...)
	out = append(out, l.ownVerdicts(i, feature)...)
	if out[0].verdict == target.Exact && l.opensWithin(rule) && slices.ContainsFunc(l.matches[i], l.shut) {
		out = append(out, verdict{
			feature: feature, verdict: target.Narrower, code: diag.CodeMissingOpen,
			loss: "what an exception opens in what " + Quote(g.Pattern.String()) + " matches must exist at the start; nothing can be made there",
		})
	}
	if n := len(l.overFolds[i]); n > 0 {
		out = append(out, verdict{
			feature: feature, verdict: target.Narrower, code: diag.CodeOverFold,
			loss:    "in " + Quote(l.overFolds[i][0].path) + others(n-1) + " nothing can be made or changed, names that an exception leaves open included",
			instead: "exclude the guard, or leave single paths open with guards.except",
		})
	}
	if l.scan.short {
		out = append(out, verdict{
			feature: feature, verdict: target.Wider, code: diag.CodeScanBudget,
			loss:    "the search for matches of " + Quote(g.Pattern.String()) + " met its budget, so there may be more of them",
			instead: "narrow the pattern, or raise the budget (--scan-files, --scan-depth, --scan-time)",
		})
	}
	if domain == Writable && !l.supervised() { // otherwise the launcher asks about what a rename brings along
		out = append(out, l.moveVerdicts(g)...)
	}
	return append(out, l.matchVerdicts(i)...)
}

// shut reports whether nothing can be made in a directory that would be writable.
func (l *lowering) shut(n *node) bool { return n.dir() && n.given < Writable && l.opened(n) }

// asideVerdicts are for the bases of a glob that are not searched: what is the
// sandbox's own, and links, for which the rule has another form. All is set if
// the glob has no other base.
func (l *lowering) asideVerdicts(g ir.Glob, feature target.Feature) (out []verdict, all bool) {
	bases := g.Pattern.Bases()
	for _, path := range bases {
		switch base := l.tree.at(path); {
		case base.inside == inDev || base.inside == inProc:
			out = append(out, verdict{
				feature: feature, verdict: target.Dropped, code: diag.CodeUnlinkClosed,
				loss:    Quote(base.path) + " is the sandbox's own and is not searched",
				instead: "close a path there by its name",
			})
		case base.state == linked:
			out = append(out, l.throughLink(base))
		}
	}
	return out, len(out) == len(bases)
}

// ownVerdicts are for a glob that closes /dev or /proc themselves: the sandbox has
// its own, which are not searched.
func (l *lowering) ownVerdicts(i int, feature target.Feature) []verdict {
	var out []verdict
	for _, dir := range []string{"/dev", "/proc"} {
		n := l.tree.at(dir)
		if n.inside != inDev && n.inside != inProc {
			continue
		}
		if d := l.decider.Decide(ir.Write, dir, true); d.Rule == i && d.Effect != ir.Allow {
			out = append(out, verdict{
				feature: feature, verdict: target.Wider, code: diag.CodeUnlinkClosed,
				loss:    Quote(dir) + " is the sandbox's own and stays open",
				instead: "except it, or close a path there by its name",
			})
		}
	}
	return out
}

// others counts the directories behind the one that is named.
func others(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return " and one more directory"
	}
	return fmt.Sprintf(" and %d more directories", n)
}

// moveVerdicts says whether directories can be moved so that a closing that
// held before does not hold afterwards.
func (l *lowering) moveVerdicts(g ir.Glob) []verdict {
	var out []verdict
	if strayException(g) {
		out = append(out, verdict{
			feature: target.CloseGlobMove, verdict: target.Wider, code: diag.CodeMovable,
			loss:    "a directory that holds a match of " + Quote(g.Pattern.String()) + " can be moved to where an exception covers it",
			instead: "let the exception be **/ and a name, or a name beside the pattern",
		})
	}
	if plantable(g.Pattern) {
		out = append(out, verdict{
			feature: target.CloseGlobPlant, verdict: target.Wider, code: diag.CodePlantable,
			loss:    "a directory that was prepared elsewhere can be renamed so that " + Quote(g.Pattern.String()) + " matches in it",
			instead: "a pattern that is **/ and a single name is closed wherever it is made",
		})
	}
	return out
}

// matchVerdicts reports matches that could not be covered, or that have other
// names: one verdict a kind, naming the first.
func (l *lowering) matchVerdicts(i int) []verdict {
	var out []verdict
	matches := slices.Clone(l.matches[i])
	slices.SortFunc(matches, func(a, b *node) int { return strings.Compare(a.path, b.path) })
	seen := map[verdict]int{}
	for _, n := range slices.Compact(matches) {
		if !slices.Contains(n.by(), i) {
			continue // a stronger rule decides
		}
		var vs []verdict
		if n.host.Type == host.Link && n.given > n.want {
			vs = append(vs, l.linkVerdict(n))
		}
		for _, v := range append(vs, l.aliasVerdicts(n)...) {
			key := verdict{feature: v.feature, verdict: v.verdict, code: v.code}
			if seen[key]++; seen[key] == 1 {
				out = append(out, v)
			}
		}
	}
	for j := range out {
		key := verdict{feature: out[j].feature, verdict: out[j].verdict, code: out[j].code}
		if more := seen[key] - 1; more > 0 {
			out[j].loss += "; " + plural(more, "more match", "more matches") + " like it"
		}
	}
	return out
}

// domain returns the most that the command may do beneath the bases of the
// glob, private storage aside.
func (l *lowering) domain(g ir.Glob) Access {
	most := Closed
	for _, base := range g.Pattern.Bases() {
		excepted := slices.ContainsFunc(g.Except, func(e *glob.Pattern) bool { return e.Covers(base, glob.Exact) })
		if !excepted { // otherwise nothing there is closed
			most = max(most, deepest(l.tree.at(base)))
		}
	}
	return most
}

// deepest returns the most that is given at the node or below. Each node is
// asked once; the layout is over.
func deepest(n *node) Access {
	if n.most > 0 {
		return n.most - 1
	}
	out := Closed
	if n.placed && !n.inside.private() {
		out = n.given
	}
	for _, k := range n.kids {
		out = max(out, deepest(k))
	}
	n.most = out + 1
	return out
}

// foldedWhole reports whether one mount closes every name that the glob can
// ever match: its last segment is /*, and what stands before is one path.
func (l *lowering) foldedWhole(i int, g ir.Glob) bool {
	if len(g.Pattern.Alternatives()) != len(starParents(g.Pattern)) {
		return false
	}
	for _, dir := range starParents(g.Pattern) {
		lit, ok := dir.IsLiteral()
		if !ok {
			return false
		}
		if n := l.tree.find(lit); n.path != lit || !n.folded || !slices.Contains(n.folds, i) {
			return false
		}
	}
	return true
}
