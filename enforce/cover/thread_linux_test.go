package cover_test

import (
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/sandboxc/sbc/enforce/cover"
)

// TestOnMainThread calls from a thread that is not the main one. It holds the main
// thread for good, and so works once in a process.
func TestOnMainThread(t *testing.T) {
	t.Parallel()
	tid := make(chan int)
	go elsewhere(func() {
		err := cover.OnMainThread(func() error {
			tid <- unix.Gettid()
			return nil
		})
		if err != nil {
			t.Error(err)
		}
		close(tid)
	})
	if got := <-tid; got != unix.Getpid() {
		t.Errorf("thread %d, want %d", got, unix.Getpid())
	}
}

// elsewhere calls f on a thread that is not the main one.
func elsewhere(f func()) {
	runtime.LockOSThread()
	if unix.Gettid() != unix.Getpid() {
		f()
		return
	}
	held := make(chan bool)
	go func() {
		runtime.LockOSThread()
		close(held)
		f()
	}()
	<-held
	runtime.UnlockOSThread()
}
