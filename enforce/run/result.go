package run

import (
	"time"

	"github.com/sandboxc/sbc/enforce/capture"
	"github.com/sandboxc/sbc/enforce/classify"
	"github.com/sandboxc/sbc/enforce/limits"
	"github.com/sandboxc/sbc/enforce/placeholder"
	"github.com/sandboxc/sbc/enforce/request"
	"github.com/sandboxc/sbc/enforce/sweep"
	"github.com/sandboxc/sbc/enforce/trace"
)

// Status is how a run ended.
type Status string

// The statuses.
const (
	Exited        Status = "exited"         // the command ended by itself
	Signaled      Status = "signaled"       // a signal ended it
	TimedOut      Status = "timeout"        // it took longer than limits.wall
	Refused       Status = "refused"        // sbc did not start it
	NotExecutable Status = "not-executable" // it cannot be executed inside
	NotFound      Status = "not-found"      // it is not there inside
)

// StatusTimeout is what sbc run exits with after a timeout, as timeout(1) does.
const StatusTimeout = 124

// signalBase is added to the number of the signal that ended a command.
const signalBase = 128

// Result is what came of a run.
type Result struct {
	Status Status
	// Exit is the command's own exit status if Status is Exited.
	Exit int
	// Signal is the number of the signal if Status is Signaled.
	Signal int
	// Err says why nothing was started, or is nil.
	Err *request.Error

	Stdout, Stderr capture.Output // if they were captured
	// Limits says how each limit was kept, and Hit which of them, by name,
	// stopped something as far as that shows.
	Limits []limits.Enforced
	Hit    []string
	// Violations are what the command ran into, the strongest evidence first, and
	// Lost what a trace could not record.
	Violations []classify.Violation
	Lost       trace.Lost
	// Late is what appeared during the run although a rule closes it, and Bound
	// says which bound the search for it met, or is empty.
	Late  []sweep.LateMatch
	Bound string
	// Left is what could not be cleaned up.
	Left []placeholder.Left
	// Wall, CPU and MaxRSS (bytes) are the command's, with its children's as far
	// as the kernel tells.
	Wall, CPU time.Duration
	MaxRSS    int64
}

// Code is what sbc run exits with.
func (r *Result) Code() int {
	switch r.Status {
	case Exited:
		return r.Exit
	case Signaled:
		return signalBase + r.Signal
	case TimedOut:
		return StatusTimeout
	case Refused:
		return request.StatusRefused
	case NotExecutable:
		return request.StatusNotExecutable
	case NotFound:
		return request.StatusNotFound
	}
	return request.StatusRefused
}

// left adds what could not be cleaned up. Nothing is asked of a run that did not
// take place.
func (r *Result) left(list ...placeholder.Left) {
	if r != nil {
		r.Left = append(r.Left, list...)
	}
}

// failed adds a clean-up that failed. The command has run all the same, so it is
// no error of the run.
func (r *Result) failed(what string, err error) {
	if r != nil && err != nil {
		r.Left = append(r.Left, placeholder.Left{Path: what, Why: err.Error()})
	}
}
