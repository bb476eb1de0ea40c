package seccomp

import "fmt"

// Options is what a policy opens. The zero value opens nothing.
type Options struct {
	// UnixSockets permits to make AF_UNIX sockets of every type, so that a
	// process can connect to a socket that it sees in the file system, and to
	// an abstract one of its network namespace. Without it only connected
	// stream and seqpacket pairs can be made.
	UnixSockets bool

	// Ptrace permits to trace and to read the memory of other processes of the
	// sandbox.
	Ptrace bool

	// Namespaces permits to make and join namespaces and to mount in them, as
	// a sandbox inside the sandbox does.
	Namespaces bool

	// Terminal permits to push input into the terminal (TIOCSTI, TIOCLINUX).
	// What is pushed is read by the shell outside when the sandbox has ended,
	// unless the sandbox has a session of its own.
	Terminal bool

	// Trace makes the calls of [Traced] stop for a tracer, which is how a
	// launcher learns which of them failed (PTRACE_O_TRACESECCOMP, ptrace(2)).
	// It opens nothing and closes nothing: a call that another rule refuses is
	// refused as before, without a stop. Where no tracer is attached a traced
	// call fails with ENOSYS (seccomp(2), SECCOMP_RET_TRACE). It needs Linux 4.8
	// or newer, as Ptrace does.
	Trace bool
}

// Option names one field of Options.
type Option uint8

// The options. None stands for a rule that no option lifts.
const (
	None Option = iota
	UnixSockets
	Ptrace
	Namespaces
	Terminal
)

// has reports whether the field that x names is set.
func (o Options) has(x Option) bool {
	switch x {
	case UnixSockets:
		return o.UnixSockets
	case Ptrace:
		return o.Ptrace
	case Namespaces:
		return o.Namespaces
	case Terminal:
		return o.Terminal
	case None:
		return false
	default:
		return false // an unknown option opens nothing
	}
}

// String returns the name of the field.
func (x Option) String() string {
	switch x {
	case None:
		return "None"
	case UnixSockets:
		return "UnixSockets"
	case Ptrace:
		return "Ptrace"
	case Namespaces:
		return "Namespaces"
	case Terminal:
		return "Terminal"
	default:
		return fmt.Sprintf("Option(%d)", uint8(x))
	}
}
