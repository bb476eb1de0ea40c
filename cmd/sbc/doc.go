// Command sbc compiles one sandbox policy for macOS Seatbelt and for Linux
// bubblewrap, and names every rule that a system cannot keep.
//
//	sbc init -o policy.hcl
//	sbc explain policy.hcl
//	sbc compile policy.hcl --target linux --format sh -o sandboxed
//
// What a verb prints on stdout is its product; everything else goes to stderr.
// The exit status is 0 if all is well, 1 if the answer is no (a loss that nobody
// accepted, a difference, a host that cannot do it), 2 if the question could not
// be put (a bad flag, a bad policy), and 3 for an error in sbc itself. The format
// of the output does not change it.
//
// The package holds flags, files, colour and exit statuses, one file a verb. What
// a policy means is not decided here.
//
// # Stability
//
// Verbs, flags, exit statuses and the machine-readable formats are kept; the text
// for people may change.
package main
