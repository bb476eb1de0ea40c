// Package ir is the typed policy and its meaning. Everything in sbc is held
// against this package: the frontends produce a [Policy], the targets lower
// it, the verifier compares what they emitted with [Policy.Decide].
//
// The file system part of a policy is a decision list: for an operation on an
// absolute path the list is read from the top, and the first rule that matches
// and whose effect is not [Pass] answers. Nothing matched is [Deny].
//
//	d := p.Decide(ir.Query{Target: "linux", Op: ir.Read, Path: "/etc/hosts"})
//	if d.Effect != ir.Allow {
//		// closed: d.Rule is the index of the deciding rule, or -1
//	}
//
// A policy has three forms beside its Go value. [Encode] and [Decode] are the
// JSON form: lossless, strict, described by [Schema]. [Policy.Text] is for
// reading and for goldens: one rule, one line. [Hash] is the name of what it
// means, whatever comments its files hold. [Validate] checks every invariant.
//
// A policy is made by package frontend. Build one by hand only in tests.
// The package does no input or output and imports nothing of sbc but its own
// subpackages.
//
// # Stability
//
// The JSON form is versioned. The Go types may still change.
package ir
