// Package cover covers closed files and directories in a sandbox that bubblewrap
// has made, where a plan closes many.
//
// Bubblewrap before 0.13 reads the whole table of mounts again for each one that
// it makes, so the time of a start grows with the square of their number. The
// kernel itself takes some microseconds for a mount. So the mounts are made in two
// steps: bubblewrap is told the plan without what is closed and makes the sandbox;
// then, before anything of the command has run, a helper covers what is left.
//
// To mount there one must have a capability over the sandbox's user namespace,
// which a process in the one above has (user_namespaces(7)). So bubblewrap itself
// is started in a user namespace, in which the helper is its neighbour:
//
//	caller      this process
//	├ bwrap     a stage, which starts the helper and becomes bubblewrap
//	│ └ ...
//	└ helper    enters the sandbox's mounts, covers, and ends
//
// Both are this very program, which must call [Main] first of all:
//
//	work := cover.Split(plan, view, cover.Least) // nil: not worth it
//	order, err := work.Order(bwrap, argv, env)   // for a memory file
//
// What is covered must be what it was when the plan was made, by device and inode,
// and no symbolic link may lead to it. The covers are where bubblewrap would have
// put them, in the same namespace: nothing inside has a capability to take them
// away. That everything is covered is looked at from outside, as without a helper:
// [recheck.Mounted].
//
// # Stability
//
// Internal.
package cover
