// Package prove holds what a target emitted against the policy, by package
// verify. It stands between the two, which do not know each other: it turns the
// target's report into claims, and its artefact into the text that is read
// back.
//
//	proof, err := prove.Lowered(policy, artifact, report, view, options)
//
// # Stability
//
// Internal.
package prove
