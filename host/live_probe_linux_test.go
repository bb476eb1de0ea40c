package host_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/host"
)

// TestProbeThisMachine looks at the machine that the tests run on, as root and
// as an ordinary user. It needs bubblewrap.
func TestProbeThisMachine(t *testing.T) {
	t.Parallel()
	probeThisMachine(t)
}

// TestProbeAsUser is TestProbeThisMachine for an ordinary user.
func TestProbeAsUser(t *testing.T) {
	t.Parallel()
	asUser(t, probeThisMachine)
}

func probeThisMachine(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	l, err := net.Listen("unix", dir+"/a b")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()

	got, err := host.Probe(t.Context(), host.LiveSources(os.Getenv))
	if err != nil {
		t.Fatal(err)
	}
	release, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		t.Fatal(err)
	}
	if got.OS != "linux" || got.Arch != runtime.GOARCH || got.UID != os.Getuid() || got.Kernel != strings.TrimSpace(string(release)) || got.OSVersion != "" {
		t.Errorf("got %+v", got)
	}
	for _, p := range []string{got.Home, got.Temp, got.Cache, got.Config} {
		if !path.IsAbs(p) || path.Clean(p) != p {
			t.Errorf("%q is not absolute and clean", p)
		}
	}
	if !slices.Contains(got.Sockets, dir+"/a b") {
		t.Errorf("the socket of the test is not in %q", got.Sockets)
	}
	if got.Bwrap == nil {
		t.Fatal("bubblewrap was not found: install it")
	}
	out, err := exec.Command(got.Bwrap.Path, "--version").Output()
	if err != nil {
		t.Fatal(err)
	}
	if want := "bubblewrap " + got.Bwrap.Version + "\n"; string(out) != want {
		t.Errorf("bwrap --version prints %q, want %q", out, want)
	}
	for _, flag := range []string{"--bind", "--ro-bind", "--perms", "--chmod", "--remount-ro", "--args", "--unshare-user", "--cap-drop"} {
		if !got.Bwrap.Has(flag) {
			t.Errorf("%s is not in %q", flag, got.Bwrap.Flags)
		}
	}
}

func TestExec(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, script string
		env          []string
		files        [][]byte
		want         host.Output
	}{
		{"status", "exit 7", nil, nil, host.Output{Code: 7}},
		{"outputs", "echo out; echo err >&2", nil, nil, host.Output{Stdout: []byte("out\n"), Stderr: []byte("err\n")}},
		{"signal", "kill -9 $$", nil, nil, host.Output{Code: 137}},
		{"no environment but what is given", "/usr/bin/env | grep -v -e ^PWD= -e ^_= -e ^SHLVL=; pwd", []string{"A=b c"}, nil, host.Output{Stdout: []byte("A=b c\n/\n")}},
		{"no environment at all", "/usr/bin/env | grep -v -e ^PWD= -e ^_= -e ^SHLVL=; true", nil, nil, host.Output{}},
		{"no input", "cat", nil, nil, host.Output{}},
		{"files", "cat <&3; cat <&4", nil, [][]byte{[]byte("three\n"), bytes.Repeat([]byte("x"), 4096)}, host.Output{Stdout: append([]byte("three\n"), bytes.Repeat([]byte("x"), 4096)...)}},
		{"much output", "head -c 100000 /dev/zero", nil, nil, host.Output{Stdout: make([]byte, 64<<10)}},
		{"output held by a child", "sleep 5 & echo out", nil, nil, host.Output{Stdout: []byte("out\n")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := host.Exec{}.Run(t.Context(), host.Command{Path: "/bin/sh", Args: []string{"-c", tt.script}, Env: tt.env, Files: tt.files})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(tt.want.Stdout), string(got.Stdout)); diff != "" {
				t.Errorf("stdout (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(string(tt.want.Stderr), string(got.Stderr)); diff != "" {
				t.Errorf("stderr (-want +got):\n%s", diff)
			}
			if got.Code != tt.want.Code {
				t.Errorf("got status %d, want %d", got.Code, tt.want.Code)
			}
		})
	}
}

func TestExecErrors(t *testing.T) {
	t.Parallel()
	if _, err := (host.Exec{}).Run(t.Context(), host.Command{Path: "/nonexistent"}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing program: got %v", err)
	}
	if _, err := (host.Exec{}).Run(t.Context(), host.Command{Path: "/bin/true", Files: [][]byte{make([]byte, 4097)}}); err == nil {
		t.Error("large file: got no error")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	start := time.Now()
	_, err := host.Exec{}.Run(ctx, host.Command{Path: "/bin/sh", Args: []string{"-c", "sleep 5; true"}})
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("timeout: got %v", err)
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("the timeout took %v", took)
	}
}
