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
// Walks over the same sets share a [Cache]. It also writes sets as unions of
// pieces, by [Cache.Form] and [Bounds.Form]: sets that are made of the same pieces
// are equal, and no walk has to show that.
//
// A set of patterns less an exception that can match anywhere costs a bit of
// memory in every state: a few different exceptions are fine, twenty are not.
//
// # How it works
//
// Every set is a union of sequences of elements, mostly single bytes. All sets
// become one nondeterministic automaton over classes of bytes: a trie of their
// sequences in which equal beginnings are shared, and equal ends as well. Neighbouring
// rules with the same label are one rule, so that most sets lose their names.
//
// A path is walked segment by segment. What names a place tells apart does not
// depend on the lists, and is worked out once for all places that wait for the
// same names; parts of the automaton that go on in the same way whatever the
// name is, such as "**", stay out of that.
//
// From segment to segment all lists are made deterministic together, as far as
// some path needs it. What is certain of a rule is taken out of its expression.
// A list forgets the rules that can no longer matter, the automaton the sets
// that no remaining rule asks about, and where every list is certain of its
// label the walk ends. So the number of states follows what the lists still
// disagree on, not the product of their sizes.
//
// Every path that is returned has been decided a second time, by matching it
// rule by rule without any automaton.
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
