// Package mutation holds tests only, of the checker: they change emitted
// artefacts in small ways, each of which a mistake in a compiler or an editor
// could make, and require that the proof of package verify rejects every one
// that changes a decision. A mutant that is let through must be shown to decide
// everything as the original does.
//
//	go test ./verify/mutation -run TestMutants -v                    # a sample, with the table
//	SBC_MUTANTS=all go test ./verify/mutation -run TestMutants -v    # all of them, as make soak does
//
// Nobody imports it.
//
// # Stability
//
// None.
package mutation
