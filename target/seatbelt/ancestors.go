package seatbelt

import (
	"maps"
	"slices"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target/seatbelt/sbpl"
)

// ancestors returns the items that let a command see the attributes of the
// directories above what it may read: realpath(3), getcwd(3) and cd look at
// each of them. Their listings and contents stay closed. That a name exists is
// not protected, so no closing has to win over this.
func (l *lowering) ancestors() []item {
	above := map[string]bool{}
	for i := range l.policy.Files {
		r := &l.policy.Files[i]
		if r.Read != ir.Allow || !r.AppliesTo(ir.Darwin) || r.Private {
			continue
		}
		if _, _, dead := linked(r.Match); dead {
			continue
		}
		for _, d := range ir.Ancestors(r.Match.Base()) {
			above[d] = true
		}
		if g, ok := r.Match.(ir.Glob); ok {
			above[g.Base()] = true
		}
	}
	var out []item
	for _, d := range slices.Sorted(maps.Keys(above)) {
		if l.decider.Decide(ir.Read, d, true).Effect != ir.Allow {
			out = append(out, newItem(sbpl.Allow, []sbpl.Op{"file-read-metadata"}, single(sbpl.Literal(d)), ""))
		}
	}
	return out
}
