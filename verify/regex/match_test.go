package regex_test

import (
	"strings"
	"testing"
	"time"

	"github.com/sandboxc/sbc/verify/regex"
)

func TestMatch(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, pattern, path string
		want                bool
	}{
		{"anywhere", `\.env$`, "/w/a.env", true},
		{"no globstar, no directory", `^/w/(.*/)?\.env$`, "/w/.env", true},
		{"a globstar over two directories", `^/w/(.*/)?\.env$`, "/w/d/e/.env", true},
		{"not within a name", `^/w/(.*/)?\.env$`, "/w/xenv", false},
		{"not at the end of a name", `^/w/(.*/)?\.env$`, "/w/a.env", false},
		{"a group that never matches", `^/w/(?:.*/)?\.env$`, "/w/d/.env", false},
		{"two backslashes are one that is literal", `^/w/\\.env$`, "/w/.env", false},
		{"and then any byte", `^/w/\\.env$`, `/w/\xenv`, true},
		{"a segment", `^/w/[^/]*\.pem$`, "/w/k.pem", true},
		{"a segment ends", `^/w/[^/]*\.pem$`, "/w/d/k.pem", false},
		{"an end in a group", `\.app(/|$)`, "/x.app", true},
		{"a slash in a group", `\.app(/|$)`, "/x.app/y", true},
		{"neither", `\.app(/|$)`, "/x.apple", false},
		{"a start in a group", `(^|/)a$`, "a", true},
		{"an end that is none", `a$b`, "ab", false},
		{"no newline at the end", `a$`, "a\n", false},
		{"a dot and a newline", `^a.b$`, "a\nb", true},
		{"a class and a newline", `^a[^/]b$`, "a\nb", true},
		{"a class and a byte from 0x80", `^a[^/]b$`, "a\xffb", true},
		{"a class is one byte", `^a[^/]b$`, "aéb", false},
		{"two bytes of a character", `^aé$`, "aé", true},
		{"case", `^/W$`, "/w", false},
		{"a count", `^~[-A-Za-z0-9_]{3}$`, "~a-_", true},
		{"a count missed", `^~[-A-Za-z0-9_]{3}$`, "~a-", false},
		{"a count exceeded", `^a{2,3}$`, "aaaa", false},
		{"a count of none", `^a{0}b$`, "b", true},
		{"nested stars", `^((a*)*b)*$`, "aabab", true},
		{"empty", ``, "", true},
		{"empty in any path", ``, "/a", true},
		{"both anchors", `^$`, "", true},
		{"both anchors in a path", `^$`, "/", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := regex.MustParse(tt.pattern).Match(tt.path); got != tt.want {
				t.Errorf("%q matches %q = %v, want %v", tt.pattern, tt.path, got, tt.want)
			}
		})
	}
}

// An expression that takes a backtracking matcher longer than the universe
// exists takes this one a moment.
func TestMatchIsLinear(t *testing.T) {
	t.Parallel()
	re := regex.MustParse(`^(a|a)*(a|a)*(a*)*b$`)
	done := make(chan bool, 1)
	go func() { done <- re.Match(strings.Repeat("a", 20000)) }()
	select {
	case got := <-done:
		if got {
			t.Error("a path without b matches")
		}
	case <-time.After(20 * time.Second):
		t.Error("the match takes longer than 20 s")
	}
}
