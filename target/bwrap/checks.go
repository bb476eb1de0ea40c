package bwrap

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
)

// argumentCap is how many arguments bubblewrap takes, its name, those from
// --args and those of the command included (MAX_ARGS in bubblewrap.c, all
// versions).
const argumentCap = 9000

// commandReserve is how many of them are left for the command and for a
// launcher's own options, such as three for each variable that is set.
const commandReserve = 512

// slowMounts is from how many mounts on a start is slow before 0.13.
const slowMounts = 300

// Versions of bubblewrap that matter.
const (
	fixedCVE   = "0.12.0" // CVE-2026-87766 is fixed
	fastMounts = "0.13.0" // mount_setattr(2) instead of reading mountinfo for each mount
)

// judgeScan reports what the walk could not look at.
func (l *lowering) judgeScan() {
	s := &l.scan
	if len(s.unread) > 0 {
		l.diags.Add(diag.Diagnostic{
			Code: diag.CodeUnscanned, Severity: diag.Note, Target: ir.Linux,
			Summary: plural(len(s.unread), "directory", "directories") + " could not be searched for matches of globs",
			Detail:  "They cannot be listed by the one who compiles: " + some(s.unread) + ". A command that runs as the same user cannot list them either, but it can open a path that it knows, as far as permissions let it.",
		})
	}
	if len(s.kernel) > 0 {
		l.diags.Add(diag.Diagnostic{
			Code: diag.CodeUnscanned, Severity: diag.Note, Target: ir.Linux,
			Summary: "file systems of the kernel were not searched for matches of globs",
			Detail:  "They hold no one's files: " + some(s.kernel) + ". Name a path there literally to close it.",
		})
	}
}

// judgeSize compares the plan with what bubblewrap can take, and with the time
// that it will take.
func (l *lowering) judgeSize() {
	n := len(l.plan.Args())
	budget := l.opts.Budget.Mask
	switch {
	case n > argumentCap-commandReserve:
		l.diags.Add(diag.Diagnostic{
			Code: diag.CodeArgumentCap, Severity: diag.Error, Target: ir.Linux,
			Summary: fmt.Sprintf("%d mounts need %d arguments, and bubblewrap takes %d", len(l.plan.Mounts), n, argumentCap),
			Detail: fmt.Sprintf("%d of them are kept for the command and its environment. Most come from %s. Close whole directories instead of single files, or narrow the globs.",
				commandReserve, l.heaviest()),
		})
	case budget > 0 && len(l.plan.Mounts) > budget:
		l.diags.Add(diag.Diagnostic{
			Code: diag.CodeArgumentCap, Severity: diag.Error, Target: ir.Linux,
			Summary: fmt.Sprintf("%d mounts are needed, and %d are allowed", len(l.plan.Mounts), budget),
			Detail:  "Most come from " + l.heaviest() + ". Close whole directories instead of single files, or narrow the globs.",
		})
	}
	b := l.bwrap()
	if b == nil || len(l.plan.Mounts) <= slowMounts || !b.Before(fastMounts) {
		return
	}
	l.diags.Add(diag.Diagnostic{
		Code: diag.CodeSlowMounts, Severity: diag.Warning, Target: ir.Linux,
		Summary: fmt.Sprintf("each start will take about %s: %d mounts on bubblewrap %s", startCost(len(l.plan.Mounts)), len(l.plan.Mounts), b.Version),
		Detail:  "Before 0.13 bubblewrap reads the whole mount table again for each mount. Most mounts come from " + l.heaviest() + ". Close whole directories, narrow the globs, or use bubblewrap 0.13 or newer.",
	})
}

// judgeBwrap looks at the bubblewrap that will be used.
func (l *lowering) judgeBwrap() {
	b := l.bwrap()
	if b == nil {
		return
	}
	var lacks []string
	for _, f := range l.plan.flags() {
		if !b.Has(f) {
			lacks = append(lacks, f)
		}
	}
	if len(lacks) > 0 {
		l.diags.Add(diag.Diagnostic{
			Code: diag.CodeFeatureMissing, Severity: diag.Error, Target: ir.Linux,
			Summary: fmt.Sprintf("bubblewrap %s lacks %s", b.Version, strings.Join(lacks, ", ")),
			Detail:  "The plan cannot be carried out without it. Install bubblewrap 0.8 or newer.",
		})
	}
	if !l.policy.Process.Namespaces.Value && !l.plan.DisableUserns {
		l.diags.Add(diag.Diagnostic{
			Code: diag.CodeFeatureMissing, Severity: diag.Note, Target: ir.Linux,
			Summary: fmt.Sprintf("bubblewrap %s lacks --disable-userns", b.Version),
			Detail:  "Nested user namespaces are refused by the seccomp program alone. Install bubblewrap 0.8 or newer to have both.",
		})
	}
	if b.Before(fixedCVE) {
		l.diags.Add(diag.Diagnostic{
			Code: diag.CodeKnownCVE, Severity: diag.Security, Target: ir.Linux,
			Summary: fmt.Sprintf("bubblewrap %s has a known vulnerability, CVE-2026-87766", b.Version),
			Detail: "A symbolic link that is planted at a mount's destination makes it write outside of the sandbox. Destinations are resolved when the policy is compiled and checked again before the start, " +
				"which leaves the moment in between. Install bubblewrap " + fixedCVE + " or newer. Some distributions fixed it without changing the version.",
		})
	}
}

// judgeReplaceable says if the command may write the bubblewrap that confines it:
// what one run puts in its place, the next starts without a sandbox.
func (l *lowering) judgeReplaceable() {
	b := l.bwrap()
	if b == nil || b.Path == "" {
		return
	}
	for _, path := range []string{b.Path, l.resolve(b.Path)} {
		if l.decider.Decide(ir.Write, path, false).Effect != ir.Allow {
			continue
		}
		l.diags.Add(diag.Diagnostic{
			Code: diag.CodeReplaceable, Severity: diag.Security, Target: ir.Linux,
			Summary: fmt.Sprintf("the command may replace %s, which confines it", Quote(path)),
			Detail:  "The next run would start what this one puts there. Use a bubblewrap outside of the write roots, or close it with a deny rule of access \"write\".",
		})
		return
	}
}

func (l *lowering) bwrap() *host.Bwrap {
	if l.opts.Facts == nil {
		return nil
	}
	return l.opts.Facts.Bwrap
}

// heaviest names the rules that most mounts come from.
func (l *lowering) heaviest() string {
	count := map[string]int{}
	for _, m := range l.plan.Mounts {
		for _, i := range m.Rules {
			count[l.policy.Files[i].Origin.Address]++
		}
	}
	type share struct {
		rule string
		n    int
	}
	var shares []share
	for r, n := range count {
		shares = append(shares, share{r, n})
	}
	slices.SortFunc(shares, func(a, b share) int {
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.rule, b.rule))
	})
	var out []string
	for _, s := range shares[:min(3, len(shares))] {
		out = append(out, fmt.Sprintf("%s (%d)", s.rule, s.n))
	}
	return strings.Join(out, ", ")
}

// costs are measured starts before 0.13: mounts and milliseconds.
var costs = [][2]float64{{0, 4}, {10, 5}, {100, 18}, {500, 320}, {1000, 980}, {2000, 3500}, {2900, 9000}}

// startCost estimates the time of a start from the measured ones, by a line
// between neighbours.
func startCost(mounts int) string {
	n := float64(mounts)
	ms := costs[len(costs)-1][1] * n * n / (costs[len(costs)-1][0] * costs[len(costs)-1][0])
	for i := 1; i < len(costs); i++ {
		if a, b := costs[i-1], costs[i]; n <= b[0] {
			ms = a[1] + (b[1]-a[1])*(n-a[0])/(b[0]-a[0])
			break
		}
	}
	if ms < 1000 {
		return strconv.Itoa(int(ms/10+0.5)*10) + " ms"
	}
	return strconv.FormatFloat(ms/1000, 'f', 1, 64) + " s"
}

// some lists the first few of many paths.
func some(paths []string) string {
	const most = 5
	quoted := make([]string, 0, most)
	for _, p := range paths[:min(most, len(paths))] {
		quoted = append(quoted, Quote(p))
	}
	out := strings.Join(quoted, ", ")
	if n := len(paths) - most; n > 0 {
		out += fmt.Sprintf(" and %d more", n)
	}
	return out
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
