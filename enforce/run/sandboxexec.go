package run

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/seatbelt"
)

// sandboxExecArgs is how a command is started on macOS: sandbox-exec by its
// absolute path, so that no other program of the name is found, and the profile
// as an argument, so that no file can change between here and there.
func sandboxExecArgs(p *seatbelt.Profile, argv []string) ([]string, error) {
	text, err := p.Render(target.Text)
	if err != nil {
		return nil, err
	}
	return append([]string{seatbelt.Exec, "-p", string(text), "--"}, argv...), nil
}

// sandboxExec runs a command on macOS. Its process group gets the signals that
// sbc gets, and is killed when the time is over.
func sandboxExec(ctx context.Context, j *Job, a *Approved, io *streams, _ *evidence) (*Result, error) {
	profile, ok := j.Artifact.(*seatbelt.Profile)
	if !ok {
		return nil, refusal("there is no profile")
	}
	args, err := sandboxExecArgs(profile, a.Argv)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(seatbelt.Exec); err != nil {
		return nil, &BackendError{seatbelt.Exec + " is missing, which is part of macOS"}
	}
	cmd := exec.Cmd{
		Path: args[0], Args: args, Dir: a.Dir, Env: append([]string{}, a.Env...), Stdin: io.stdin, Stdout: io.stdout, Stderr: io.stderr,
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true},
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return nil, &BackendError{"cannot start " + seatbelt.Exec + ": " + err.Error()}
	}
	timedOut := watch(ctx, cmd.Process.Pid, j)
	err = cmd.Wait()
	late := timedOut()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	r := &Result{Status: Exited, Exit: cmd.ProcessState.ExitCode(), Wall: time.Since(start), CPU: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}
	if st, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); ok && st.Signaled() {
		r.Status, r.Signal, r.Exit = Signaled, int(st.Signal()), 0
	}
	if late {
		r.Status = TimedOut
	}
	return r, nil
}

// watch passes signals on to a process group and ends it when its time is over:
// first by TERM, then by KILL. The function that it returns ends the watch, kills
// what is left of the group, and reports whether the time was over.
func watch(ctx context.Context, pid int, j *Job) func() bool {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT)
	wall := make(<-chan time.Time)
	if j.Wall > 0 {
		wall = time.After(j.Wall)
	}
	over, done := make(chan bool, 1), make(chan struct{})
	go func() {
		late := false
		var kill <-chan time.Time
		cancelled := ctx.Done()
		for {
			select {
			case s := <-signals:
				if sig, ok := s.(syscall.Signal); ok {
					_ = syscall.Kill(-pid, sig)
				}
				continue
			case <-kill:
				_ = syscall.Kill(-pid, syscall.SIGKILL)
				continue
			case <-wall:
				late = true
			case <-cancelled:
				cancelled = nil
			case <-done:
				over <- late
				return
			}
			_ = syscall.Kill(-pid, syscall.SIGTERM)
			kill = time.After(j.Grace)
		}
	}()
	return func() bool {
		signal.Stop(signals)
		_ = syscall.Kill(-pid, syscall.SIGKILL)
		close(done)
		return <-over
	}
}
