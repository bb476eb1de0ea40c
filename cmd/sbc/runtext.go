package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/sandboxc/sbc/enforce/capture"
	"github.com/sandboxc/sbc/enforce/sweep"
	"github.com/sandboxc/sbc/enforce/trace"
	"github.com/sandboxc/sbc/target/bwrap"
)

// printText prints what was captured, and says on stderr what came of the run.
// The error is that of printing what was captured.
func (x *execution) printText() (err error) {
	a, r := x.app, x.result
	if x.said {
		return nil
	}
	x.said = true
	if x.flags.capture {
		err = errors.Join(printCaptured(a.target, a.stderr, r.Stdout, "stdout"), printCaptured(a.stderr, a.stderr, r.Stderr, "stderr"))
	}
	say := func(format string, args ...any) {
		fmt.Fprintln(a.stderr, oneLine(fmt.Sprintf("sbc: "+format, args...)))
	}
	if len(r.Violations) > 0 || r.Lost != (trace.Lost{}) {
		say("what the policy closes, and the command ran into:")
	}
	for _, v := range r.Violations {
		say("  %s (%s, by %s)", v.Text, v.Confidence, v.Evidence)
	}
	if n := r.Lost.Beyond + r.Lost.Unread; n > 0 {
		say("  %d more of which there is no record", n)
	}
	x.printRemedies()
	for _, l := range r.Late {
		say("%s", lateText(l))
	}
	if r.Bound != "" {
		say("%s", r.Bound)
	}
	for _, name := range r.Hit {
		say("limits.%s was met", name)
	}
	for _, l := range r.Left {
		say("%s: %s", l.Path, l.Why)
	}
	return err
}

// lateText says what appeared although a rule closes it, and where it is now.
func lateText(l sweep.LateMatch) string {
	text := fmt.Sprintf("late_match: %s %s during the run, and %s closes it", bwrap.Quote(l.Path), l.Kind, l.Address)
	switch {
	case l.Quarantined != "":
		text += "; it was moved to " + bwrap.Quote(l.Quarantined) + ", where a note says how to put it back"
	case l.Problem != "":
		text += "; " + l.Problem
	case l.Runs:
		text += "; it may run code later"
	}
	return text
}

// printCaptured prints what was kept of a stream, and where something is missing
// says so on stderr.
func printCaptured(to, stderr io.Writer, o capture.Output, name string) error {
	_, head := to.Write(o.Head)
	if o.Cut > 0 {
		fmt.Fprintf(stderr, "\nsbc: %d bytes of %s were left out here (limits.output)\n", o.Cut, name)
	}
	_, tail := to.Write(o.Tail)
	return errors.Join(head, tail)
}
