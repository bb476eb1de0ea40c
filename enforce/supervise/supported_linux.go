package supervise

import (
	"errors"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Supported reports whether the kernel can hold system calls in the way that is
// needed; the error is a [*SupportError].
func Supported() error {
	action := uint32(unix.SECCOMP_RET_USER_NOTIF)
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action))) //nolint:gosec // G103: a number of the kernel's
	if errno != 0 {
		return &SupportError{"the kernel cannot hold system calls: " + errno.Error(), "use Linux 5.19 or newer with CONFIG_SECCOMP_FILTER"}
	}
	// A kernel that knows the flags reads the program, which is not there.
	_, _, errno = unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, newListener|waitKillableRecv, 0)
	if !errors.Is(errno, unix.EFAULT) {
		return &SupportError{"the kernel cannot hold a system call while a signal comes (" + errno.Error() + ")", "use Linux 5.19 or newer"}
	}
	return nil
}
