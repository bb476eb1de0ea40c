// Package placeholder keeps closed paths that do not exist free while a sandbox
// runs: an empty directory stands there, which the sandbox's mounts cover, and
// which goes away with the last sandbox that needs it.
//
//	view := placeholder.NewView(host.NewMemo(host.Live{}), o)  // to compile against
//	left, err := placeholder.Reap(o)                           // what dead runs left
//	held, err := placeholder.Hold(plan.Placeholders, o)
//	defer held.Release()
//
// # The protocol
//
// A placeholder is an empty directory with the mode 0500. Whoever needs it holds
// a shared flock(2) on the directory itself. At the end he tries for an exclusive
// one; who gets it is the last, and removes the directory if its mode is still
// 0500 and it is still empty. Scripts that sbc compiles do the same, so that both
// may run side by side on the same paths. A lock ends with its process, however
// that ends.
//
// A run that is killed leaves its directories. So it records them first, in a
// file of a directory that only the user may write, which it keeps locked while
// it lives; the next start removes what such a file names when the lock is free.
// What is removed must be the very directory that was recorded: device, inode
// and time of birth are compared, besides owner, mode and emptiness.
//
// A directory that neither a record nor a lock shows to be a placeholder is the
// user's own, whatever it looks like: it is never removed and never changed.
//
// # What it cannot do
//
// A lock keeps nobody from removing the directory by hand. [Holder.Release] then
// says so: a mount on a directory goes away with it, so the path was open.
//
// # Stability
//
// Internal. Linux only; elsewhere everything but the types fails.
package placeholder
