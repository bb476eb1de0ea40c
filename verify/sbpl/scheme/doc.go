// Package scheme evaluates the Scheme that macOS sandbox profiles are written
// in: definitions, functions, macros, lists and strings. What makes a profile
// of it (rules, operations, filters) is given by the caller, as names with
// values.
//
//	in := scheme.New(func(name scheme.Symbol) (scheme.Value, bool) { ... })
//	for _, n := range nodes {
//		if _, err := in.Eval(scheme.FromSyntax(n), n.Start(), nil); err != nil {
//			return err // a *syntax.Error with the place
//		}
//	}
//
// It is the part of TinyScheme that profiles use, not all of it: there are no
// continuations, ports, reals, or operations that change a list or a string.
// What is missing is an unbound variable, never a wrong value.
//
// An evaluation is bounded in steps, depth and memory, so that a hostile
// profile ends in an error.
//
// # Who should not use it
//
// Who wants to know what a profile decides reads it with verify/sbpl.
//
// # Stability
//
// None yet.
package scheme
