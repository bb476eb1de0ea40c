//go:build !linux

package trace

import "errors"

// Trace is the tracing of one process tree, which needs Linux.
type Trace struct{ store *Store }

// Attach fails: only Linux has the system calls that a trace is made with.
func Attach(_ int, o Options) (*Trace, error) {
	_ = Trace{store: NewStore(o.Max)}
	return nil, errors.New("a trace needs Linux; run without it")
}

// Wait returns at once.
func (t *Trace) Wait() error { return nil }

// Records returns what has been recorded.
func (t *Trace) Records() []Record { return t.store.Records() }

// Lost counts what no record tells of.
func (t *Trace) Lost() Lost { return t.store.Lost() }
