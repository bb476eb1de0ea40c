package mutation_test

import (
	"fmt"
	"slices"
	"strings"
)

// mutant is a changed artefact.
type mutant struct {
	kind string // what was done
	what string // to what
	text string // the profile, or
	args []string
}

// edit replaces the bytes from start to end of a text.
type edit struct {
	start, end int
	with       string
}

// apply makes edits that do not overlap.
func apply(text string, edits ...edit) string {
	slices.SortFunc(edits, func(a, b edit) int { return b.start - a.start })
	for _, e := range edits {
		text = text[:e.start] + e.with + text[e.end:]
	}
	return text
}

// sample returns at most n mutants of a kind, spread evenly, and of the kinds one
// in every so many; the turn says where to begin. With n = 0 it returns them all.
// The same mutants give the same sample.
func sample(all []mutant, n, every, turn int) []mutant {
	if n == 0 {
		return all
	}
	byKind := map[string][]mutant{}
	var kinds []string
	for _, m := range all {
		if byKind[m.kind] == nil {
			kinds = append(kinds, m.kind)
		}
		byKind[m.kind] = append(byKind[m.kind], m)
	}
	var out []mutant
	for k, kind := range kinds {
		if (k+turn)%every != 0 {
			continue
		}
		list := byKind[kind]
		take := min(n, len(list))
		for i := range take {
			out = append(out, list[(i*len(list)/take+turn*7)%len(list)])
		}
	}
	return out
}

// verdict is what became of a mutant.
type verdict uint8

const (
	refused    verdict = iota + 1 // the reader does not take it
	rejected                      // there is a difference that no claim covers, and it is a right one
	hole                          // something besides files is open or closed
	undecided                     // the proof met its bound, so that nothing is compiled
	equivalent                    // it decides everything as the original does
	declared                      // it decides otherwise only where the report says that the artefact may
	survived                      // none of these
)

func verdicts() []verdict {
	return []verdict{refused, rejected, hole, undecided, equivalent, declared, survived}
}

func (v verdict) String() string {
	return [...]string{"invalid", "refused", "difference", "hole", "undecided", "equivalent", "declared", "SURVIVED"}[v]
}

// outcome is a verdict with its reason.
type outcome struct {
	verdict
	reason string
}

// why says why a mutant that was proved to be equivalent is.
func why(m mutant) string {
	switch {
	case strings.HasPrefix(m.kind, "duplicate"):
		return "said twice is said once"
	case strings.HasPrefix(m.kind, "swap"), strings.HasPrefix(m.kind, "move"):
		return "the two are about different things, or of the same mind"
	case m.kind == "network: sockets no longer denied":
		return "what no rule opens is denied anyway"
	case m.kind == "drop the last --remount-ro /":
		return "the root is a read-only bind already"
	case m.kind == "--ro-bind -> --ro-bind-try":
		return "the source exists"
	case m.kind == "--unshare-cgroup-try -> --unshare-cgroup":
		return "the namespace is made, or the sandbox does not start"
	case m.args != nil:
		return "other mounts cover it, or keep it read-only"
	}
	return "other rules decide alike all that it matches"
}

// table counts outcomes by kind of mutant.
type table struct {
	kinds   []string
	counts  map[string]map[verdict]int
	reasons map[string]map[string]int // of the equivalent ones, by kind
}

func newTable() *table {
	return &table{counts: map[string]map[verdict]int{}, reasons: map[string]map[string]int{}}
}

func (t *table) add(kind string, o outcome) {
	if t.counts[kind] == nil {
		t.kinds = append(t.kinds, kind)
		t.counts[kind], t.reasons[kind] = map[verdict]int{}, map[string]int{}
	}
	t.counts[kind][o.verdict]++
	if o.verdict == equivalent || o.verdict == declared {
		t.reasons[kind][o.reason]++
	}
}

// String prints the table, then the reasons of what is equivalent.
func (t *table) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%-36s %8s", "kind", "mutants")
	for _, v := range verdicts() {
		fmt.Fprintf(&b, " %10s", v)
	}
	total := map[verdict]int{}
	kinds := slices.Sorted(slices.Values(t.kinds))
	row := func(name string, counts map[verdict]int) {
		n := 0
		for _, c := range counts {
			n += c
		}
		fmt.Fprintf(&b, "\n%-36s %8d", name, n)
		for _, v := range verdicts() {
			fmt.Fprintf(&b, " %10d", counts[v])
		}
	}
	for _, k := range kinds {
		row(k, t.counts[k])
		for v, n := range t.counts[k] {
			total[v] += n
		}
	}
	row("all", total)
	killed := total[refused] + total[rejected] + total[hole] + total[undecided]
	fmt.Fprintf(&b, "\nkilled %d of %d that are not equivalent\n\nequivalent, and why:", killed, killed+total[survived]+total[declared])
	for _, k := range kinds {
		for _, reason := range slices.Sorted(keys(t.reasons[k])) {
			fmt.Fprintf(&b, "\n%-36s %8d %s", k, t.reasons[k][reason], reason)
		}
	}
	return b.String()
}

func keys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}
