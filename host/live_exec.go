package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// Exec starts real programs, without standard input and in the root directory.
type Exec struct{}

const (
	outputLimit = 64 << 10 // bytes that are kept of each output
	fileLimit   = 4 << 10  // bytes that a pipe holds whatever the user's limits are (pipe(7))
)

// Run implements [Runner]. What the program leaves running when it ends, or is
// killed because the context ends, may write for a second more.
func (Exec) Run(ctx context.Context, c Command) (Output, error) {
	var stdout, stderr head
	cmd := exec.CommandContext(ctx, c.Path, c.Args...) //nolint:gosec // G204: starting what it is told to is its purpose
	cmd.Dir = "/"
	cmd.Env = append([]string{}, c.Env...) // not nil, which would mean our own
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.WaitDelay = time.Second
	for _, content := range c.Files {
		f, err := filled(content)
		if err != nil {
			return Output{}, err
		}
		defer func() { _ = f.Close() }() // the reading end of a pipe
		cmd.ExtraFiles = append(cmd.ExtraFiles, f)
	}
	err := cmd.Run()
	out := Output{Stdout: stdout.bytes(), Stderr: stderr.bytes()}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return out, fmt.Errorf("%s did not end in time: %w", c.Path, ctx.Err())
	case errors.As(err, &exit):
		out.Code = exit.ExitCode()
		if status, ok := exit.Sys().(syscall.WaitStatus); ok && status.Signaled() {
			out.Code = 128 + int(status.Signal())
		}
		return out, nil
	case errors.Is(err, exec.ErrWaitDelay):
		return out, nil // it ended; something of it still holds the output
	}
	return out, err
}

// filled returns the reading end of a pipe that holds the content.
func filled(content []byte) (*os.File, error) {
	if len(content) > fileLimit {
		return nil, fmt.Errorf("a file of %d bytes is too large for a pipe", len(content))
	}
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	_, err = w.Write(content)
	if err = errors.Join(err, w.Close()); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// head keeps the beginning of what is written to it.
type head struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (h *head) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.buf.Write(p[:min(len(p), outputLimit-h.buf.Len())])
	return len(p), nil
}

func (h *head) bytes() []byte {
	h.mu.Lock()
	defer h.mu.Unlock()
	return bytes.Clone(h.buf.Bytes())
}
