package verify

import (
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/verify/automata"
)

// DiffTargets compares what one policy permits on two targets; the first takes
// the place of the old policy, and the second that of the new one. Left out is
// what differs by the nature of the targets:
//
//   - what their floors open, which programs need to start at all, and the
//     temporary directories;
//   - /tmp, /var and /etc, and /private/tmp and so on: these are the same places
//     under other names;
//   - other spellings of a closed name, in either case or Unicode form, which
//     only the closings on macOS hold.
//
// What is left is what the policy itself says, in its target blocks and guards.
// Of the settings, only those of one target can differ.
func DiffTargets(p *ir.Policy, targets [2]string, o DiffOptions) (*Change, error) {
	c := &Change{}
	var sides [2]*side
	left := automata.Or{}
	for i, target := range targets {
		sides[i] = newSide(p, target, isPolicyFile)
		sides[i].exact = true
		left = append(left, spokenOf(target, isPolicyFile, p))
		for _, dir := range rootLinks {
			left = append(left, literal(dir, glob.Exact, true), literal("/private"+dir, glob.Exact, true))
		}
	}
	where := func(op ir.Op) automata.Expr {
		out := automata.And{automata.In{Lang: automata.Clean()}, automata.Not{X: left}}
		for _, target := range targets {
			out = append(out, automata.Not{X: spokenOf(target, func(r *ir.FileRule) bool { return ofNature(r, op) }, p)})
		}
		return out
	}
	var err error
	if c.Files, err = diffFiles(sides, where, o); err != nil {
		return nil, err
	}
	var settings changes
	for i, target := range targets {
		// What is listed for one target is as if the other had no such list.
		none := *p
		none.Extras = nil
		if i == 0 {
			settings.extras(p, &none, target)
		} else {
			settings.extras(&none, p, target)
		}
	}
	c.Settings = settings
	return c, nil
}

// ofNature reports whether a rule differs between targets by their nature.
func ofNature(r *ir.FileRule, op ir.Op) bool {
	return r.Effect(op) != ir.Pass && (r.Layer == ir.LayerFloor || r.Target != "" && r.Origin.Address == "filesystem.tmp")
}
