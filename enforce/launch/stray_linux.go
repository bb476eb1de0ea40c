package launch

import (
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// strays are processes that are traced and not known: one that is killed while it
// makes another does not tell which. The other stays a zombie until its tracer
// has waited for it, and process 1 of its namespace cannot end before; and so a
// thread that waits for process 1 would wait forever.
type strays struct {
	tracer int // the thread

	mu    sync.Mutex
	pids  []int // those that are waited for by others
	timer *time.Timer
	over  bool
}

// watch waits for strays that are zombies until done, which is long before it
// looks for the first time unless something is wrong. The calling thread is the
// tracer.
func (s *strays) watch() {
	s.tracer = unix.Gettid()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.timer = time.AfterFunc(patience, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.over {
			return
		}
		for _, pid := range traced(s.tracer) {
			if state, _, err := stat(pid); err == nil && state == 'Z' && !slices.Contains(s.pids, pid) {
				_, _ = unix.Wait4(pid, nil, unix.WALL|unix.WNOHANG, nil)
			}
		}
		s.timer.Reset(patience)
	})
}

func (s *strays) done() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	s.timer.Stop()
}

// known says that somebody waits for a process.
func (s *strays) known(pid int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pids = append(s.pids, pid)
}

// killTraced kills whatever the calling thread traces and waits for it, in no
// order.
func killTraced() {
	for left := traced(unix.Gettid()); len(left) > 0; left = traced(unix.Gettid()) {
		for _, pid := range left {
			_ = unix.Kill(pid, unix.SIGKILL) // nobody else can have its number
			_, _ = unix.Wait4(pid, nil, unix.WALL|unix.WNOHANG, nil)
		}
		time.Sleep(time.Millisecond)
	}
}

// traced lists what a thread of this process traces.
func traced(tracer int) []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	mine := "\nTracerPid:\t" + strconv.Itoa(tracer) + "\n"
	var out []int
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		status, err := os.ReadFile("/proc/" + e.Name() + "/status")
		if err == nil && strings.Contains(string(status), mine) {
			out = append(out, pid)
		}
	}
	return out
}
