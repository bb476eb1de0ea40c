package trace

import (
	"fmt"
	"os"
	"runtime"

	"golang.org/x/sys/unix"
)

// onThread runs f on a thread of its own that has no child processes. The tracer
// waits for whatever its thread can wait for, and the process that started bwrap
// must find bwrap still there when it waits for that. The first thread of the
// process is not used: the kernel gives it the children of threads that end.
//
// A thread with children is held until another one has been found, so that each
// is looked at once.
func onThread(f func(error)) {
	held := make(chan struct{})
	go func() {
		runtime.LockOSThread()
		children, err := os.ReadFile("/proc/thread-self/children")
		if err != nil {
			err = fmt.Errorf("cannot tell which thread has children, which takes /proc and a kernel with CONFIG_PROC_CHILDREN: %w", err)
		}
		if err == nil && (len(children) > 0 || unix.Gettid() == unix.Getpid()) {
			onThread(f)
			close(held)
			runtime.UnlockOSThread()
			return
		}
		close(held)
		f(err)
	}()
	<-held
}
