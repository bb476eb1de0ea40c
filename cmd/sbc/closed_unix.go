//go:build unix

package main

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// closedOut reports whether a stream was closed when the process started. The
// runtime of Go has then opened /dev/null in its place, for reading and writing
// (runtime/fds_unix.go), so that writing loses everything without an error. A
// shell that throws output away opens it for writing alone; Python's DEVNULL and
// Node's "ignore" look like a closed stream.
func closedOut(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	null, nullErr := os.Stat(os.DevNull)
	if err != nil || nullErr != nil || !os.SameFile(info, null) {
		return false
	}
	flags, err := unix.FcntlInt(f.Fd(), unix.F_GETFL, 0)
	return err == nil && flags&unix.O_ACCMODE == unix.O_RDWR
}
