package bwrap_test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target"
)

// TestIsolation holds what every sandbox closes besides files, each next to the
// same thing where the policy opens it.
func TestIsolation(t *testing.T) {
	t.Parallel()
	on := ir.Setting[bool]{Value: true, Set: true}
	for _, tt := range []struct {
		name  string
		line  string
		open  func(p *ir.Policy)
		shut  string // what the line prints in a closed sandbox
		freed string // and where the policy opens it
	}{
		{
			name: "nested namespaces", line: "unshare -U echo made 2>/dev/null || echo refused",
			open: func(p *ir.Policy) { p.Process.Namespaces = on }, shut: "refused", freed: "made",
		},
		{
			name: "a session of its own", line: `test "$(ps -o sid= -p 1 | tr -d ' ')" = 0 && echo caller || echo own`,
			open: func(p *ir.Policy) { p.Process.Terminal = on }, shut: "own", freed: "caller",
		},
		{
			name: "capabilities", line: "grep CapEff /proc/self/status | cut -f 2",
			open: func(p *ir.Policy) { p.Network.Mode.Value = ir.NetFull }, shut: "0000000000000000", freed: "0000000000000000",
		},
		{
			name: "masks hold in a nested namespace", line: "unshare -Um sh -c '" + undo + "' 2>/dev/null || sh -c '" + undo + "'",
			open: func(p *ir.Policy) { p.Process.Namespaces = on }, shut: "nothing, some", freed: "nothing, some",
		},
		{
			name: "processes of the host", line: "ls /proc | grep -c '^[0-9]' | awk '{ print ($1 < 10) ? \"few\" : \"many\" }'",
			open: func(p *ir.Policy) { p.Network.Mode.Value = ir.NetFull }, shut: "few", freed: "few",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			asUsers(t, func(t *testing.T, uid int) {
				shut := policy("deny " + hidden + "\nread /")
				freed := policy("deny " + hidden + "\nread /")
				tt.open(freed)
				got := [2]string{}
				for i, p := range []*ir.Policy{shut, freed} {
					out, errs, _ := boxPolicy(t, "/", uid, p).run(t, nil, "/bin/sh", "-c", tt.line)
					got[i] = strings.TrimSpace(out + errs)
				}
				if diff := cmp.Diff([2]string{tt.shut, tt.freed}, got); diff != "" {
					t.Errorf("closed and open (-want +got):\n%s", diff)
				}
			})
		})
	}
}

// hidden is a directory of every system that the tests close.
const hidden = "/usr/share"

// undo tries to take the mask of hidden away, and to write to the root, and then
// says what is seen in hidden and in a directory that is open.
const undo = `umount ` + hidden + ` 2>/dev/null
mount -o remount,rw,bind / 2>/dev/null && touch /undone 2>/dev/null && echo written
for dir in ` + hidden + ` /usr/lib; do test -n "$(ls $dir 2>/dev/null)" && echo some || echo nothing; done | paste -sd , | sed "s/,/, /"`

// TestNetwork holds the modes: a server on the host's loopback is the control.
func TestNetwork(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		mode ir.NetworkMode
		want string
	}{
		{ir.NetNone, "refused"},
		{ir.NetProxy, "refused"},
		{ir.NetFull, "connected"},
	} {
		asUsers(t, func(t *testing.T, uid int) {
			p := policy("read /")
			p.Network.Mode.Value = tt.mode
			line := "(exec 3<>/dev/tcp/127.0.0.1/" + port + ") 2>/dev/null && echo connected || echo refused"
			out, errs, _ := boxPolicy(t, "/", uid, p).run(t, nil, "/bin/bash", "-c", line)
			if got := strings.TrimSpace(out); got != tt.want {
				t.Errorf("mode %s: %q, want %q; stderr %q", tt.mode, got, tt.want, errs)
			}
		})
	}
}

// TestUnixSockets holds that only a listed socket can be connected to.
func TestUnixSockets(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Fatal("python3 is missing; install it")
	}
	dir := workDir(t)
	paths := map[string]string{}
	for _, name := range []string{"listed", "other"} {
		paths[name] = filepath.Join(dir, name+".sock")
		l, err := net.Listen("unix", paths[name])
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = l.Close() })
		if err := os.Chmod(paths[name], 0o777); err != nil {
			t.Fatal(err)
		}
	}
	connect := `
import socket, sys
for path in sys.argv[1:]:
    try:
        socket.socket(socket.AF_UNIX).connect(path)
        print("connected")
    except OSError as e:
        print(e.strerror)
`
	for _, tt := range []struct {
		name   string
		rules  string
		listed bool
		want   []string
	}{
		{"none listed", "read /", false, []string{"Address family not supported by protocol", "Address family not supported by protocol"}},
		{"one listed", "read /", true, []string{"connected", "Permission denied"}},
		{"one listed, its directory not opened", "read /usr\nread /lib\nread /lib64\nread /etc", true, []string{"connected", "No such file or directory"}},
		{"one listed and denied", "deny " + paths["listed"] + "\nread /", true, []string{"Permission denied", "Permission denied"}},
	} {
		asUsers(t, func(t *testing.T, uid int) {
			p := policy(tt.rules)
			if tt.listed {
				p.Network.UnixSockets = []ir.SocketRule{{Path: paths["listed"]}}
			}
			f := &host.Facts{OS: "linux", Arch: "amd64", UID: uid, Sockets: []string{paths["listed"], paths["other"]}}
			art, rep := compile(t, p, host.Live{}, target.Options{Facts: f})
			s := &sandbox{policy: p, art: art, rep: rep, uid: uid, dir: dir}
			out, errs, _ := s.run(t, nil, "/usr/bin/python3", "-c", connect, paths["listed"], paths["other"])
			if diff := cmp.Diff(tt.want, strings.Split(strings.TrimSpace(out), "\n")); diff != "" {
				t.Errorf("%s, uid %d (-want +got):\n%s\nstderr %q", tt.name, uid, diff, errs)
			}
		})
	}
}
