//go:build !linux

package supervise

import "github.com/sandboxc/sbc/enforce/trace"

// Supervisor exists on Linux only.
type Supervisor struct{}

// Supported reports that this system has nothing of the kind.
func Supported() error {
	return &SupportError{"system calls can be held on Linux only", ""}
}

// Records returns nothing.
func (*Supervisor) Records() []trace.Record { return nil }

// Lost returns nothing.
func (*Supervisor) Lost() trace.Lost { return trace.Lost{} }

// Close does nothing.
func (*Supervisor) Close() {}
