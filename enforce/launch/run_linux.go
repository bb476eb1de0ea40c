package launch

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sandboxc/sbc/enforce/cover"
)

// Run runs the command and returns when nothing of the sandbox is left. While it
// runs, the signals INT, TERM, HUP and QUIT that this process gets go to the
// command instead, unless they were ignored before; TSTP, CONT and WINCH do what
// they do to a shell's job. The end of ctx ends the command as the wall time
// does: TERM, and KILL after the grace.
//
// The process becomes the reaper of its descendants (PR_SET_CHILD_SUBREAPER in
// prctl(2)), and what it inherited open is closed in all children from now on.
func Run(ctx context.Context, spec *Spec) (*Result, error) {
	if err := errors.Join(spec.check(), ctx.Err()); err != nil {
		return nil, err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if spec.Cover == nil {
		return attempt(ctx, spec)
	}
	res, err := attempt(ctx, spec.inTwoSteps())
	if refused := (*cover.RefusedError)(nil); errors.As(err, &refused) {
		return attempt(ctx, spec.inOneStep())
	}
	return res, err
}

// attempt is Run, once.
func attempt(ctx context.Context, spec *Spec) (*Result, error) {
	t := &tree{spec: spec}
	if spec.Terminal != nil {
		var err error
		if t.terminal, err = newTerminal(spec.Terminal); err != nil {
			return nil, err
		}
	}
	defer t.close()
	if err := t.start(); err != nil {
		t.destroy()
		return nil, t.explain(err)
	}
	go t.control.run(ctx)
	t.end()
	t.control.close()
	if !t.report.ran() {
		t.reap()
		return nil, t.explain(t.failed(t.status))
	}
	return t.result(), nil
}

// destroy ends a sandbox in whatever state it is, and waits until nothing is left.
func (t *tree) destroy() {
	t.control.close()
	for _, p := range []process{t.command, t.init, t.bwrap} {
		p.signal(unix.SIGKILL)
	}
	killTraced()
	t.end()
	t.reap()
}

// end waits for the end of bwrap, which passes on the end of the command.
func (t *tree) end() {
	for t.bwrap.known() && !t.reaped {
		status, err := wait(t.bwrap.pid, &t.usage)
		switch {
		case err != nil:
			t.reaped = true
		case ended(status):
			t.status, t.reaped = status, true
			t.usage.Maxrss = 0 // this process's own, which bwrap was a copy of
		default:
			t.terminal.stopped(t.bwrap, status)
		}
	}
}

func (t *tree) close() {
	t.terminal.take()
	t.helper.Close()
	t.names.Close()
	t.report.close()
	t.command.close()
	t.init.close()
	t.bwrap.close()
}

// result is what became of a command that ran.
func (t *tree) result() *Result {
	t.elapsed = time.Since(t.began)
	res := &Result{TimedOut: t.control.timedOut, Killed: t.control.killed}
	t.reap()
	res.Usage = t.used()
	res.Refused, res.Lost = t.names.Records(), t.names.Lost()
	if status, ok := t.command.exit(); ok {
		res.Code, res.Certain = status.ExitStatus(), true
		if status.Signaled() {
			res.Signal = int(status.Signal())
			res.Code = 128 + res.Signal
		}
		return res
	}
	res.Code = t.status.ExitStatus()
	if t.status.Signaled() {
		res.Code, res.Killed = 128+int(t.status.Signal()), true
	}
	res.Signal = signalled(res.Code)
	return res
}

// reap ends init, which the end of bwrap has left to this process, and waits for
// it: the kernel keeps it until everything in its namespace is gone. If bwrap has
// waited for it before, bwrap has its usage.
func (t *tree) reap() {
	t.init.signal(unix.SIGKILL)
	var usage unix.Rusage
	if t.init.known() && waitEnd(t.init.pid, &usage) == nil {
		t.usage = add(t.usage, usage)
	}
}

// explain finds out what bubblewrap said. Its messages went to the command's own
// stderr, which may be a terminal and cannot be read again, so the same sandbox
// is made once more, with a pipe there, and never runs the command.
func (t *tree) explain(cause error) error {
	if errors.Is(cause, errKilled) {
		return &BwrapError{Code: 128 + int(unix.SIGKILL), Text: errKilled.Error()}
	}
	var failed *BwrapError
	if t.dry || !errors.As(cause, &failed) || failed.Text != "" {
		return cause
	}
	text, err := t.spec.ask()
	if err != nil {
		return cause
	}
	failed.Text = message(text)
	if err := execError(t.spec.Command[0], failed.Text); err != nil {
		return err
	}
	return failed
}

// ask makes the sandbox without running the command, and returns what bubblewrap
// says.
func (s *Spec) ask() (string, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return "", err
	}
	defer func() { _ = r.Close() }()
	dry := *s
	dry.Stdin, dry.Stdout, dry.Stderr = nil, nil, w
	dry.Terminal, dry.Held, dry.Group, dry.Attach, dry.Supervise = nil, nil, nil, false, nil
	t := &tree{spec: &dry, dry: true}
	err = t.start()
	t.destroy()
	t.close()
	_ = w.Close()
	if errors.Is(err, errDry) {
		return "", err
	}
	text, err := io.ReadAll(io.LimitReader(r, MaxText))
	return string(text), err
}
