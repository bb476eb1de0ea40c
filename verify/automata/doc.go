// Package automata compares decision lists over all strings at once. A list is
// rules in order, the first one that matches a path answers with its label; what
// a rule matches is a regular set of byte strings, or sets joined by and, or and
// not. [Explore] walks any number of lists side by side and returns every
// combination of answers that some path gets, each with a shortest such path.
//
//	policy := automata.List{Rules: []automata.Rule{
//		{When: automata.In{Lang: automata.Glob(env, glob.Exact, true)}, Label: deny},
//		{When: automata.In{Lang: automata.Subtree("/w")}, Label: allow},
//	}, Default: deny}
//	res, err := automata.Explore(automata.In{Lang: automata.Clean()}, []automata.List{policy, artefact}, automata.Options{})
//	if err != nil {
//		return err // a *automata.BudgetError: undecided, never a wrong answer
//	}
//	for _, c := range res.Classes {
//		if c.Labels[0] != c.Labels[1] {
//			... c.Cases[0].Path is a shortest path on which they differ
//		}
//	}
//
// [Compile] makes a table of one list, for deciding path after path.
//
// # How it works
//
// All sets become one nondeterministic automaton, a trie in which equal
// beginnings and equal ends are shared, over classes of bytes that no set tells
// apart. It is made deterministic step by step, for all lists together. In each
// state a rule is certain to match, certain not to match, or pending. A list
// forgets the rules that can no longer matter, the automaton the sets that no
// remaining rule asks about, and where no list has a pending rule the walk
// ends. So the number of states follows what the lists still disagree on, not
// the product of their sizes. Every path that is returned has been decided a
// second time, by matching it rule by rule without any automaton.
//
// # Who should not use it
//
// To decide one path of one policy, ir.Decide is the meaning and costs nothing
// to prepare.
//
// # Stability
//
// None yet.
package automata
