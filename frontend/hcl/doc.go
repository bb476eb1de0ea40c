// Package hcl parses a policy in HCL syntax. It refuses what is nested or
// chained too deep before parsing, and a key that stands twice in an object,
// which HCL itself would let the last one win.
//
// Only package frontend imports it, as hclfront.
//
// # Stability
//
// Internal to sbc.
package hcl
