package main

import (
	"errors"
	"fmt"
)

// The exit statuses.
const (
	exitOK       = 0
	exitNo       = 1 // the question was put, and the answer is no
	exitUsage    = 2 // the question could not be put
	exitInternal = 3
)

// fault ends a verb with a status. Its text is one lower-case line without a
// full stop; it is empty if everything was said already.
type fault struct {
	status int
	text   string
	hint   string // what to do, or empty
	own    bool   // the status is that of a command that ran
}

// Error implements error.
func (f *fault) Error() string { return f.text }

// misuse is a fault of the command line.
func misuse(hint, format string, args ...any) error {
	return &fault{status: exitUsage, text: fmt.Sprintf(format, args...), hint: hint}
}

// quiet ends a verb that has said everything already.
func quiet(status int) error { return &fault{status: status} }

// finish reports how a verb ended and returns its exit status.
func (a *app) finish(err error) int {
	if err == nil {
		return exitOK
	}
	f := &fault{}
	if !errors.As(err, &f) {
		// What cobra itself finds wrong is a matter of the command line.
		f = &fault{status: exitUsage, text: err.Error(), hint: "run sbc --help"}
	}
	if f.text != "" {
		fmt.Fprintf(a.stderr, "sbc: %s\n", oneLine(f.text))
	}
	if f.hint != "" {
		fmt.Fprintf(a.stderr, "hint: %s\n", oneLine(f.hint))
	}
	return f.status
}
