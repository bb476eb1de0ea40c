package supervise

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// The structures of linux/seccomp.h.

type notification struct {
	id    uint64
	pid   uint32
	flags uint32
	nr    int32
	arch  uint32
	ip    uint64
	args  [6]uint64
}

type response struct {
	id    uint64
	val   int64
	error int32
	flags uint32
}

type addition struct {
	id         uint64
	flags      uint32
	srcfd      uint32
	newfd      uint32
	newfdFlags uint32
}

// The requests of linux/seccomp.h, and flags.
const (
	requestReceive = 0xc0502100
	requestSend    = 0xc0182101
	requestValid   = 0x40082102
	requestAdd     = 0x40182103
	requestFlags   = 0x40082104

	addSend    = 1 << 1 // SECCOMP_ADDFD_FLAG_SEND, Linux 5.14
	syncWakeUp = 1      // SECCOMP_USER_NOTIF_FD_SYNC_WAKE_UP, Linux 6.6
)

func ioctl(fd int, request uintptr, arg unsafe.Pointer) error {
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), request, uintptr(arg))
	if errno != 0 {
		return errno
	}
	return nil
}

// receive waits for a call that is held.
func receive(listener int, n *notification) error {
	*n = notification{}
	return ioctl(listener, requestReceive, unsafe.Pointer(n)) //nolint:gosec // G103: a structure of the kernel's
}

// answer lets the caller go on.
func (w *worker) answer(c *call, o outcome) {
	switch {
	case o.none:
	case o.opened:
		a := addition{id: c.id, flags: addSend, srcfd: uint32(o.fd), newfdFlags: o.flags}
		err := ioctl(w.s.listener, requestAdd, unsafe.Pointer(&a)) //nolint:gosec // G103: a structure of the kernel's
		_ = unix.Close(o.fd)
		if err != nil && err != unix.ENOENT { //nolint:errorlint // a bare errno
			w.answer(c, fails(err)) // such as EMFILE, which is the caller's
		}
	default:
		r := response{id: c.id, error: -int32(o.errno)}
		_ = ioctl(w.s.listener, requestSend, unsafe.Pointer(&r)) //nolint:gosec // G103: a structure of the kernel's
	}
}

// valid reports whether the caller still waits. What was learned of a process by
// its number before is of the caller then.
func (c *call) valid() bool {
	id := c.id
	return ioctl(c.listener, requestValid, unsafe.Pointer(&id)) == nil //nolint:gosec // G103: a number of the kernel's
}
