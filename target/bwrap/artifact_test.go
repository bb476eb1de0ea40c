package bwrap_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target"
	"github.com/sandboxc/sbc/target/bwrap"
	"github.com/sandboxc/sbc/target/bwrap/seccomp"
)

func sample(t testing.TB) *bwrap.Artifact {
	t.Helper()
	p := policy("deny /w/a~b\ndeny /w/dir/in\ndeny /w/new\nwrite /w\nread /usr")
	v := view("d /dev\nd /proc\nd /usr/bin\nl /bin -> usr/bin\nf /w/a~b\nd /w/dir/in")
	art, _ := compile(t, p, v, target.Options{Facts: facts("0.12.0")})
	return art
}

func TestFormats(t *testing.T) {
	t.Parallel()
	art := sample(t)
	text, err := art.Render(target.Text)
	if err != nil {
		t.Fatal(err)
	}
	want := `--unshare-user
--disable-userns
--unshare-pid
--unshare-ipc
--unshare-uts
--unshare-cgroup-try
--unshare-net
--cap-drop
ALL
--die-with-parent
--new-session
--seccomp
3
--symlink
usr/bin
/bin
--dev
/dev
--proc
/proc
--ro-bind
/proc/sys
/proc/sys
--ro-bind
/usr
/usr
--bind
/w
/w
--perms
0000
--ro-bind-data
5
'/w/a~b'
--bind
/w/dir
/w/dir
--perms
0000
--tmpfs
/w/dir/in
--remount-ro
/w/dir/in
--perms
0000
--tmpfs
/w/new
--remount-ro
/w/new
--chmod
0111
/
--remount-ro
/
`
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	args0, err := art.Render(target.Args0)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Join(art.Args(), "\x00")+"\x00", string(args0)); diff != "" {
		t.Errorf("args0 (-want +got):\n%s", diff)
	}
	if _, err := art.Render("xml"); err == nil || err.Error() != `the target linux has no format "xml"; it has [text json args0 sh]` {
		t.Errorf("Render(xml): %v", err)
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	art := sample(t)
	data, err := art.Render(target.JSON)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Version      int
		Target       string
		Arch         string
		Bwrap        string
		Placeholders []string
		Writable     []string
		Mounts       []map[string]any
		FDs          []map[string]any
		Argv         []string
		Args0        []byte
		Seccomp      []byte
	}
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if got.Version != bwrap.PlanVersion || got.Target != "linux" || got.Arch != "amd64" || got.Bwrap != "/usr/bin/bwrap" {
		t.Errorf("head: %+v", got)
	}
	if diff := cmp.Diff([]string{"/w/new"}, got.Placeholders); diff != "" {
		t.Errorf("placeholders (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"/w"}, got.Writable); diff != "" {
		t.Errorf("writable (-want +got):\n%s", diff)
	}
	fds := []map[string]any{{"fd": 3.0, "use": "seccomp"}, {"fd": 4.0, "use": "args"}, {"fd": 5.0, "use": "mask", "path": "/w/a~b"}}
	if diff := cmp.Diff(fds, got.FDs); diff != "" {
		t.Errorf("fds (-want +got):\n%s", diff)
	}
	mounts := []map[string]any{
		{"kind": "made-link", "path": "/bin", "host": "link", "text": "usr/bin", "optional": true},
		{"kind": "dev", "path": "/dev", "host": "dir", "rules": []any{3.0}},
		{"kind": "proc", "path": "/proc", "host": "dir", "rules": []any{4.0}},
		{"kind": "read-only", "path": "/usr", "host": "dir", "rules": []any{6.0}},
		{"kind": "writable", "path": "/w", "host": "dir", "rules": []any{5.0}},
		{"kind": "closed-file", "path": "/w/a~b", "host": "file", "perm": "0000", "fd": 5.0, "rules": []any{0.0}},
		{"kind": "pin", "path": "/w/dir", "host": "dir", "optional": true, "rules": []any{1.0}},
		{"kind": "closed-dir", "path": "/w/dir/in", "host": "dir", "perm": "0000", "rules": []any{1.0}},
		{"kind": "closed-dir", "path": "/w/new", "perm": "0000", "placeholder": true, "rules": []any{2.0}},
	}
	if diff := cmp.Diff(mounts, got.Mounts); diff != "" {
		t.Errorf("mounts (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(art.Args(), got.Argv); diff != "" {
		t.Errorf("argv (-want +got):\n%s", diff)
	}
	if want := seccomp.Build(seccomp.AMD64, seccomp.Options{}).Encode(); !bytes.Equal(want, got.Seccomp) {
		t.Error("the seccomp program is another one")
	}
	if string(got.Args0) != strings.Join(art.Args(), "\x00")+"\x00" {
		t.Error("args0 differs from argv")
	}
}

// TestJSONNotUTF8 holds that a path that JSON cannot hold is shown as bash
// reads it, and kept exactly in args0.
func TestJSONNotUTF8(t *testing.T) {
	t.Parallel()
	p := policy("write /w")
	p.Files = append([]ir.FileRule{{Match: ir.Subtree("/w/\xff"), Read: ir.Deny, Write: ir.Deny, Group: ir.GroupDeny}}, p.Files...)
	v := view("d /dev\nd /proc\nd /w")
	v.add("/w/\xff", host.Node{Type: host.Dir})
	art, _ := compile(t, p, v, target.Options{})
	data, err := art.Render(target.JSON)
	if err != nil {
		t.Fatal(err)
	}
	if want := `"path": "$'/w/\\377'"`; !bytes.Contains(data, []byte(want)) {
		t.Errorf("no %s in\n%s", want, data)
	}
	args0, err := art.Render(target.Args0)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(args0, []byte("\x00/w/\xff\x00")) {
		t.Errorf("the path is not in args0: %q", args0)
	}
}

func TestBundle(t *testing.T) {
	t.Parallel()
	art := sample(t)
	files, err := art.Bundle()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]uint32{}
	for _, f := range files {
		got[f.Name] = f.Mode
		if len(f.Data) == 0 {
			t.Errorf("%s is empty", f.Name)
		}
	}
	want := map[string]uint32{"argv.args0": 0o644, "plan.json": 0o644, "run.sh": 0o755, "seccomp.bpf": 0o644}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestDeterministic holds that two lowerings give the same bytes.
func TestDeterministic(t *testing.T) {
	t.Parallel()
	p := policy("deny /w/**/*.key\nprotect /w/**/d1/*\nwrite /w\nread /")
	v := secrets(500, 20)
	var first [][]byte
	for range 5 {
		art, rep := compile(t, p, v, target.Options{})
		var all [][]byte
		for _, f := range art.Formats() {
			data, err := art.Render(f)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, data)
		}
		all = append(all, []byte(strings.Join(verdicts(rep), "\n")))
		if first == nil {
			first = all
		}
		if diff := cmp.Diff(first, all); diff != "" {
			t.Fatalf("(-first +again):\n%s", diff)
		}
	}
}

// TestMountsHaveArguments holds that every kind can be printed.
func TestMountsHaveArguments(t *testing.T) {
	t.Parallel()
	for _, k := range bwrap.Kinds() {
		m := bwrap.Mount{Kind: k, Path: "/x", Text: "t"}
		if args := m.Args("/mask"); len(args) < 2 || !strings.HasPrefix(args[len(args)-1], "/x") {
			t.Errorf("%s: %q", k, args)
		}
	}
}
