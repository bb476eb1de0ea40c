// Package json parses a policy in JSON syntax: the same document, in HCL's JSON
// syntax, so that every range is known. Two things differ from plain JSON: a
// key "//" is a comment, and a string may be a template, except in rules. It
// refuses keys that stand twice, which HCL would merge in silence.
//
// Only package frontend imports it, as jsonfront.
//
// # Stability
//
// Internal to sbc.
package json
