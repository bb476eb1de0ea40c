// Package names answers what a policy says about names, again and again and
// quickly: for a supervisor that is asked about each name before it comes into
// being.
//
//	n := names.New(func() (*ir.Policy, error) { return policy, nil })
//	n.Decide(ir.Write, "/w/.env", false) // false: closed
//	n.Carries("/w/x", "/w/.git")         // true: x/hooks would become .git/hooks
//
// The meaning is that of [ir.Policy.Decide] on Linux; a property test holds one
// against the other. All matches of the policy are walked at once, name by name,
// as a [glob.Set], whose states are made when they are first met: what a
// directory has led to once costs one lookup for each name from then on.
//
// # Stability
//
// Internal.
package names
