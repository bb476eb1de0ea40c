// Package launch starts one command in bubblewrap, as a compiled policy says,
// and waits for its end.
//
//	res, err := launch.Run(ctx, &launch.Spec{
//		Artifact: artifact,
//		Bwrap:    "/usr/bin/bwrap",
//		Command:  []string{"/usr/bin/make", "test"},
//		Dir:      "/home/user/project",
//		Env:      env,
//		Stdin:    os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
//	})
//
// An error means that the command did not run: [BwrapError], [ExecError],
// [HoldError] and [TraceError] say why not. Whatever becomes of the command is in
// the [Result].
//
// # How it works
//
// Bubblewrap is started as "bwrap --args 4 -- COMMAND ARG...". Its options and
// the seccomp program come on sealed memory files, so that neither is seen in
// the process list or in the sandbox's /proc/1/cmdline, and the environment is
// given to bubblewrap itself, so that /proc/1/environ holds no other. Every
// descriptor but the standard streams is closed.
//
// The process tree is:
//
//	caller           this process
//	└ bwrap          waits, and passes the exit status on
//	  └ init         process 1 of the sandbox: sets it up, then reaps
//	    └ command
//
// From the start of bubblewrap until the command's program is loaded, all three
// are traced (ptrace(2)) by the thread that called [Run]. That does three things
// that bubblewrap's own options do not:
//
//   - The command is held at its birth, when the sandbox is ready: limits and
//     control group are set on it, and a hook may look at it. The end of this
//     process does not release it, as it would with --block-fd, where the end of
//     the pipe counts as a release.
//   - Nothing survives a kill -9 of this process in that time: the kernel kills
//     what is traced (PTRACE_O_EXITKILL). --die-with-parent alone leaves a gap,
//     since init asks for it only when everything is mounted: without a parent by
//     then it would go on, and run the command with nobody to watch it.
//   - Whether the command's program was loaded is known for certain, and does not
//     have to be guessed from an exit status or from what is on stderr.
//
// After that nothing is traced any more, and the parent death signals hold: of
// bwrap for this process, of init for bwrap; the end of init ends all else
// (pid_namespaces(7)). With a terminal, bwrap itself stays traced, see
// [Spec.Terminal].
//
// With [Spec.Cover] a helper makes some of the mounts while the command is held: see
// package cover. What becomes bubblewrap is then traced from before that, and the
// helper ends before the command runs.
//
// # Stability
//
// Internal.
package launch
