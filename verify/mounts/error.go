package mounts

import "fmt"

// Error is an argument that bubblewrap would refuse, or that this package does
// not model. Either way nothing may be concluded from the command line.
type Error struct {
	Index  int    // the index in [Sandbox.Args] of the option
	Word   string // the option as written
	Reason string // lower-case, no full stop
}

// Error returns "argument 3 (--bind): ...", counted from 0.
func (e *Error) Error() string {
	return fmt.Sprintf("argument %d (%s): %s", e.Index, e.Word, e.Reason)
}
