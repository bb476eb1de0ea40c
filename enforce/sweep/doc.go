// Package sweep finds, after a run, what appeared during it although the policy
// closes it: mounts hold what exists at the start, and a name that a glob or a
// guard closes may be made later.
//
//	before := sweep.Look(sweep.Options{Decider: d, Writable: plan.Writable, View: view})
//	... the command runs ...
//	result := sweep.After(before, sweep.AfterOptions{Quarantine: true, Dir: dir, Run: id})
//
// What a rule marks as code that would run later is moved aside, into a directory
// of its own with a note that says how to put it back. The rest is named.
//
// # New and old
//
// What matched before the start is remembered by path, device and inode. A match
// at another path is new, unless it is one of those, moved. One at the same path
// is old, also if its content changed; if it is another file now in the same
// directory, a program outside of the sandbox replaced it, since inside it is a
// mount point: that is named and not moved.
//
// What belongs to another user was not made by the command. What this user makes
// outside of the sandbox meanwhile cannot be told from it.
//
// # Limits
//
// A walk has bounds, and the result says if one was met. Within a directory that
// was closed as a whole at the start nothing is looked for: its mount holds it.
// A link on the way to a closed name is seen for names without wildcards only.
//
// # Stability
//
// Internal. Linux only; elsewhere nothing is found.
package sweep
