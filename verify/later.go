package verify

import (
	"fmt"
	"slices"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/verify/automata"
	"github.com/sandboxc/sbc/verify/mounts"
)

// Mounts close what exists. What a glob matches that the command makes later is
// the gap between the policy and a mount table: it is computed for each rule,
// and must be what the report claims. Where a launcher decides about names, it
// closes the gap by asking the policy itself; then too the report must say so,
// and the launcher must be at work.

// later finds the rules whose globs match something that the mounts let be
// made, and holds them against the claims.
func (c *comparison) later() error {
	writes := writable(c.tree)
	groups := map[string][]int{}
	var order []string
	for i := range c.policy.Files {
		r := &c.policy.Files[i]
		g, ok := r.Match.(ir.Glob)
		if _, literal := ir.Literal(r.Match); !ok || literal || !r.Write.Closes() || r.Opens() || !r.AppliesTo(ir.Linux) {
			continue
		}
		key := exceptKey(g)
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], i)
	}
	for _, key := range order {
		// A label is a byte, and 0 is for what no rule holds.
		for rules := groups[key]; len(rules) > 0; {
			n := min(len(rules), 255)
			if err := c.laterOf(rules[:n], writes); err != nil {
				return err
			}
			rules = rules[n:]
		}
	}
	return nil
}

// laterOf does that for rules with the same exceptions.
func (c *comparison) laterOf(rules []int, writes automata.List) error {
	by := automata.List{}
	for n, i := range rules {
		r := &c.policy.Files[i]
		by.Rules = append(by.Rules, automata.Rule{When: matchExpr(r.Match, 0, !r.NonDir, itself), Label: uint8(n + 1)})
	}
	res, err := automata.Explore(automata.In{Lang: automata.Clean()}, []automata.List{writes, by}, automata.Options{})
	if err != nil {
		return err
	}
	c.proof.States += res.States
	open := map[int]string{}
	for _, class := range res.Classes {
		if class.Labels[0] == allowed && class.Labels[1] > 0 {
			open[rules[class.Labels[1]-1]] = class.Cases[0].Path
		}
	}
	for _, i := range rules {
		path, isOpen := open[i]
		claimed := false
		for _, x := range c.claims[i] {
			claimed = claimed || x.opens(false, later)
		}
		switch {
		case isOpen && !claimed:
			c.proof.Differences = append(c.proof.Differences, Difference{
				Op: ir.Write, Direction: Permits, Path: path, Missing: true, Rule: i, Line: -1,
			})
		case !isOpen && c.claims.onlyLater(i):
			alone, err := c.opensAny(i, writes)
			if err != nil {
				return err
			}
			if alone {
				continue // a rule before it holds the same
			}
			c.proof.Holes = append(c.proof.Holes, Hole{
				Name: "claim", Line: -1, Note: true, Text: fmt.Sprintf("the report says that %s misses what is made later, but nothing can be made there", c.policy.Files[i].Origin.Address),
			})
		}
	}
	return nil
}

// opensAny reports whether the mounts let anything be made that a rule matches.
func (c *comparison) opensAny(rule int, writes automata.List) (bool, error) {
	r := &c.policy.Files[rule]
	where := automata.And{automata.In{Lang: automata.Clean()}, matchExpr(r.Match, 0, !r.NonDir, itself)}
	res, err := automata.Explore(where, []automata.List{writes}, automata.Options{})
	if err != nil {
		return false, err
	}
	return slices.ContainsFunc(res.Classes, func(x automata.Class) bool { return x.Labels[0] == allowed }), nil
}

// onlyLater reports whether a rule is claimed to miss what comes later, and
// nothing else.
func (cs claims) onlyLater(rule int) bool {
	misses := false
	for _, c := range cs[rule] {
		if c.opens(false, later) && !c.Later || c.Closed != WatchNothing {
			return false
		}
		misses = misses || c.Later
	}
	return misses
}

// writable is where the mounts let the host be written, as a list.
func writable(tree *mounts.Node) automata.List { return usable(tree, ir.Write) }

// usable is where the mounts let something of the host be made and then used, as
// a list.
func usable(tree *mounts.Node, op ir.Op) automata.List {
	out := automata.List{Default: denied}
	label := func(a mounts.Answer) uint8 {
		if a.Write && permits(op, a) && !a.Private && !a.Void {
			return allowed
		}
		return denied
	}
	var add func(n *mounts.Node)
	add = func(n *mounts.Node) {
		for _, k := range n.Children {
			add(k)
		}
		out.Rules = append(out.Rules,
			automata.Rule{When: automata.In{Lang: automata.Literal(n.Path)}, Label: label(n.At)},
			automata.Rule{When: automata.In{Lang: automata.Subtree(n.Path)}, Label: label(n.Beneath)},
		)
	}
	add(tree)
	return out
}
