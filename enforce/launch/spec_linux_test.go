package launch_test

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/enforce/launch"
)

// TestSpec holds what is refused before anything is started.
func TestSpec(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		change func(s *launch.Spec)
		want   string
	}{
		{"no artifact", func(s *launch.Spec) { s.Artifact = nil }, "no artifact to run a command under"},
		{"no path", func(s *launch.Spec) { s.Bwrap = "bwrap" }, `the path of bubblewrap must be absolute, not "bwrap"`},
		{"no bubblewrap", func(s *launch.Spec) { s.Bwrap = "/missing" }, "start /missing: no such file or directory"},
		{"no command", func(s *launch.Spec) { s.Command = nil }, `the command must begin with an absolute path, not []`},
		{"a name", func(s *launch.Spec) { s.Command = []string{"true"} }, `the command must begin with an absolute path, not ["true"]`},
		{"a relative directory", func(s *launch.Spec) { s.Dir = "x" }, `the working directory must be absolute, not "x"`},
		{"a terminal", func(s *launch.Spec) { s.Terminal = os.Stdin }, "the policy gives the command no terminal"},
		{"a NUL byte", func(s *launch.Spec) { s.Dir = "/a\x00b" }, `the option "/a\x00b" has a NUL byte`},
		{"too much", func(s *launch.Spec) { s.Command = append(s.Command, make([]string, 9000)...) }, "9029 arguments; bubblewrap takes 9000"},
	} {
		spec := (&job{Command: []string{"/bin/true"}}).spec()
		tt.change(spec)
		_, err := launch.Run(context.Background(), spec)
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}

// TestMaxArgs holds that what is counted is what bubblewrap counts: it takes as
// many. (With MaxArgs one larger, it refuses the second.)
func TestMaxArgs(t *testing.T) {
	t.Parallel()
	spec := (&job{Command: []string{"/bin/true"}}).spec()
	const others = 9029 - 9000 // see TestSpec
	spec.Command = append(spec.Command, make([]string, launch.MaxArgs-others)...)
	if _, err := launch.Run(context.Background(), spec); err != nil {
		t.Error(err)
	}
	spec.Command = append(spec.Command, "")
	want := strconv.Itoa(launch.MaxArgs+1) + " arguments"
	if _, err := launch.Run(context.Background(), spec); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
}

// TestNoStreams holds that a stream which is nil is empty, and takes what is
// written.
func TestNoStreams(t *testing.T) {
	t.Parallel()
	spec := (&job{Command: sh("echo x && echo y >&2 && cat && exit 4"), Env: []string{"PATH=/bin"}}).spec()
	res, err := launch.Run(context.Background(), spec)
	if err != nil || res.Code != 4 {
		t.Errorf("%+v, %v", res, err)
	}
}

// TestCancel holds that the end of the context ends the command, which is told
// first, and that nothing starts after it.
func TestCancel(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	spec := (&job{Command: sh("trap 'exit 5' TERM; while :; do sleep 0.01; done"), Env: []string{"PATH=/bin"}}).spec()
	spec.Held = func(int) error {
		time.AfterFunc(200*time.Millisecond, cancel)
		return nil
	}
	res, err := launch.Run(ctx, spec)
	if err != nil || res.Code != 5 || res.TimedOut || res.Killed {
		t.Errorf("%+v, %v", res, err)
	}
	res, err = launch.Run(ctx, spec)
	if !errors.Is(err, context.Canceled) || res != nil {
		t.Errorf("afterwards: %+v, %v", res, err)
	}
}

// TestNoTrace holds that nothing runs where bubblewrap cannot be traced.
func TestNoTrace(t *testing.T) {
	t.Parallel()
	asUsers(t, func(t *testing.T, uid int) {
		text, out := run(t, uid, job{Command: sh("echo ran"), NoTrace: true})
		if text != "" || out.Kind != "*launch.TraceError" || !strings.HasPrefix(out.Error, "cannot trace bubblewrap: operation not permitted; the command did not run") {
			t.Errorf("%q, %+v", text, out)
		}
	})
}

// TestMessage holds how an error of bubblewrap reads.
func TestMessage(t *testing.T) {
	t.Parallel()
	got := []string{
		(&launch.BwrapError{Code: 1}).Error(),
		(&launch.BwrapError{Code: 1, Text: "Can't mkdir /x"}).Error(),
		(&launch.ExecError{Path: "/x"}).Error(),
		(&launch.ExecError{Path: "/x", Text: "Exec format error"}).Error(),
	}
	want := []string{
		"bubblewrap cannot make the sandbox (status 1); the command did not run",
		"bubblewrap cannot make the sandbox: Can't mkdir /x; the command did not run",
		"cannot execute /x in the sandbox",
		"cannot execute /x in the sandbox: Exec format error",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
