// Package host describes the machine that a policy is resolved and lowered
// against: what exists in its file system ([View]) and what it is and can do
// ([Facts]).
//
//	sources := host.LiveSources(os.Getenv)
//	facts, err := host.Probe(ctx, sources)
//	rec := host.NewRecorder(host.Live{}) // or host.Live{} alone
//	... // ask rec
//	text, err := rec.Record(facts)
//
// Three views exist: [Live] asks the machine, [Recorded] answers from a record
// (goldens use one, so that they come out the same everywhere), and [Empty]
// knows nothing. [Resolve] follows the links of a path in any of them.
//
// Only the files whose names begin with "live" touch the machine; everything
// else takes values or interfaces.
//
// # Stability
//
// The JSON form of a record is versioned. The Go types may still change.
package host
