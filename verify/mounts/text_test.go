package mounts_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sandboxc/sbc/verify/mounts"
)

func TestReadText(t *testing.T) {
	t.Parallel()
	text := "--dir\n'/a b'\n--dir\n'/it'\\''s'\n--dir\n$'/\\303\\251\\012\\\\\\''\n--dir\n/w/%+=:,.@_-x\n--setenv\nA\n''\n"
	s, err := mounts.ReadText([]byte(text), mounts.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"--dir", "/a b", "--dir", "/it's", "--dir", "/é\n\\'", "--dir", "/w/%+=:,.@_-x", "--setenv", "A", ""}
	if diff := cmp.Diff(want, s.Args); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReadTextEmpty(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "\n"} {
		s, err := mounts.ReadText([]byte(text), mounts.ReadOptions{})
		if err != nil || len(s.Args) != 0 {
			t.Errorf("%q: %v, %v", text, s, err)
		}
	}
}

func TestReadTextErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, want string }{
		{"two words", "--dir\n/a b\n", `line 2: " " stands outside of quotes`},
		{"an empty line", "--dir\n\n/a\n", "line 2: the line is empty"},
		{"a variable", "--dir\n$HOME\n", `line 2: "$" stands outside of quotes`},
		{"double quotes", "--dir\n\"/a\"\n", `line 2: "\"" stands outside of quotes`},
		{"a glob", "--dir\n/a*\n", `line 2: "*" stands outside of quotes`},
		{"a comment", "# x\n", `line 1: "#" stands outside of quotes`},
		{"a home", "--dir\n~/x\n", `line 2: "~" stands outside of quotes`},
		{"bytes beyond ASCII", "--dir\n/é\n", `line 2: "\xc3" stands outside of quotes`},
		{"an open quote", "--dir\n'/a\n", "line 2: a quote is not closed"},
		{"an open escape", "--dir\n$'/a\n", "line 2: a quote is not closed"},
		{"another escape", "--dir\n$'\\n'\n", "line 2: an escape is not three octal digits"},
		{"a byte beyond", "--dir\n$'\\777'\n", "line 2: an escape is not three octal digits"},
		{"an option", "--dirr\n/a\n", "argument 0 (--dirr): bubblewrap has no such option"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if _, err := mounts.ReadText([]byte(tt.text), mounts.ReadOptions{}); err == nil || err.Error() != tt.want {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}
