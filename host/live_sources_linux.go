package host

import "golang.org/x/sys/unix"

// addSystem adds the facts that only this system has a way to tell.
func addSystem(f *Facts) {
	var u unix.Utsname
	if unix.Uname(&u) == nil {
		f.Kernel = unix.ByteSliceToString(u.Release[:])
	}
}
