package seccomp

import "fmt"

// Action is what the kernel does with a call: a return value of a seccomp
// filter (linux/seccomp.h). Action values are the same on both architectures.
type Action uint32

// The actions that the rules use. The ones named after an error number make the
// call fail with it, without being run.
const (
	KillProcess     Action = 0x80000000 // SIGSYS for the whole process, that cannot be caught
	Allow           Action = 0x7fff0000
	EPERM           Action = retErrno | 1
	ENOSYS          Action = retErrno | 38 // "this kernel has no such call": callers fall back
	EPROTONOSUPPORT Action = retErrno | 93
	EAFNOSUPPORT    Action = retErrno | 97
	Trace           Action = 0x7ff00000 // stops for the tracer, then runs; without a tracer it fails with ENOSYS
)

// retErrno is SECCOMP_RET_ERRNO; the low 16 bits hold the error number.
const retErrno = 0x00050000

// String returns the action in a word or two.
func (a Action) String() string {
	switch a {
	case KillProcess:
		return "KILL"
	case Allow:
		return "ALLOW"
	case EPERM:
		return "EPERM"
	case ENOSYS:
		return "ENOSYS"
	case EPROTONOSUPPORT:
		return "EPROTONOSUPPORT"
	case EAFNOSUPPORT:
		return "EAFNOSUPPORT"
	case Trace:
		return "TRACE"
	default:
		return fmt.Sprintf("Action(%#08x)", uint32(a))
	}
}
