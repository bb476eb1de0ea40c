package doctor

import "golang.org/x/sys/unix"

// landlockABI returns the version of the Landlock ABI (landlock(7)).
func landlockABI() (int, error) {
	abi, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0, errno
	}
	return int(abi), nil
}

func writable(path string) bool { return unix.Access(path, unix.W_OK) == nil }
