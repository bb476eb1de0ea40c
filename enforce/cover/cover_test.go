package cover_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sandboxc/sbc/enforce/cover"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/target/bwrap"
)

// view knows of every path but those that are missing.
type view struct {
	host.View
	missing string
}

func (v view) Lstat(path string) (host.Node, error) {
	if path == v.missing {
		return host.Node{}, fs.ErrNotExist
	}
	return host.Node{Dev: 7, Ino: uint64(len(path))}, nil
}

// TestSplit: what may be covered after bubblewrap is what the nearest mount above
// shows of the host, with nothing on it or beneath it.
func TestSplit(t *testing.T) {
	t.Parallel()
	file := func(path string) bwrap.Mount { return bwrap.Mount{Kind: bwrap.ClosedFile, Path: path, Host: "file"} }
	dir := func(path string) bwrap.Mount {
		return bwrap.Mount{Kind: bwrap.ClosedDir, Path: path, Host: "dir", Perm: 0o111}
	}
	mount := func(kind bwrap.Kind, path string) bwrap.Mount {
		return bwrap.Mount{Kind: kind, Path: path, Host: "dir"}
	}
	root := mount(bwrap.ReadOnlyBind, "/")
	late, placeholder, socket, descriptor := dir("/late"), dir("/placeholder"), file("/socket"), file("/descriptor")
	late.Late, placeholder.Placeholder, socket.Host, descriptor.FD = true, true, "socket", 5
	for _, tt := range []struct {
		name   string
		mounts []bwrap.Mount
		want   string
	}{
		{"beneath binds", []bwrap.Mount{root, file("/f"), mount(bwrap.WritableBind, "/w"), file("/w/a/f"), dir("/w/d"), mount(bwrap.PinBind, "/w/p"), file("/w/p/f"), mount(bwrap.DeviceBind, "/dev/x"), file("/dev/x/f")}, "/f /w/a/f /w/d /w/p/f /dev/x/f"},
		{"a socket", []bwrap.Mount{root, socket}, "/socket"},
		{"an empty directory", []bwrap.Mount{root, mount(bwrap.EmptyDir, "/e")}, "/e"},
		{"on nothing", []bwrap.Mount{file("/f"), mount(bwrap.MadeDir, "/m"), file("/m/f")}, ""},
		{"in private storage", []bwrap.Mount{root, mount(bwrap.PrivateTmp, "/tmp"), file("/tmp/f"), mount(bwrap.PrivateProc, "/proc"), file("/proc/kcore"), mount(bwrap.PrivateDev, "/dev"), file("/dev/f")}, ""},
		{"in a closed directory", []bwrap.Mount{root, late, file("/late/f"), mount(bwrap.ReadOnlyBind, "/late/open"), file("/late/open/f")}, "/late/open/f"},
		{"under a later mount", []bwrap.Mount{root, file("/a/f"), mount(bwrap.ReadOnlyBind, "/a")}, ""},
		{"with something beneath", []bwrap.Mount{root, dir("/d"), mount(bwrap.ReadOnlyBind, "/d/x/y")}, ""},
		{"twice", []bwrap.Mount{root, dir("/d"), dir("/d")}, ""},
		{"the launcher's", []bwrap.Mount{root, late, placeholder, descriptor}, ""},
		{"unknown", []bwrap.Mount{root, file("/missing"), {Kind: bwrap.ClosedFile, Path: "/made"}}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := &bwrap.Plan{Mounts: tt.mounts, MaskFile: "/mask", Seal: []string{"/"}}
			w := cover.Split(p, view{missing: "/missing"}, 0)
			var covered, left []string
			for _, c := range w.Paths {
				covered = append(covered, c.Name)
				if c.Dev != 7 || c.Ino != uint64(len(c.Name)) {
					t.Errorf("%+v", c)
				}
			}
			if got := strings.Join(covered, " "); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
			for _, m := range w.Plan.Mounts {
				left = append(left, m.Path)
			}
			if len(left)+len(covered) != len(tt.mounts) || w.MaskFile != "/mask" || len(w.Plan.Seal) != 1 || len(p.Mounts) != len(tt.mounts) {
				t.Errorf("left %q, %+v", left, w)
			}
		})
	}
}

// TestSplitLeast: fewer than so many are not worth it.
func TestSplitLeast(t *testing.T) {
	t.Parallel()
	p := &bwrap.Plan{Mounts: []bwrap.Mount{{Kind: bwrap.ReadOnlyBind, Path: "/"}}}
	for i := range cover.Least {
		if w := cover.Split(p, view{}, cover.Least); w != nil {
			t.Fatalf("%d are split", i)
		}
		p.Mounts = append(p.Mounts, bwrap.Mount{Kind: bwrap.ClosedFile, Path: fmt.Sprintf("/f%d", i), Host: "file"})
	}
	if w := cover.Split(p, view{}, cover.Least); w == nil || len(w.Plan.Mounts) != 1 {
		t.Errorf("%+v", w)
	}
}

// TestOrder: decode(encode(order)) = order, and anything less is an error.
func TestOrder(t *testing.T) {
	t.Parallel()
	w := &cover.Work{MaskFile: "/m", Paths: []cover.Path{
		{Name: "/a\nb\xff", Dev: 1<<64 - 1, Ino: 3}, {Name: "/d", Dir: true, Perm: 0o555},
	}}
	argv, env := []string{"bwrap", "", "--"}, []string{"A=1", "B="}
	data, err := w.Order("/usr/bin/bwrap", argv, env)
	if err != nil {
		t.Fatal(err)
	}
	program, gotArgv, gotEnv, got, err := cover.Decode(data)
	if diff := cmp.Diff([]any{"/usr/bin/bwrap", argv, env, w}, []any{program, gotArgv, gotEnv, got}, cmpopts.EquateEmpty()); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for n := range data {
		if _, _, _, _, err := cover.Decode(data[:n]); err == nil {
			t.Errorf("%d of %d bytes are enough", n, len(data))
		}
	}
	if _, _, _, _, err := cover.Decode(append(data, 'x')); err == nil {
		t.Error("more is no error")
	}
	if _, err := w.Order("/usr/bin/bwrap", []string{"a\x00b"}, nil); err == nil {
		t.Error("a NUL is no error")
	}
}

// TestAnswer: what went wrong arrives as it was.
func TestAnswer(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		"started\x0012": "12, <nil>",
		cover.Failure(cover.Changed("/a\nb", "has vanished")): `, the machine has changed since the policy was compiled: "/a\nb" has vanished`,
		cover.Failure(errors.New("no")):                       ", cover what is closed: no",
		"":                                                    ", cover what is closed: it ended and did not say why",
		"covered":                                             ", cover what is closed: it ended and did not say why",
	} {
		text, err := cover.Read(answer, "started")
		if got := fmt.Sprintf("%s, %v", text, err); got != want {
			t.Errorf("%q: %q, want %q", answer, got, want)
		}
	}
}
