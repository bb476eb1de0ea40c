// Package verify holds an artefact against the policy that it was made from,
// for every path. The artefact is read back from its text by readers that share
// nothing with the code that wrote it, and is compared with the policy's own
// meaning, [ir.Policy.Decide].
//
//	proof, err := verify.Mounts(policy, verify.MountsInput{Args: args, View: view, Claims: claims})
//	if err != nil {
//		return err // it cannot be read, or a bound was met: nothing is known
//	}
//	for _, d := range proof.Undeclared() {
//		... // a path on which the two differ although no claim says so
//	}
//
// A claim is what a report says of a rule: that it comes out narrower or wider
// than written. A difference that a claim covers is declared; all others are
// errors of the compiler or of this package.
//
// [Diff] compares two policies in the same way, [Tester] runs the tests of one, and
// [GrantsKeepDenies] and [OpensNothing] prove what a session's grants and narrow
// layers promise.
//
// # Stability
//
// The Go types may still change.
package verify
