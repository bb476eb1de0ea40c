package glob

import "fmt"

// Error says why a pattern cannot be parsed.
type Error struct {
	// Pattern is the text that was parsed.
	Pattern string
	// Offset is the 0-based byte of Pattern where the problem is; it is the
	// length of Pattern if something is missing at the end.
	Offset int
	// Msg is the problem, lower-case and without a full stop.
	Msg string
	// Help is what to do about it; may be empty.
	Help string
}

// Error returns the pattern, the position and the problem in one line.
func (e *Error) Error() string {
	s := fmt.Sprintf("glob %q, byte %d: %s", e.Pattern, e.Offset, e.Msg)
	if e.Help != "" {
		s += " (" + e.Help + ")"
	}
	return s
}
