package bwrap_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	eacces = "permission denied"
	enoent = "no such file or directory"
	erofs  = "read-only file system"
	ebusy  = "device or resource busy"
	eexist = "file exists"
	exdev  = "invalid cross-device link"
	ok     = "ok"
)

// TestMasks holds each kind of mount to what the kernel does with it. Each
// refusal stands beside the same operation on something open.
func TestMasks(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		plant string
		rules string
		want  [][2]string // question, answer
	}{
		{
			name:  "read-only directory in a writable root",
			plant: "w/ro/f w/rw/f v",
			rules: "protect $W/w/ro\nwrite $W/w\nread /",
			want: [][2]string{
				{"read $W/w/ro/f", ok},
				{"read $W/w/ro", ok},
				{"write $W/w/ro/f", erofs},
				{"create $W/w/ro/new", erofs},
				{"mkdir $W/w/ro/new", erofs},
				{"unlink $W/w/ro/f", erofs},
				{"unlink $W/w/ro", ebusy},
				{"remove $W/w/ro", ebusy},
				{"chmod $W/w/ro", erofs},
				{"write $W/w/rw/f", ok},
				{"create $W/w/rw/new", ok},
				{"mkdir $W/w/rw/new", ok},
				{"unlink $W/w/rw/f", ok},
				{"unlink $W/w/rw", ok},
				{"write $W/v", erofs},
				{"create $W/new", erofs},
				{"create /new", erofs},
			},
		},
		{
			name:  "read-only file in a writable root",
			plant: "w/ro w/rw",
			rules: "protect $W/w/ro\nwrite $W/w\nread /",
			want: [][2]string{
				{"read $W/w/ro", ok},
				{"write $W/w/ro", erofs},
				{"unlink $W/w/ro", ebusy},
				{"remove $W/w/ro", ebusy},
				{"chmod $W/w/ro", erofs},
				{"write $W/w/rw", ok},
				{"unlink $W/w/rw", ok},
			},
		},
		{
			name:  "closed directory",
			plant: "w/no/f w/yes/f",
			rules: "deny $W/w/no\nwrite $W/w\nread /",
			want: [][2]string{
				{"read $W/w/no", eacces},
				{"read $W/w/no/f", eacces},
				{"write $W/w/no/f", eacces},
				{"create $W/w/no/new", eacces},
				{"unlink $W/w/no", ebusy},
				{"chmod $W/w/no", erofs},
				{"create $W/w/no/new", eacces}, // still
				{"read $W/w/yes", ok},
				{"read $W/w/yes/f", ok},
				{"create $W/w/yes/new", ok},
			},
		},
		{
			name:  "closed file",
			plant: "w/no w/yes",
			rules: "deny $W/w/no\nwrite $W/w\nread /",
			want: [][2]string{
				{"read $W/w/no", eacces},
				{"write $W/w/no", eacces},
				{"create $W/w/no", eexist},
				{"unlink $W/w/no", ebusy},
				{"remove $W/w/no", ebusy},
				{"chmod $W/w/no", erofs},
				{"read $W/w/no", eacces}, // still
				{"read $W/w/yes", ok},
				{"write $W/w/yes", ok},
			},
		},
		{
			name:  "open inside closed",
			plant: "w/no/d/open/f w/no/f w/no/g",
			rules: "write $W/w/no/d/open\nread $W/w/no/g\nnone $W/w/no\nwrite $W/w\nread /",
			want: [][2]string{
				{"read $W/w/no/d/open/f", ok},
				{"write $W/w/no/d/open/f", ok},
				{"create $W/w/no/d/open/new", ok},
				{"read $W/w/no/g", ok},
				{"write $W/w/no/g", erofs},
				{"read $W/w/no/f", enoent},
				{"read $W/w/no", eacces},
				{"read $W/w/no/d", eacces},
				{"create $W/w/no/new", erofs},
				{"create $W/w/no/d/new", erofs},
				{"unlink $W/w/no/d", erofs},
				{"unlink $W/w/no/d/open", erofs},
				{"chmod $W/w/no/d", erofs},
			},
		},
		{
			name:  "every name of a directory",
			plant: "w/d/f w/e/f w/g/f",
			rules: "deny $W/w/d/*\nprotect $W/w/e/*\nwrite $W/w\nread /",
			want: [][2]string{
				{"read $W/w/d/f", enoent},
				{"read $W/w/d", ok},
				{"create $W/w/d/new", erofs},
				{"chmod $W/w/d", erofs},
				{"read $W/w/e/f", ok},
				{"write $W/w/e/f", erofs},
				{"create $W/w/e/new", erofs},
				{"unlink $W/w/e", ebusy},
				{"create $W/w/g/new", ok},
				{"unlink $W/w/g", ok},
			},
		},
		{
			name:  "a pin can be written and not moved",
			plant: "w/a/b/no w/a/b/yes w/c/f",
			rules: "deny $W/w/a/b/no\nwrite $W/w\nread /",
			want: [][2]string{
				{"unlink $W/w/a", ebusy},
				{"unlink $W/w/a/b", ebusy},
				{"unlink $W/w", erofs},
				{"create $W/w/a/new", ok},
				{"create $W/w/a/b/new", ok},
				{"unlink $W/w/a/b/yes", ok},
				{"write $W/w/a/b", ok},
				{"unlink $W/w/c", ok},
				{"read $W/w/a/b/no", eacces},
			},
		},
		{
			name:  "placeholders",
			plant: "w/x",
			rules: "deny $W/w/key\nprotect $W/w/cfg\nprotect $W/w/d/e/f\nwrite $W/w\nread /",
			want: [][2]string{
				{"create $W/w/key", eexist},
				{"read $W/w/key", eacces},
				{"create $W/w/key/x", eacces},
				{"unlink $W/w/key", ebusy},
				{"create $W/w/cfg", eexist},
				{"read $W/w/cfg", ok},
				{"create $W/w/cfg/x", erofs},
				{"mkdir $W/w/d", eexist},
				{"mkdir $W/w/d/e", erofs},
				{"unlink $W/w/d", ebusy},
				{"create $W/w/other", ok},
			},
		},
		{
			name:  "a root of made parents",
			plant: "w/f v/f u/f",
			rules: "write $W/w\nread $W/v",
			want: [][2]string{
				{"read $W/w/f", ok},
				{"write $W/w/f", ok},
				{"create $W/w/new", ok},
				{"read $W/v/f", ok},
				{"write $W/v/f", erofs},
				{"read $W/u/f", enoent},
				{"read /", eacces},
				{"read $W/..", eacces},
				{"read $W", eacces},
				{"create /new", erofs},
				{"create $W/new", erofs},
				{"chmod /", erofs},
				{"chmod $W", erofs},
				{"unlink $W/w", erofs},
				{"read /etc", enoent},
				{"write /dev/null", ok},
				{"read /proc", ok},
			},
		},
		{
			name:  "other names of closed files",
			plant: "w/key w/lock w/free w/s/k=>w/key w/s/l=>w/lock w/s/f=>w/free w/x.env w/conf w/.env->conf",
			rules: "deny $W/w/key\nprotect $W/w/lock\ndeny $W/w/**/.env\nwrite $W/w\nread /",
			want: [][2]string{
				{"read $W/w/key", eacces},
				{"read $W/w/s/k", eacces},
				{"write $W/w/s/k", eacces},
				{"read $W/w/lock", ok},
				{"write $W/w/lock", erofs},
				{"write $W/w/s/l", erofs},
				{"write $W/w/s/f", ok},
				{"read $W/w/.env", eacces},
				{"read $W/w/conf", eacces},
				{"read $W/w/x.env", ok},
			},
		},
		{
			name:  "a private tmp",
			plant: "w/f",
			rules: "write $W/w\nprivate /tmp\nread /",
			want: [][2]string{
				{"read $W/w/f", ok},
				{"create $W/w/new", ok},
				{"create /tmp/new", ok},
				{"read /tmp", ok},
				{"create /new", erofs},
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			asUsers(t, func(t *testing.T, uid int) {
				dir := workDir(t)
				plant(t, dir, uid, strings.Fields(tt.plant)...)
				var questions, want, got []string
				for _, q := range tt.want {
					questions = append(questions, q[0])
					want = append(want, q[0]+": "+q[1])
				}
				for i, a := range box(t, dir, uid, tt.rules).ask(t, questions...) {
					got = append(got, questions[i]+": "+a)
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			})
		})
	}
}
