// Package grant finds the smallest grant that would have let a command do what
// it was refused, and the lines of a policy that would.
//
//	grants, closed := grant.For(violations, grant.Options{
//		Policy: p, Target: ir.Linux, Request: hash, Exists: exists,
//		Apply: func(g grant.Grant) (*ir.Policy, error) { return load(g) },
//	})
//	for _, g := range grants { fmt.Println("sbc run", g.Flag(), "...") }
//
// Nothing is granted here; the result is what a person can be asked about. A
// grant is for one path: that of the violation, and the directory above only
// where the name is to be made or removed and the directory cannot be written.
// Each is tried before it is named: the policy with it must permit the operation,
// and must keep everything closed that a deny closes, for every path
// ([verify.GrantsKeepDenies]). What a deny rule or a denying guard closes gets no
// grant and no lines, but the reason.
//
// [Suggest] does the same for the policy's text: roots, exceptions of guards,
// hosts, sockets. What stands in the way in a block of the policy itself, such as
// an ask rule, cannot be lifted by more blocks; the edit is named instead.
//
// Violations that are merely possible give neither.
//
// The package is pure: values in, values out.
//
// # Stability
//
// None yet: the launcher is its only user.
package grant
