package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// How sbc talks to a terminal: colour only marks what the text says anyway, lines
// are wrapped only on a terminal, nothing moves the cursor, and nothing asks
// questions. FORCE_COLOR beats NO_COLOR and TERM=dumb, and those beat the
// terminal.

// defaultWidth is the width of a terminal that does not tell its own, in columns.
const defaultWidth = 80

// look is how to print to one stream.
type look struct {
	color bool
	width int // 0 means no wrapping
}

func (a *app) lookOf(w io.Writer) look {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return look{color: colored(a.lookup, false)}
	}
	l := look{color: colored(a.lookup, true), width: defaultWidth}
	if w, _, err := term.GetSize(int(f.Fd())); err == nil && w > 0 {
		l.width = w
	}
	return l
}

// colored decides whether to use colour on a stream.
func colored(lookup func(string) (string, bool), terminal bool) bool {
	if v, ok := lookup("FORCE_COLOR"); ok && v != "" {
		return v != "0" && v != "false"
	}
	if v, _ := lookup("NO_COLOR"); v != "" {
		return false
	}
	if v, _ := lookup("TERM"); v == "dumb" {
		return false
	}
	return terminal
}

// The colours, as parameters of the SGR sequence.
const (
	bold   = "1"
	red    = "1;31"
	green  = "32"
	yellow = "1;33"
	cyan   = "1;36"
	dim    = "2"
)

// paint colours text.
func (k look) paint(color, text string) string {
	if !k.color || text == "" {
		return text
	}
	return "\x1b[" + color + "m" + text + "\x1b[0m"
}
