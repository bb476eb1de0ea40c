// Package doctor finds out whether a machine can run sandboxes, and if not, why
// and what to do about it.
//
//	sources := host.LiveSources(os.Getenv)
//	facts, err := host.Probe(ctx, sources)
//	checks := doctor.Run(ctx, facts, doctor.LiveMachine(sources))
//	if !doctor.Usable(checks) {
//		...
//	}
//
// On Linux it really starts bubblewrap, once for each thing that a sandbox
// needs: what a version promises and what a machine allows are two questions.
// The started program is bubblewrap itself, which prints its version. Nothing is
// changed but for a temporary directory that is removed again.
//
// # Stability
//
// The names of checks and the JSON keys stay. Details and remedies may change.
package doctor
