// Package recheck looks again, just before the start, at everything that a mount
// plan binds or covers: it must be what was found when the plan was made.
// Bubblewrap itself follows symbolic links, and mounts whatever it finds.
package recheck
