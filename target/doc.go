// Package target is what all targets share: the [Backend] interface, the
// verdicts and the report, the table of what a target can express, and the
// judgement that turns a report into diagnostics.
//
// A target lives in a folder of its own and never imports a frontend or
// another target.
//
// # Stability
//
// The names of verdicts and features are part of the JSON report, which is
// versioned. The Go types may still change.
package target
