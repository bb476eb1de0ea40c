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

// strays looks after what would make the start wait forever when something is
// killed in its course:
//
//   - Init waits for a word of bwrap, and goes on waiting if bwrap is killed.
//   - A process that is killed while it makes another does not tell its tracer
//     which. The other stays a zombie until the tracer has waited for it, and
//     process 1 of its namespace cannot end before.
type strays struct {
	tracer int // the thread

	mu    sync.Mutex
	bwrap process
	pids  []int // those that are waited for by others
	timer *time.Timer
	over  bool
}

// watch looks at times until done, which is long before the first time unless
// something is wrong. The calling thread is the tracer.
func (s *strays) watch() {
	s.tracer = unix.Gettid()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.timer = time.AfterFunc(patience, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if !s.over {
			s.look()
			s.timer.Reset(patience)
		}
	})
}

// look kills what has lost bwrap, and waits for zombies that nobody knows.
func (s *strays) look() {
	lost := s.bwrap.known() && !s.bwrap.alive()
	for _, pid := range traced(s.tracer) {
		if lost {
			_ = unix.Kill(pid, unix.SIGKILL) // nobody else can have its number
		}
		if state, _, err := stat(pid); err == nil && state == 'Z' && !slices.Contains(s.pids, pid) {
			_, _ = unix.Wait4(pid, nil, unix.WALL|unix.WNOHANG, nil)
		}
	}
}

func (s *strays) done() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	s.timer.Stop()
}

// parent says which process is bwrap.
func (s *strays) parent(bwrap process) {
	s.known(bwrap.pid)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bwrap = bwrap
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
