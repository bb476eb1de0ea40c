package supervise

import "github.com/sandboxc/sbc/ir"

// Names answers what a policy says about names: absolute and clean paths as the
// sandbox has them. It is safe for concurrent use.
type Names interface {
	// Decide reports whether an operation is permitted on a path that is, or would
	// become, a directory or something else.
	Decide(op ir.Op, path string, dir bool) bool
	// Carries reports whether something beneath a directory may be decided
	// otherwise once it is renamed.
	Carries(from, to string) bool
}

// Config is what is supervised. The command must not be able to make user
// namespaces: in one it could mount a directory at a path that is open.
type Config struct {
	Names Names
	// Opens also holds each open of what exists, to read it: it covers files that
	// somebody outside makes while the command runs.
	Opens bool
	// Removals also holds unlink(2) and rmdir(2), for closed symbolic links, which
	// no mount can hold.
	Removals bool
	// Sockets says that sockets with a path can be bound.
	Sockets bool
	// Permitted, if it is set, is told of each path that the policy permits to be made
	// or written, before the kernel is asked. It is called by several threads.
	Permitted func(path string, dir bool)
	// Max is how many different records are kept; 0 is [trace.DefaultMax].
	Max int
}

// SupportError says why a kernel cannot do this.
type SupportError struct{ Text, Remedy string }

// Error implements error.
func (e *SupportError) Error() string { return e.Text }
