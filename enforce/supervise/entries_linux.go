package supervise

import (
	"os"

	"golang.org/x/sys/unix"
)

// entries lists a directory; the descriptor stays open.
func entries(fd int) ([]string, error) {
	own, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(own), "directory")
	defer func() { _ = f.Close() }()
	return f.Readdirnames(-1)
}
