package kernel

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/sandboxc/sbc/verify/conformance"
)

// ready is the line by which a command says that it waits.
const ready = "READY\n"

// mostOutput is how much is kept of what a command prints.
const mostOutput = 1 << 20

// meanwhile is what happens on the host while a command waits.
type meanwhile struct{ do func() []string }

// command is a command that is to be run.
type command struct {
	run     *conformance.Run
	policy  *conformance.Policy // nil: without a sandbox
	line    string
	inherit []conformance.Text
}

// run runs one command under a policy, or without a sandbox, and returns what
// came of it, and what went wrong with the asking.
func (w *world) run(ctx context.Context, name string, c command, m *meanwhile) (conformance.Outcome, []string) {
	r, p := c.run, c.policy
	timeout := w.options.Timeout
	if timeout == 0 {
		timeout = 3 * time.Minute
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	rec := Record{Name: name, Dir: w.in("W/p"), Line: w.in(c.line)}
	if r.Cwd != "" {
		rec.Dir = w.in(string(r.Cwd))
	}
	out, errs := &output{ready: make(chan struct{})}, &output{}
	job := Job{
		Policy: filepath.Join(w.dir, "policy-"+strings.ReplaceAll(name, " ", "-")+".hcl"), Workspace: w.in("W/p"),
		Dir: rec.Dir, Line: rec.Line, Env: w.environ(), Stdin: strings.NewReader(r.Stdin), Stdout: out, Stderr: errs,
	}
	if p != nil {
		rec.Policy = p.HCL(w.dir)
		if !p.Missing {
			if err := os.WriteFile(job.Policy, []byte(rec.Policy), 0o600); err != nil {
				return rec.Outcome, []string{err.Error()}
			}
		}
	}
	for _, name := range c.inherit {
		f, err := os.Open(w.path(name))
		if err != nil {
			return rec.Outcome, []string{err.Error()}
		}
		defer f.Close() //nolint:errcheck // it was only read
		job.Files = append(job.Files, f)
	}
	var problems []string
	finish := func() {}
	if m != nil {
		in, answer, err := os.Pipe()
		if err != nil {
			return rec.Outcome, []string{err.Error()}
		}
		job.Stdin = in
		ended := make(chan struct{})
		var wg sync.WaitGroup
		wg.Go(func() {
			defer answer.Close() //nolint:errcheck // the other end may be gone
			select {
			case <-out.ready:
				problems = m.do()
				_, _ = io.WriteString(answer, "go on\n") // the command may have ended
			case <-ended:
				problems = []string{"the command did not wait"}
			}
		})
		finish = func() {
			close(ended)
			wg.Wait()
			_ = in.Close()
		}
	}
	runner := w.options.Runner
	if p == nil {
		runner = Bare
	}
	exit, err := runner(ctx, job)
	finish()
	o := conformance.Outcome{Exit: exit, Stdout: conformance.Text(out.String()), Stderr: conformance.Text(errs.String()), Timeout: ctx.Err() != nil}
	rec.Outcome = o
	w.record(rec)
	if err != nil && !o.Timeout {
		problems = append(problems, fmt.Sprintf("cannot run it: %v", err))
	}
	return o, problems
}

// Bare is the Runner without a sandbox.
func Bare(ctx context.Context, j Job) (int, error) {
	return Start(ctx, j, "bash", "-c", j.Line)
}

// Start starts a program for a job, waits for it, and returns its exit status.
// When ctx is done it kills the program's process group.
func Start(ctx context.Context, j Job, name string, args ...string) (int, error) {
	cmd := exec.CommandContext(ctx, name, args...) //nolint:gosec // G204: the line of a case is what is to be run
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = j.Dir, j.Env, j.Stdin, j.Stdout, j.Stderr
	cmd.ExtraFiles = j.Files
	group(cmd)
	cmd.WaitDelay = 2 * time.Second
	err := cmd.Run()
	var exit *exec.ExitError
	switch {
	case err == nil, errors.As(err, &exit), errors.Is(err, exec.ErrWaitDelay):
		return cmd.ProcessState.ExitCode(), nil
	default:
		return -1, err
	}
}

// output keeps what a command prints, and tells when it says that it waits.
type output struct {
	mu    sync.Mutex
	text  bytes.Buffer
	ready chan struct{}
	said  bool
}

// Write implements io.Writer.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if room := mostOutput - o.text.Len(); room > 0 {
		o.text.Write(p[:min(room, len(p))])
	}
	if o.ready != nil && !o.said && bytes.Contains(o.text.Bytes(), []byte(ready)) {
		o.said = true
		close(o.ready)
	}
	return len(p), nil
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}
