package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

type panicReader struct{}

func (panicReader) Read([]byte) (int, error) { panic("out of cheese") }

type failWriter struct{}

func (failWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

// A panic is reported as an error in sbc, and leaves nothing on stdout.
func TestPanic(t *testing.T) {
	t.Parallel()
	var stdout, stderr bytes.Buffer
	got := sbc([]string{"check", "-", "--host", "none", "--workspace", "/w", "--no-user"}, panicReader{}, &stdout, &stderr)
	if want := "sbc: internal error: out of cheese; please report\n"; got != exitInternal || stdout.Len() > 0 || stderr.String() != want {
		t.Errorf("status %d, stdout %q, stderr %q, want %q", got, stdout.String(), stderr.String(), want)
	}
}

// A product that cannot be handed out is an error.
func TestStdoutFails(t *testing.T) {
	t.Parallel()
	var stderr bytes.Buffer
	got := sbc([]string{"version"}, strings.NewReader(""), failWriter{}, &stderr)
	if want := "sbc: cannot write the output to stdout: disk full\n"; got != exitUsage || stderr.String() != want {
		t.Errorf("status %d, stderr %q, want %q", got, stderr.String(), want)
	}
}
