package launch

import (
	"time"

	"github.com/sandboxc/sbc/enforce/trace"
)

// Result is what became of a command that ran.
type Result struct {
	// Code is the exit status from 0 to 255, or 128+n after the signal n, as
	// shells say it.
	Code int
	// Signal is the number of the signal that ended the command; 0 if it exited.
	Signal int
	// Certain reports that the kernel itself told Code and Signal apart
	// (PIDFD_GET_INFO, Linux 6.15). If it is false, they come from bubblewrap,
	// which says 128+n for both: then a status from 129 to 192 counts as a
	// signal, though the command may have exited with it.
	Certain bool
	// TimedOut reports that Spec.Wall had passed.
	TimedOut bool
	// Killed reports that the command did not end in time when it was told to,
	// or that the sandbox was killed from outside.
	Killed bool
	// Usage is what the command used.
	Usage Usage
	// Refused is what a supervisor refused, and Lost what of it was not kept.
	Refused []trace.Record
	Lost    trace.Lost
}

// Usage is what a command used, with all its children that had ended before it
// or were still there when it ended.
type Usage struct {
	// Wall is the time from the start of the command's program to its end.
	Wall time.Duration
	// CPU is processor time, in programs and in the kernel.
	CPU time.Duration
	// MaxRSS is the largest resident set of any one process, in bytes;
	// bubblewrap's own, some 2 MiB, is the least. It is 0 if it is not known,
	// since the sandbox was killed as a whole.
	MaxRSS int64
}

// signalled splits a status of bubblewrap, as far as it can be split.
func signalled(code int) int {
	const lastSignal = 64
	if code > 128 && code <= 128+lastSignal {
		return code - 128
	}
	return 0
}
