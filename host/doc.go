// Package host describes the machine that a policy is resolved and lowered
// against: what exists in its file system ([View]) and what it is and can do
// ([Facts]).
//
// Three views exist: [Live] asks the machine, [Recorded] answers from a record
// (goldens use one, so that they come out the same everywhere), and [Empty]
// knows nothing.
//
// Only the live view and the probes touch the machine.
//
// # Stability
//
// The JSON form of a record is versioned. The Go types may still change.
package host
