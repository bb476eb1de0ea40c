package host

import "context"

// Runner starts programs. [Exec] starts real ones.
type Runner interface {
	// Run starts a program and waits until it has ended. It fails if the
	// program could not be started, or did not end before the context did; a
	// program that ends with a status other than zero is no error.
	Run(ctx context.Context, c Command) (Output, error)
}

// Command is a program to start.
type Command struct {
	Path string // absolute
	Args []string
	Env  []string // the whole environment, as NAME=VALUE
	// Files are the contents of the descriptors 3, 4 and so on, each at most
	// 4 KiB.
	Files [][]byte
}

// Output is what a program left behind.
type Output struct {
	Stdout, Stderr []byte // the first 64 KiB of each
	Code           int    // the exit status; 128 and the signal's number if a signal ended it
}
