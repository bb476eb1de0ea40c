// Package document is the policy document: one schema for both syntaxes, the
// values and functions that expressions may use, and the decoding of a parsed
// file to blocks and attributes of exact types, each with its range.
//
// Packages frontend/hcl and frontend/json parse text; this package evaluates
// what they parsed; package frontend gives it a meaning. Nobody else should
// import it.
//
// # Stability
//
// The schema is the language and only grows within one version. The Go types
// may change.
package document
