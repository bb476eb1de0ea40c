package verify

import (
	"fmt"
	"maps"
	"slices"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/verify/automata"
	"github.com/sandboxc/sbc/verify/sbpl"
)

// attributes is the operation that looks at a file's attributes and follows a
// link. Who may read a file may do so, and a command needs it of the directories
// above what it may read, and of the links that lead there. Whatever else is
// closed to reading shows none of its size, owner or times.
const attributes = "file-read-metadata"

// followed are the links that every program follows.
var followed = []string{"/etc", "/tmp", "/var", "/private/etc/localtime"}

// visible are the paths whose attributes may be seen although they may not be
// read.
func (v *profileProof) visible() entries {
	paths := map[string]bool{}
	for _, p := range followed {
		paths[p] = true
	}
	for i := range v.policy.Files {
		r := &v.policy.Files[i]
		if r.Read != ir.Allow || r.Private || !r.AppliesTo(ir.Darwin) {
			continue
		}
		above := ir.Ancestors(r.Match.Base())
		if _, ok := r.Match.(ir.Glob); ok {
			above = append(above, r.Match.Base())
		}
		for _, dir := range above {
			if v.decider.Decide(ir.Read, dir, true).Effect != ir.Allow {
				paths[dir] = true
			}
		}
	}
	var out entries
	for _, p := range slices.Sorted(maps.Keys(paths)) {
		out = append(out, entry{key: "seen " + p, when: automata.In{Lang: automata.Literal(p)}, label: allowed, group: groupPlain, samples: []string{p}})
	}
	return out
}

// seen finds attributes that can be seen although the file cannot be read, and
// those that cannot although they are needed.
func (v *profileProof) seen(parts *partProof) error {
	chain, err := v.profile.Chain(attributes)
	if err != nil {
		return err
	}
	said := map[string]bool{}
	for _, vnode := range v.kindsOfFile() {
		dir := vnode == vnodes[0]
		may := v.effects(ir.Read, dir)
		want := append(v.visible(), may...)
		gaps, err := parts.compare(want, v.profileEntries(chain, vnode), v.excusesOf(operation{op: ir.Read}, dir))
		if err != nil {
			return err
		}
		for _, g := range gaps {
			got, err := v.profile.Decide(attributes, sbpl.Subject{Path: g.path, Vnode: vnode})
			switch {
			case err != nil:
				return err
			case got.Allow != g.permits:
				return fmt.Errorf("internal error: the automata find that %s of %q differs, and the profile says %v; please report", attributes, g.path, got.Allow)
			}
			read, err := v.profile.Decide("file-read-data", sbpl.Subject{Path: g.path, Vnode: vnode})
			if err != nil {
				return err
			}
			if read.Allow == g.permits && may.allows(g.path) != g.permits {
				continue // all of the file is, which has been found already
			}
			h := Hole{Name: "attributes", Line: -1, Text: fmt.Sprintf("the attributes of %q cannot be seen", g.path)}
			if g.permits {
				h.Text = fmt.Sprintf("the attributes of %q can be seen", g.path)
			}
			if got.Rule != nil {
				h.Line = got.Rule.Pos.Line
			}
			if !said[h.Text] {
				said[h.Text] = true
				v.proof.Holes = append(v.proof.Holes, h)
			}
		}
	}
	return nil
}
