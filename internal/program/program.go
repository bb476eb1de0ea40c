package program

import (
	"os"
	"syscall"
)

// Write writes a program that can be started at once. A child that another
// goroutine forks while the file is open for writing holds it open until it
// executes something itself, and meanwhile the kernel refuses to start the
// program with ETXTBSY (execve(2)); so nothing is forked until the file is
// closed.
func Write(path string, text []byte) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	if err := os.WriteFile(path, text, 0o755); err != nil { //nolint:gosec // G306: every user may start it
		return err
	}
	return os.Chmod(path, 0o755) //nolint:gosec // G302: the same, whatever the umask is
}
