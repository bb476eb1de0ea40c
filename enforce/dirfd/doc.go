// Package dirfd works on files by directory descriptors and never follows a
// symbolic link, so that what was looked at is what is changed, whoever renames
// directories meanwhile.
//
//	dir, err := dirfd.Open("/home/me/project") // refused if any component is a link
//	defer dir.Close()
//	info, err := dir.Stat("name")
//
// It is for the launcher alone, which changes directories that a sandboxed
// command may have prepared. What only reads the host uses package host.
//
// # Stability
//
// Internal. On systems other than Linux it is empty.
package dirfd
