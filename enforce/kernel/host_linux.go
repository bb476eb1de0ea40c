package kernel

import (
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// errNotDirectory is what a path has that leads through a file.
const errNotDirectory = syscall.ENOTDIR

func mkfifo(path string) error { return unix.Mkfifo(path, 0o644) }

// swap exchanges two paths again and again, until it is stopped.
func (w *world) swap(a, b string) (stop func()) {
	a, b = filepath.Join(w.dir, a), filepath.Join(w.dir, b)
	end := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for n := 0; ; n++ {
			_ = unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE) // a placeholder may be in the way
			select {
			case <-end:
				return
			case <-time.After(50 * time.Microsecond):
			}
		}
	})
	return func() {
		close(end)
		wg.Wait()
	}
}
