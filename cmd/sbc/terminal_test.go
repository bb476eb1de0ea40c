package main

import (
	"bytes"
	"testing"
)

func TestColored(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name     string
		env      map[string]string
		terminal bool
		want     bool
	}{
		{"a terminal", nil, true, true},
		{"no terminal", nil, false, false},
		{"NO_COLOR", map[string]string{"NO_COLOR": "1"}, true, false},
		{"empty NO_COLOR", map[string]string{"NO_COLOR": ""}, true, true},
		{"dumb", map[string]string{"TERM": "dumb"}, true, false},
		{"FORCE_COLOR", map[string]string{"FORCE_COLOR": "1"}, false, true},
		{"FORCE_COLOR beats the rest", map[string]string{"FORCE_COLOR": "1", "NO_COLOR": "1", "TERM": "dumb"}, false, true},
		{"FORCE_COLOR=0", map[string]string{"FORCE_COLOR": "0"}, true, false},
		{"empty FORCE_COLOR", map[string]string{"FORCE_COLOR": ""}, false, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			lookup := func(name string) (string, bool) { v, ok := tc.env[name]; return v, ok }
			if got := colored(lookup, tc.terminal); got != tc.want {
				t.Errorf("got %v, want %v", got, tc.want)
			}
		})
	}
}

func TestLookOfPipe(t *testing.T) {
	t.Parallel()
	a := newApp(nil, nil, nil)
	a.lookup = func(string) (string, bool) { return "", false }
	if got := a.lookOf(&bytes.Buffer{}); got != (look{}) {
		t.Errorf("got %+v, want no colour and no wrapping", got)
	}
}

func TestWrapped(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, text string
		width      int
		want       string
	}{
		{"no width", "one two three", 0, "  one two three\n"},
		{"fits", "one two", 9, "  one two\n"},
		{"breaks", "one two three", 9, "  one two\n    three\n"},
		{"a word that is too long", "one incomprehensible two", 9, "  one\n    incomprehensible\n    two\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if got := wrapped("  ", tc.text, tc.width); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestOneLine(t *testing.T) {
	t.Parallel()
	if got, want := oneLine("a\x1b[31mb\nc\u202ed é"), "a\uFFFD[31mb\uFFFDc\uFFFDd é"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
