// Package trace records what the kernel refused to a sandboxed process tree: the
// paths that could not be opened, made, removed or executed, the addresses that
// could not be reached, each with the call, the error, the process and its
// program.
//
//	// bwrap was started with --block-fd, --json-status-fd, and a filter that was
//	// built with seccomp.Options{Trace: true}.
//	tr, err := trace.Attach(childPid, trace.Options{})
//	// Now let bwrap go on: write a byte to the other end of --block-fd.
//	err = tr.Wait()
//	for _, r := range tr.Records() { ... }
//
// It is a record and no decision. The filter, the mounts and the name spaces
// decide whether anybody traces or not; the tracer changes no call, no result and
// no signal. A path is read when the call has failed, so that a program which
// rewrites its memory or renames directories at that moment can make the record
// say another path than the kernel saw.
//
// # How it works
//
// The tracer is one thread of this process that seizes bwrap's child
// (PTRACE_SEIZE, ptrace(2)) and with it, through PTRACE_O_TRACEFORK, VFORK and
// CLONE, all that the child starts. Under PTRACE_O_TRACESECCOMP a process stops
// only at the calls of [seccomp.Traced], and once more when such a call returns;
// everything else runs at full speed. bwrap's inner init, process 1 of the
// sandbox, runs without the filter and stops only for its signals. Process
// numbers in records are the host's.
//
// Without a tracer a traced call fails with ENOSYS, so a tree that lost its
// tracer can open and execute nothing; and with PTRACE_O_EXITKILL it is killed
// when the process that traces ends, however it ends.
//
// # What it does not see
//
//   - Calls that the filter refuses do not stop: a socket of a closed family,
//     mounts, ptrace, io_uring. They leave an error in the program's own output
//     only, or SIGSYS.
//   - Names that are missing are recorded only where [Options.Missing] says so:
//     programs look for thousands of files that nobody has.
//   - Reading and writing through descriptors, and connections that fail after
//     connect has returned EINPROGRESS. Without a route connect fails at once.
//   - A process made with CLONE_UNTRACED (clone(2)) is not traced, and so cannot
//     make any of these calls.
//   - /proc/self and what lies beneath is left as it was written, since it means
//     another process to whoever follows it.
//
// A process has one tracer at most: strace and debuggers do not work inside.
// Nothing else in the process that traces may wait for any child (wait4(2) with
// -1), because that takes the tracer's events.
//
// # Stability
//
// None yet: the launcher is its only user.
package trace
