package kernel

import (
	"context"
	"io"
	"os"
)

// Job is one command that a Runner runs.
type Job struct {
	Policy    string // the file of the policy, which may be missing
	Workspace string
	Dir       string // where the command starts
	Line      string // what bash -c gets
	Env       []string
	Files     []*os.File // the descriptors from 3 on
	Stdin     io.Reader
	Stdout    io.Writer
	Stderr    io.Writer // also for what is said about the policy
}

// A Runner runs a command in the sandbox of a policy until it ends, and returns
// its exit status, or that of whatever refused to run it. When ctx is done it
// ends the command with all that it has started. An error means that the question
// could not be put at all.
type Runner func(ctx context.Context, j Job) (exit int, err error)
