package run

import (
	"context"
	"errors"
	"fmt"

	"github.com/sandboxc/sbc/enforce/request"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
	"github.com/sandboxc/sbc/target/seatbelt"
)

// BackendError reports that the program that confines commands is missing, or
// cannot do it on this machine. Nothing was started.
type BackendError struct{ Text string }

// Error implements error.
func (e *BackendError) Error() string { return e.Text }

// Usable reports whether there is a program to confine the command, as far as
// that shows without starting it, and whether the command could have replaced it
// in an earlier run.
func Usable(a target.Artifact) error {
	b, ok := a.(*bwrap.Artifact)
	switch {
	case !ok:
		return nil
	case b.Bwrap == "":
		return &BackendError{"bubblewrap (bwrap) is not installed, or not on PATH"}
	}
	for _, path := range []string{b.Bwrap, resolve(b.Bwrap)} {
		for _, dir := range b.Plan.Writable {
			if ir.Beneath(path, dir) && b.Plan.Storage(dir) == "" {
				return &request.Error{
					Status: request.StatusRefused, Text: fmt.Sprintf("the command may write %q, and so replace %q, which confines it", dir, path),
					Hint: "use a bubblewrap from a directory that the policy does not open, by PATH",
				}
			}
		}
	}
	return nil
}

// Refuse is the result of a request that cannot be carried out.
func Refuse(err *request.Error) *Result {
	r := &Result{Status: Refused, Err: err}
	switch err.Status {
	case request.StatusNotExecutable:
		r.Status = NotExecutable
	case request.StatusNotFound:
		r.Status = NotFound
	}
	return r
}

// Run runs what was approved. The end of ctx ends the command as the wall time
// does. An error means that the command did not run, and is a [*recheck.ChangedError] or
// what went wrong on this machine; a command that could not be executed inside
// is a result.
func Run(ctx context.Context, j *Job, a *Approved) (*Result, error) {
	var start func(context.Context, *Job, *Approved, *streams, *evidence) (*Result, error)
	var seen *evidence
	switch art := j.Artifact.(type) {
	case *bwrap.Artifact:
		start, seen = bubblewrap, gather(j, ir.Linux, &art.Plan)
	case *seatbelt.Profile:
		start, seen = sandboxExec, gather(j, ir.Darwin, nil)
	default:
		return nil, fmt.Errorf("nothing is known of an artefact of type %T", j.Artifact)
	}
	io, err := openStreams(j)
	if err != nil {
		return nil, err
	}
	res, err := start(ctx, j, a, io, seen)
	res.failed("the output", io.close(res))
	var refused *request.Error
	switch {
	case errors.As(err, &refused):
		return Refuse(refused), nil
	case err == nil:
		seen.judge(res, a.Dir)
	}
	return res, err
}
