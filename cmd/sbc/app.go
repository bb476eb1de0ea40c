package main

import (
	"bytes"
	"io"
	"os"
	"strings"
	"unicode"

	"github.com/sandboxc/sbc/host"
)

// app is what the verbs share: the streams and the surroundings of the process.
type app struct {
	stdin       io.Reader
	out         *bytes.Buffer // the product; it goes to target when the verb is done
	target      io.Writer
	stderr      io.Writer
	lookup      func(string) (string, bool) // an environment variable
	getwd       func() (string, error)
	live        host.View     // this machine
	accountHome func() string // the home directory that the user database has
}

func newApp(stdin io.Reader, stdout, stderr io.Writer) *app {
	a := &app{stdin: stdin, out: &bytes.Buffer{}, target: stdout, stderr: stderr, lookup: os.LookupEnv, getwd: os.Getwd, live: host.Live{}}
	a.accountHome = func() string { return host.AccountHome(host.LiveSources(a.env)) }
	return a
}

func (a *app) env(name string) string {
	v, _ := a.lookup(name)
	return v
}

// oneLine makes text that may hold names from outside fit for a terminal.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}
