package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestUnified(t *testing.T) {
	t.Parallel()
	numbers := func(from, to int) string {
		var b strings.Builder
		for i := from; i <= to; i++ {
			fmt.Fprintf(&b, "%d\n", i)
		}
		return b.String()
	}
	for _, tc := range []struct{ name, x, y, want string }{
		{"equal", "a\nb\n", "a\nb\n", ""},
		{"changed", "a\nb\nc\n", "a\nB\nc\n", "--- old\n+++ new\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"},
		{"from nothing", "", "a\n", "--- old\n+++ new\n@@ -0,0 +1,1 @@\n+a\n"},
		{"to nothing", "a\n", "", "--- old\n+++ new\n@@ -1,1 +0,0 @@\n-a\n"},
		{"no newline", "a", "b", "--- old\n+++ new\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"},
		{
			"context", numbers(1, 20), numbers(1, 9) + numbers(11, 20),
			"--- old\n+++ new\n@@ -7,7 +7,6 @@\n 7\n 8\n 9\n-10\n 11\n 12\n 13\n",
		},
		{
			"two hunks", numbers(1, 20), numbers(2, 19) + "x\n",
			"--- old\n+++ new\n@@ -1,4 +1,3 @@\n-1\n 2\n 3\n 4\n@@ -17,4 +16,4 @@\n 17\n 18\n 19\n-20\n+x\n",
		},
		{
			"near changes share a hunk", numbers(1, 9), "1\n3\n4\n5\n6\n7\n9\n",
			"--- old\n+++ new\n@@ -1,9 +1,7 @@\n 1\n-2\n 3\n 4\n 5\n 6\n 7\n-8\n 9\n",
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tc.want, unified("old", "new", []byte(tc.x), []byte(tc.y))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestUnifiedApplies: the difference is empty only for equal texts, and turns
// the one into the other.
func TestUnifiedApplies(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.Custom(func(t *rapid.T) string {
			line := rapid.SampledFrom([]string{"a\n", "b\n", "c\n", "d\n", "e\n", "f\n", "g\n", "\n", "-- x\n"})
			return strings.Join(rapid.SliceOfN(line, 0, 40).Draw(t, "lines"), "")
		})
		x, y := text.Draw(t, "x"), text.Draw(t, "y")
		d := unified("x", "y", []byte(x), []byte(y))
		if (d == "") != (x == y) {
			t.Fatalf("%q, %q: %q", x, y, d)
		}
		if got := apply(t, x, d); got != y {
			t.Fatalf("%q with\n%s\ngives %q, want %q", x, d, got, y)
		}
	})
}

// apply is a small patch(1) for texts that end with a newline.
func apply(t *rapid.T, x, d string) string {
	if d == "" {
		return x
	}
	old := lines([]byte(x))
	at := 0
	var out strings.Builder
	for i, line := range lines([]byte(d)) {
		switch {
		case i < 2: // the names
		case strings.HasPrefix(line, "@@ "):
			var start, n int
			if _, err := fmt.Sscanf(line, "@@ -%d,%d", &start, &n); err != nil {
				t.Fatal(err)
			}
			if n > 0 {
				start--
			}
			out.WriteString(strings.Join(old[at:start], ""))
			at = start
		case line[0] == '+':
			out.WriteString(line[1:])
		default:
			if old[at] != line[1:] {
				t.Fatalf("line %d is %q and not %q", at, old[at], line[1:])
			}
			if line[0] == ' ' {
				out.WriteString(line[1:])
			}
			at++
		}
	}
	out.WriteString(strings.Join(old[at:], ""))
	return out.String()
}
