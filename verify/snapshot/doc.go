// Package snapshot replaces the globs of a policy by what they match on a host
// at one moment. What is left names literal paths only, as mounts do, so that a
// mount table can be held against it path by path.
//
//	s, err := snapshot.Take(policy, view, snapshot.Options{})
//	s.Policy.Decide(q) // for every path that exists, as the policy itself
//
// It walks the file system on its own and shares nothing with the targets: what
// it finds is held against what they found.
//
// # Stability
//
// The Go types may still change.
package snapshot
