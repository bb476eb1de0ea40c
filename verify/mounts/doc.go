// Package mounts reads a command line of bubblewrap back and says what a
// process in that sandbox can reach. It shares nothing with the code that
// writes such command lines: its sources are bwrap(1), mount(2) and the kernel,
// against which its tests hold it.
//
//	s, err := mounts.Read(args, mounts.ReadOptions{})
//	if err != nil {
//		return err // a *mounts.Error with the argument's index
//	}
//	for _, f := range mounts.Flags(s) {
//		... // namespaces, capabilities, descriptors that are left open
//	}
//	t, err := mounts.Build(s, mounts.Options{View: view})
//	if err != nil {
//		return err // bubblewrap would not start, or does what is not modelled
//	}
//	a := t.Access("/home/u/.ssh/id") // a.Read, a.Write, a.Unlink, a.HostPath
//
// # What an answer means
//
// The paths are those that reach the kernel's file systems: absolute, clean,
// no component a symbolic link. An answer is what the mounts leave open to a
// process that owns everything, has no capability and tries hard: a directory
// of mode 000 in storage that may be written counts as open, since its owner
// can chmod it. Permissions on the host, which come on top, close nothing here,
// with one exception: an object that is itself bound read-only, that nobody may
// read, and that no writable mount shows as well is closed, because masks are
// made that way. So is a device that is bound without leave to use devices.
//
// To write into a device, a FIFO or a socket is not to write the storage that
// holds it: a read-only mount of them does not prevent that.
//
// Hard links to what is masked, and what another program on the host does with
// the mount points meanwhile, are beyond this package.
//
// # Who should not use it
//
// Whoever compiles a policy: see target/bwrap.
//
// # Stability
//
// The names of flags are stable. The Go types may still change.
package mounts
