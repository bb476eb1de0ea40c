// Package irtest draws random policies and paths for tests of laws, and holds
// one policy in which nothing is left out.
//
//	rapid.Check(t, func(t *rapid.T) {
//		p := irtest.Policies().Draw(t, "policy")
//		path := irtest.Paths(p).Draw(t, "path")
//		...
//	})
//
// Names come from a small alphabet, so that rules, exceptions and paths meet
// often, and hold what is easily got wrong: letters of both cases, characters
// with two normal forms, bytes that are not UTF-8, spaces, quotes and glob
// characters. Everything drawn passes ir.Validate.
//
// Only tests import it.
//
// # Stability
//
// What is drawn may change at any time.
package irtest
