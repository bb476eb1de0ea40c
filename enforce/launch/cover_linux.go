package launch

import (
	"errors"

	"golang.org/x/sys/unix"

	"github.com/sandboxc/sbc/enforce/cover"
	"github.com/sandboxc/sbc/target/bwrap"
)

// inTwoSteps tells bubblewrap what the helper leaves of the plan.
func (s *Spec) inTwoSteps() *Spec {
	out := *s
	out.Artifact = &bwrap.Artifact{Plan: s.Cover.Plan, Seccomp: s.Artifact.Seccomp, Arch: s.Artifact.Arch, Bwrap: s.Artifact.Bwrap}
	return &out
}

// inOneStep tells bubblewrap all of it.
func (s *Spec) inOneStep() *Spec {
	out := *s
	out.Cover = nil
	return &out
}

// prepareHelper adds what the stage and the helper read and answer on, behind all
// that bubblewrap gets.
func (t *tree) prepareHelper(in *inputs) error {
	s := t.spec
	if s.Cover == nil {
		return nil
	}
	order, err := s.Cover.Order(s.Bwrap, s.argv(), s.Env)
	if err != nil {
		return err
	}
	fd, err := sealed("sbc", order)
	if err != nil {
		return err
	}
	in.own = append(in.own, fd)
	helper, socket, err := cover.New()
	if err != nil {
		return err
	}
	t.helper = helper
	in.files = append(in.files, uintptr(fd), uintptr(socket))
	return nil
}

// passStage lets the stage start its helper until it is bubblewrap. It has threads
// that are nobody's business, so new processes are not followed before.
func (t *tree) passStage() (unix.WaitStatus, error) {
	pid := t.bwrap.pid
	if err := follow(pid, unix.PTRACE_O_EXITKILL|unix.PTRACE_O_TRACEEXEC); err != nil {
		return 0, &TraceError{err}
	}
	if err := run(pid, 0); err != nil {
		return 0, err
	}
	status, err := until(pid, unix.PTRACE_EVENT_EXEC)
	if err != nil || status.Signaled() {
		return status, err
	}
	return status, t.helper.Started()
}

// nested is the error of a sandbox that could not be made. Bubblewrap may have
// failed for the helper's sake, as where user namespaces may not be nested; nobody
// has seen a command yet, so that it can be tried without one.
func (t *tree) nested(err error) error {
	var failed *BwrapError
	if t.helper != nil && errors.As(err, &failed) && failed.Text == "" {
		return &cover.RefusedError{Text: failed.Error()}
	}
	return err
}
