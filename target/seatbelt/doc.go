// Package seatbelt compiles a policy to a profile in Apple's Sandbox Profile
// Language, for /usr/bin/sandbox-exec on macOS.
//
//	artifact, report := seatbelt.Backend{}.Lower(policy, view, target.Options{})
//	text, err := artifact.Render(target.Text)
//
// # How a profile decides
//
// The system looks at the rules with filters of the operation that is asked
// for, newest first; then at the operation's last rule without filters; then at
// the operation it falls back to, file-write-data to file-write* to file* to
// default. So the decision list is written in reverse, weakest rule first, and
// always for the same operations; a rule for a leaf operation such as
// file-write-unlink beats every rule for its wildcard and is used where that is
// wanted: for pins, and for what only the floor opens.
//
//	read    file-read* process-exec* file-clone
//	write   file-write* file-link, and network-bind network-inbound for sockets
//	unlink  file-write-unlink
//
// # Case
//
// The policy's closings match either case and both normal forms, its openings
// match exactly. A closing only has to fold what lies below the openings that
// it could meet, so that most patterns stay readable; a closing that meets no
// opening is left to (deny default).
//
// What the package relies on without proof is in [Assumptions], what the system
// can express in [Table], what programs need besides files in [Floor].
//
// # Who should not use it
//
// Package verify reads profiles with its own code, on purpose.
//
// # Stability
//
// The text of a profile may change between versions; its meaning may not.
package seatbelt
