package launch

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// forwarded are the signals that the command gets instead of this process.
var forwarded = []os.Signal{unix.SIGINT, unix.SIGTERM, unix.SIGHUP, unix.SIGQUIT}

// control passes signals and the passing of time on to the command, while
// another thread waits for its end.
type control struct {
	tree    *tree
	signals chan os.Signal
	done    chan struct{}

	// mu is held while something is done to the tree, so that after close
	// nothing is done to it any more.
	mu       sync.Mutex
	closed   bool
	timedOut bool
	killed   bool
}

// newControl catches signals from now on; what comes before run is kept.
func newControl(t *tree) *control {
	const room = 32
	c := &control{tree: t, signals: make(chan os.Signal, room), done: make(chan struct{})}
	c.catch(forwarded...)
	c.catch(unix.SIGCONT)
	if t.terminal == nil {
		c.catch(unix.SIGWINCH, unix.SIGTSTP)
	}
	return c
}

// catch leaves alone what was ignored when this process started, as by nohup(1):
// the command ignores it too, then.
func (c *control) catch(signals ...os.Signal) {
	for _, s := range signals {
		if !signal.Ignored(s) {
			signal.Notify(c.signals, s)
		}
	}
}

// close ends run, which does nothing to the tree any more when it has returned.
func (c *control) close() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.closed = true
		signal.Stop(c.signals)
		close(c.done)
	}
}

// do does something to the tree, unless it is gone.
func (c *control) do(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		f()
	}
}

// run works until close.
func (c *control) run(ctx context.Context) {
	var wall, kill <-chan time.Time
	if w := c.tree.spec.Wall; w > 0 {
		timer := time.NewTimer(w)
		defer timer.Stop()
		wall = timer.C
	}
	cancelled := ctx.Done()
	for {
		select {
		case <-c.done:
			return
		case s := <-c.signals:
			c.signal(s)
		case <-c.tree.terminal.channel():
			c.suspend()
		case <-wall:
			c.do(func() { c.timedOut = true })
			wall, cancelled, kill = nil, nil, c.stop()
		case <-cancelled:
			wall, cancelled, kill = nil, nil, c.stop()
		case <-kill:
			kill = c.kill()
		}
	}
}

// stop tells the command to end, one that is stopped too, and returns the end of
// its grace.
func (c *control) stop() <-chan time.Time {
	c.send(unix.SIGTERM)
	c.send(unix.SIGCONT)
	return time.After(c.tree.spec.grace())
}

// kill kills the command, which ends everything in the sandbox. Init itself is
// killed if that has not happened soon; what the command used would be lost.
func (c *control) kill() <-chan time.Time {
	c.do(func() {
		if c.killed {
			c.tree.init.signal(unix.SIGKILL)
		}
		c.killed = true
		c.tree.command.signal(unix.SIGKILL)
		c.tree.init.signal(unix.SIGCONT)
	})
	return time.After(patience)
}

// send signals the command: in a session of its own all of its process group, as
// a terminal does; with a terminal the command alone, which knows its groups.
// Init leads the group, and ignores what it did not ask for, as every process 1
// does.
func (c *control) send(sig unix.Signal) {
	c.do(func() {
		if c.tree.terminal != nil {
			c.tree.command.signal(sig)
		} else {
			c.tree.init.signalGroup(sig)
		}
	})
}

func (c *control) signal(s os.Signal) {
	sig, ok := s.(unix.Signal)
	switch {
	case !ok:
	case sig == unix.SIGTSTP:
		c.suspend()
	case sig == unix.SIGCONT:
		c.resume()
	default:
		c.send(sig)
	}
}

// suspend stops the command, and then this process as SIGTSTP stops any other:
// not if nobody would continue it. Go's runtime, once it has caught SIGTSTP, never
// lets it stop the process again, so it is SIGSTOP. With a terminal, bwrap was to
// be stopped as the command was, and all of this process's group is to be.
func (c *control) suspend() {
	t := c.tree
	pid := unix.Getpid()
	switch {
	case t.terminal == nil && orphaned():
		return
	case t.terminal == nil:
		c.send(unix.SIGSTOP)
	case !t.stops():
		return // the command does not care for the key
	case orphaned():
		c.resume()
		return
	default:
		c.do(t.terminal.take)
		pid = 0
	}
	c.awaitContinue(func() error { return unix.Kill(pid, unix.SIGSTOP) })
	c.resume()
}

// resume continues the command; with a terminal in the foreground, if this
// process is there.
func (c *control) resume() {
	t := c.tree
	if t.terminal == nil {
		c.send(unix.SIGCONT)
		return
	}
	c.do(func() {
		if err := t.terminal.give(t.bwrap.pid); err == nil {
			t.bwrap.signalGroup(unix.SIGCONT)
		}
	})
}

// awaitContinue stops this process and waits for the next SIGCONT. Other signals
// are passed on afterwards.
func (c *control) awaitContinue(stop func() error) {
	var late []os.Signal
	keep := func(s os.Signal) {
		if s != unix.SIGCONT {
			late = append(late, s)
		}
	}
	for range len(c.signals) { // a SIGCONT of before does not count
		keep(<-c.signals)
	}
	for waiting := stop() == nil; waiting; {
		select {
		case s := <-c.signals:
			keep(s)
			waiting = s != unix.SIGCONT
		case <-c.done:
			waiting = false
		}
	}
	for _, s := range late {
		c.signal(s)
	}
}

// patience is how long a stop takes to be seen at most.
const patience = 100 * time.Millisecond

// stops reports whether SIGTSTP, which was sent, stops the command. One that has
// the default action stops for certain, though it may take its time: in vfork(2)
// until its child goes on. One that has its own way, and stops later, sends the
// signal again.
func (t *tree) stops() bool {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(time.Millisecond) {
		switch s, _, err := stat(t.command.pid); {
		case err != nil || s == 'Z':
			return false
		case s == 'T':
			return true
		}
	}
	return defaultAction(t.command.pid, unix.SIGTSTP)
}
