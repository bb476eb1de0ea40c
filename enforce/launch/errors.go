package launch

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// ErrSystem is returned by [Run] on every system but Linux.
var ErrSystem = errors.New("bubblewrap runs on Linux only")

// BwrapError reports that bubblewrap could not make the sandbox. The command did
// not run.
type BwrapError struct {
	// Code is bubblewrap's exit status.
	Code int
	// Text is what bubblewrap said, at most MaxText bytes, without the name of
	// the program; empty if it is not known.
	Text string
}

// MaxText is how much of bubblewrap's messages is kept, in bytes.
const MaxText = 4 << 10

func (e *BwrapError) Error() string {
	if e.Text == "" {
		return fmt.Sprintf("bubblewrap cannot make the sandbox (status %d); the command did not run", e.Code)
	}
	return "bubblewrap cannot make the sandbox: " + e.Text + "; the command did not run"
}

// ExecError reports that the sandbox is there, and the command's program cannot
// be loaded in it. errors.Is knows fs.ErrNotExist and fs.ErrPermission.
type ExecError struct {
	Path string
	// Text is the message of the kernel, such as "No such file or directory";
	// empty if it is not known. The same text is given for a missing interpreter
	// or loader.
	Text string
}

func (e *ExecError) Error() string {
	if e.Text == "" {
		return "cannot execute " + e.Path + " in the sandbox"
	}
	return "cannot execute " + e.Path + " in the sandbox: " + e.Text
}

// Is makes the reason known to [errors.Is].
func (e *ExecError) Is(target error) bool {
	switch e.Text {
	case "No such file or directory":
		return target == fs.ErrNotExist
	case "Permission denied":
		return target == fs.ErrPermission
	}
	return false
}

// HoldError reports that something could not be done to the command while it was
// held. It was killed before it ran.
type HoldError struct {
	// What was to be done: "set the limit on open files".
	What string
	Err  error
}

func (e *HoldError) Error() string {
	return "cannot " + e.What + ": " + e.Err.Error() + "; the command did not run"
}

// Unwrap returns the cause.
func (e *HoldError) Unwrap() error { return e.Err }

// TraceError reports that bubblewrap could not be traced, so that the command
// could not be held and the sandbox not tied to the caller.
type TraceError struct{ Err error }

func (e *TraceError) Error() string {
	return "cannot trace bubblewrap: " + e.Err.Error() +
		"; the command did not run. Is ptrace closed here (kernel.yama.ptrace_scope above 1, a seccomp filter), or is this process itself being traced with its children?"
}

// Unwrap returns the cause.
func (e *TraceError) Unwrap() error { return e.Err }

// execError reads bubblewrap's message about a program that cannot be loaded:
// "execvp PATH: REASON".
func execError(path, text string) error {
	if reason, ok := strings.CutPrefix(text, "execvp "+path+": "); ok {
		return &ExecError{Path: path, Text: reason}
	}
	return nil
}

// message is bubblewrap's text without its name and without the newline at the
// end.
func message(text string) string {
	text = strings.TrimRight(text, "\n")
	return strings.TrimPrefix(text, "bwrap: ")
}
