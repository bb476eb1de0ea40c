// Package seccomp writes the system call filter that a command runs under on
// Linux: a classic BPF program for x86_64 or aarch64, made from a table of
// rules.
//
//	arch, ok := seccomp.ArchOf("amd64")
//	prog := seccomp.Build(arch, seccomp.Options{Ptrace: true})
//	os.Stdout.Write(prog.Encode()) // for bwrap
//	fmt.Print(prog)                // for people
//
// The package is data and arithmetic: it has its own numbers and its own
// assembler, so a filter for any architecture is built on every system, and
// the same options always give the same bytes.
//
// # How to hand it over
//
// bwrap reads the encoded program from a file descriptor: --seccomp FD, up to
// the end of the file. The position must be at the start, so a file or memfd
// that has just been written is rewound first; a pipe works as well. Two --seccomp are not two filters: the
// last one wins, with a warning and status 0. Filters that shall stack go
// through --add-seccomp-fd (bwrap 0.6), which cannot be mixed with --seccomp.
//
// bwrap loads the filter last, just before it runs the command, so the filter
// does not hinder bwrap itself, but it does apply to every helper that runs
// inside. bwrap sets no_new_privs, which an unprivileged filter needs.
//
// # What it does
//
// [Table] is the whole of it, with a reason for each rule; [Explain] prints the
// ones in force; [Decide] answers for a single call. In short: calls that enter
// as another architecture kill the process. Numbers that the tables do not know
// fail with ENOSYS, as on a kernel that lacks the call, so a call of a later
// kernel stays closed until somebody has looked at it; the tables go up to
// Linux 7.2. io_uring and clone3 fail with ENOSYS too, so that programs fall
// back. Calls that make namespaces, mount, trace, or reach the keyrings, the
// kernel's code or the machine's settings fail with EPERM. Sockets are those of
// IPv4, IPv6 and routing netlink.
//
// Local communication goes on in every mode: pipes, stream and seqpacket
// socketpairs with everything that can be done to them, sockets on the
// loopback interface. Connecting to a socket in the file system takes a socket
// that is not connected yet, and without [Options.UnixSockets] there is no way
// to make one: not by socket, not by a datagram pair, not by io_uring.
//
// # Tracing
//
// With [Options.Trace] the calls that take a path or an address stop for a
// tracer before they run, see [Traced]. What is refused is the same with it and
// without it, and a call that the filter refuses does not stop, so a tracer does
// not see it: a socket of a family that the policy closes, a mount, a ptrace. A
// traced process cannot be traced by a second one, so strace and debuggers fail
// inside then, even with [Options.Ptrace].
//
// # What it does not do
//
// A filter sees numbers, not what pointers lead to: it knows no paths and no
// addresses. It does not take away descriptors that the command inherits. It
// does not keep a process from writing /proc/PID/mem of another one of the same
// user in the same sandbox. With [Options.Ptrace] it needs Linux 4.8 or newer:
// before, a tracer could change a call after the filter had passed it.
//
// # Stability
//
// Rules are added when kernels grow calls, and the programs change with them.
// What they permit is pinned by golden files.
package seccomp
