// Package supervise decides about names before they exist. A mount protects a
// name that exists; a policy speaks of every name, for ever. On Linux the kernel
// can hold a system call and ask somebody else about it (seccomp_unotify(2)). So
// each call of a sandboxed command that brings a name into being is held, decided
// by the policy, and performed here, for the caller:
//
//	s, err := supervise.Install(pid, supervise.Config{Names: names})
//
// # How it is not got round
//
// The kernel never reads the caller's memory again after the decision. A path is
// copied once. The directory that it leads to is opened, from the caller's own
// root, current directory or descriptor; the decision is about the path of that
// descriptor and the last name; and the call is made on that descriptor and that
// name. A link that is planted, or a path that is rewritten, in the meantime
// leads nowhere else. While a directory is renamed, nothing is made.
//
// The filter is put into the command by ptrace(2) while it is held and has not run
// an instruction of its own; its listener is taken out by pidfd_getfd(2) and is
// closed inside. So nothing of this is left in the sandbox, and nobody there can
// answer. If this process ends, a held call is answered by ENOSYS, and the tree
// has been killed.
//
// Threads that perform calls have no capabilities, and a file mode creation mask
// and current directory of their own. What a call does is what the kernel lets
// the user do on the sandbox's own mounts; the policy can only take away.
//
// # What is different from the kernel's own
//
// A FIFO that is opened to be made or written blocks the caller until there is a
// reader, but a signal that is caught interrupts with EINTR even with SA_RESTART.
// Of /proc, what belongs to other processes is not opened this way. A terminal
// does not become the controlling one. The name that a socket was bound to reads
// as its last part.
//
// It needs Linux 5.19 ([Supported]).
//
// # Stability
//
// Internal.
package supervise
