package placeholder

import "time"

// Options say where runs leave their records. All runs of a user must name the
// same directory.
type Options struct {
	// State is an absolute path, such as ~/.local/state/sbc/placeholders. It is
	// made, for the user alone, when the first placeholder is needed.
	State string
	// Wait is how long to wait for others to be done with a path; 0 means two
	// seconds. Others need a path for themselves only for moments.
	Wait time.Duration
}

const defaultWait = 2 * time.Second

func (o Options) wait() time.Duration {
	if o.Wait > 0 {
		return o.Wait
	}
	return defaultWait
}

// Left is something that could not be removed, or was not as it should be.
type Left struct {
	Path string
	// Why is what is wrong and what to do about it, in one sentence.
	Why string
	// Open is set if the path may have been open while a command ran: the
	// placeholder was removed or replaced by another program.
	Open bool
}

// Error is a path that cannot be kept free.
type Error struct {
	Path string
	// Why is what is wrong and what to do about it, in one sentence.
	Why string
	Err error // the cause, or nil
}

// Error implements error.
func (e *Error) Error() string {
	s := e.Path + ": " + e.Why
	if e.Err != nil {
		s += " (" + e.Err.Error() + ")"
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
