package host_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/host"
)

const factsJSON = `{"os": "linux", "arch": "amd64", "uid": 1000, "home": "/home/u", "temp": "/tmp", "cache": "/home/u/.cache", "config": "/home/u/.config"}`

func parseRecord(t *testing.T, text string) *host.Recorded {
	t.Helper()
	r, ds := host.ParseRecord([]byte(text), "host.json")
	if len(ds) > 0 {
		t.Fatalf("%+v", ds)
	}
	return r
}

func TestParseRecordFacts(t *testing.T) {
	t.Parallel()
	got := parseRecord(t, `{
		"sbc_host": 1,
		"facts": {
			"os": "linux", "arch": "arm64", "kernel": "6.1.0", "os_version": "x", "uid": 0, "home": "/root",
			"temp": "/t", "cache": "/c", "config": "/f", "sockets": ["/run/a\u0000ff", "/run/b"], "supervise": true,
			"bwrap": {"path": "/usr/bin/bwrap", "version": "0.8.0", "flags": ["--bind", "--perms"]}
		},
		"mounts": [{"dev": "8:1", "root": "/r", "point": "/p", "fstype": "ext4"}]
	}`)
	want := host.Facts{
		OS: "linux", Arch: "arm64", Kernel: "6.1.0", OSVersion: "x", Home: "/root", Temp: "/t", Cache: "/c", Config: "/f",
		Sockets:   []string{"/run/a\xff", "/run/b"},
		Supervise: true,
		Bwrap:     &host.Bwrap{Path: "/usr/bin/bwrap", Version: "0.8.0", Flags: []string{"--bind", "--perms"}},
	}
	if diff := cmp.Diff(want, got.Facts()); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	mounts, err := got.Mounts()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]host.Mount{{Dev: "8:1", Root: "/r", Point: "/p", FSType: "ext4"}}, mounts); diff != "" {
		t.Errorf("mounts (-want +got):\n%s", diff)
	}
}

// answers is what a view says of a path, errors as text.
type answers struct {
	Node    host.Node
	Lstat   string
	Target  string
	Entries []host.Entry
	ReadDir string
}

func ask(v host.View, p string) answers {
	text := func(err error) string {
		var pe *fs.PathError
		switch {
		case err == nil:
			return ""
		case errors.Is(err, fs.ErrNotExist):
			return "missing"
		case errors.Is(err, fs.ErrPermission):
			return "denied"
		case errors.As(err, &pe):
			return pe.Err.Error()
		}
		return err.Error()
	}
	var a answers
	var lerr, rerr, derr error
	a.Node, lerr = v.Lstat(p)
	a.Target, rerr = v.Readlink(p)
	a.Entries, derr = v.ReadDir(p)
	a.Lstat, a.ReadDir = text(lerr), text(derr)
	if rerr != nil {
		a.Target = text(rerr)
	}
	return a
}

func TestRecordedTree(t *testing.T) {
	t.Parallel()
	v := parseRecord(t, `{
		"sbc_host": 1,
		"facts": `+factsJSON+`,
		"tree": {
			"/bin": {"link": "usr/bin"},
			"/usr/bin/sh": {"perm": "755"},
			"/loop": {"link": "loop"},
			"/broken": {"link": "gone"},
			"/somewhere": {"type": "link"},
			"/hidden": {"type": "link", "readlink": "permission"},
			"/w/a": {"nlink": 2, "ino": 7},
			"/w/b": {"nlink": 2, "ino": 7, "dev": 9},
			"/w/zero": {"nlink": 0, "perm": "000"},
			"/w/empty": {"type": "dir", "perm": "700"},
			"/w/sock": {"type": "socket"},
			"/w/\u0000ff\n": {},
			"/w/closed": {"type": "dir", "readdir": "permission"},
			"/w/closed/known": {},
			"/w/stale": {"type": "dir", "readdir": "stale handle"},
			"/w/named": {"type": "file", "lstat": "permission"},
			"/secret/x": {"lstat": "permission"},
			"/tosecret": {"link": "secret"},
			"/proc/7": {"type": "dir", "unlisted": true},
			"/proc/1": {"type": "dir"}
		}
	}`)
	const first = 1 << 48 // of the numbers that are made up: positions in the sorted tree
	link := "the record does not say where the link leads"
	notLink := "not a symbolic link"
	dir := func(ino uint64) host.Node {
		return host.Node{Type: host.Dir, Perm: 0o755, Dev: 1, Ino: first + ino, Nlink: 1}
	}
	for _, tt := range []struct {
		path string
		want answers
	}{
		{"/", answers{Node: dir(0), Target: notLink, Entries: []host.Entry{
			{Name: "bin", Type: host.Link},
			{Name: "broken", Type: host.Link},
			{Name: "hidden", Type: host.Link},
			{Name: "loop", Type: host.Link},
			{Name: "proc", Type: host.Dir},
			{Name: "somewhere", Type: host.Link},
			{Name: "tosecret", Type: host.Link},
			{Name: "usr", Type: host.Dir},
			{Name: "w", Type: host.Dir},
		}}},
		{"/bin", answers{Node: host.Node{Type: host.Link, Perm: 0o777, Dev: 1, Ino: first + 1, Nlink: 1}, Target: "usr/bin", ReadDir: "missing"}},
		{"/usr/bin", answers{Node: dir(12), Target: notLink, Entries: []host.Entry{{Name: "sh", Type: host.File}}}},
		{"/bin/sh", answers{Node: host.Node{Type: host.File, Perm: 0o755, Dev: 1, Ino: first + 13, Nlink: 1}, Target: notLink, ReadDir: "missing"}},
		{"/bin/sh/x", answers{Lstat: "missing", Target: "missing", ReadDir: "missing"}},
		{"/bin/gone", answers{Lstat: "missing", Target: "missing", ReadDir: "missing"}},
		{"/loop/x", answers{
			Lstat:   `cannot resolve "/loop": too many levels of symbolic links`,
			Target:  `cannot resolve "/loop": too many levels of symbolic links`,
			ReadDir: `cannot resolve "/loop": too many levels of symbolic links`,
		}},
		{"/broken/x", answers{Lstat: "missing", Target: "missing", ReadDir: "missing"}},
		{"/somewhere", answers{Node: host.Node{Type: host.Link, Perm: 0o777, Dev: 1, Ino: first + 9, Nlink: 1}, Target: link, ReadDir: "missing"}},
		{"/somewhere/x", answers{
			Lstat:   `cannot resolve "/somewhere": readlink /somewhere: ` + link,
			Target:  `cannot resolve "/somewhere": readlink /somewhere: ` + link,
			ReadDir: `cannot resolve "/somewhere": readlink /somewhere: ` + link,
		}},
		{"/hidden", answers{Node: host.Node{Type: host.Link, Perm: 0o777, Dev: 1, Ino: first + 3, Nlink: 1}, Target: "denied", ReadDir: "missing"}},
		{"/hidden/x", answers{Lstat: "denied", Target: "denied", ReadDir: "denied"}},
		{"/w/a", answers{Node: host.Node{Type: host.File, Perm: 0o644, Dev: 1, Ino: 7, Nlink: 2}, Target: notLink, ReadDir: "missing"}},
		{"/w/b", answers{Node: host.Node{Type: host.File, Perm: 0o644, Dev: 9, Ino: 7, Nlink: 2}, Target: notLink, ReadDir: "missing"}},
		{"/w/zero", answers{Node: host.Node{Type: host.File, Dev: 1, Ino: first + 23}, Target: notLink, ReadDir: "missing"}},
		{"/w/empty", answers{Node: host.Node{Type: host.Dir, Perm: 0o700, Dev: 1, Ino: first + 19, Nlink: 1}, Target: notLink}},
		{"/w/sock", answers{Node: host.Node{Type: host.Socket, Perm: 0o644, Dev: 1, Ino: first + 21, Nlink: 1}, Target: notLink, ReadDir: "missing"}},
		{"/w/closed", answers{Node: dir(17), Target: notLink, ReadDir: "denied"}},
		{"/w/closed/known", answers{Node: host.Node{Type: host.File, Perm: 0o644, Dev: 1, Ino: first + 18, Nlink: 1}, Target: notLink, ReadDir: "missing"}},
		{"/w/closed/gone", answers{Lstat: "missing", Target: "missing", ReadDir: "missing"}},
		{"/w/stale", answers{Node: dir(22), Target: notLink, ReadDir: "stale handle"}},
		{"/w/named", answers{Lstat: "denied", Target: "denied", ReadDir: "denied"}},
		{"/w", answers{Node: dir(14), Target: notLink, Entries: []host.Entry{
			{Name: "a", Type: host.File},
			{Name: "b", Type: host.File},
			{Name: "closed", Type: host.Dir},
			{Name: "empty", Type: host.Dir},
			{Name: "named", Type: host.File},
			{Name: "sock", Type: host.Socket},
			{Name: "stale", Type: host.Dir},
			{Name: "zero", Type: host.File},
			{Name: "\xff\n", Type: host.File},
		}}},
		{"/secret", answers{Lstat: "missing", Target: "missing", ReadDir: "missing"}},
		{"/secret/x", answers{Lstat: "denied", Target: "denied", ReadDir: "denied"}},
		{"/secret/x/y/z", answers{Lstat: "denied", Target: "denied", ReadDir: "denied"}},
		{"/proc", answers{Node: dir(5), Target: notLink, Entries: []host.Entry{{Name: "1", Type: host.Dir}}}},
		{"/proc/7", answers{Node: dir(7), Target: notLink}},
		{"relative", answers{Lstat: "missing", Target: "missing", ReadDir: "missing"}},
		{"", answers{Lstat: "missing", Target: "missing", ReadDir: "missing"}},
	} {
		t.Run(fmt.Sprintf("%q", tt.path), func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, ask(v, tt.path)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestRecordedEmpty(t *testing.T) {
	t.Parallel()
	v := parseRecord(t, `{"sbc_host": 1, "facts": `+factsJSON+`}`)
	want := answers{Lstat: "missing", Target: "missing", ReadDir: "missing"}
	for _, p := range []string{"/", "/x"} {
		if diff := cmp.Diff(want, ask(v, p)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", p, diff)
		}
	}
	if ms, err := v.Mounts(); ms != nil || err != nil {
		t.Errorf("mounts: got %v, %v", ms, err)
	}
}

// TestRecordedListingIsACopy holds: a caller that changes an answer does not
// change the next one.
func TestRecordedListingIsACopy(t *testing.T) {
	t.Parallel()
	v := parseRecord(t, `{"sbc_host": 1, "facts": `+factsJSON+`, "tree": {"/a": {}}}`)
	first, _ := v.ReadDir("/")
	first[0].Name = "changed"
	got, _ := v.ReadDir("/")
	if diff := cmp.Diff([]host.Entry{{Name: "a", Type: host.File}}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestParseRecordProblems(t *testing.T) {
	t.Parallel()
	tree := func(entry string) string {
		return "{\n\"sbc_host\": 1,\n\"facts\": " + factsJSON + ",\n\"tree\": {\n" + entry + "\n}}"
	}
	facts := func(from, to string) string {
		return "{\n\"sbc_host\": 1,\n\"facts\":\n" + replaceOnce(factsJSON, from, to) + "}"
	}
	for _, tt := range []struct {
		name, text string
		want       string // LINE:COLUMN CODE SUMMARY
	}{
		{"not JSON", "{\n", `2:1 SBC0017 the text ends where a key in quotes is expected`},
		{"no version", `{"facts": ` + factsJSON + `}`, `1:1 SBC0017 missing key "sbc_host"`},
		{"other version", `{"sbc_host": 2, "facts": ` + factsJSON + `}`, `1:14 SBC0017 the value of "sbc_host" is not 1`},
		{"unknown key", `{"sbc_host": 1, "fact": {}, "facts": ` + factsJSON + `}`, `1:17 SBC0017 unknown key "fact"`},
		{"other case", `{"sbc_host": 1, "Tree": {}, "facts": ` + factsJSON + `}`, `1:17 SBC0017 unknown key "Tree"`},
		{"path twice", tree(`"/a": {},` + "\n" + `"/a": {}`), `6:1 SBC0004 duplicate key "/a"`},
		{"path twice, escaped", tree(`"/a": {},` + "\n" + `"/\u0061": {}`), `6:1 SBC0004 duplicate key "/a"`},
		{"no home", facts(`"home": "/home/u", `, ""), `4:1 SBC0017 missing key "home"`},
		{"relative home", facts(`"/home/u"`, `"home"`), `4:1 SBC0017 the path "home" is not absolute`},
		{"unclean temp", facts(`"/tmp"`, `"/tmp/"`), `4:1 SBC0017 the path "/tmp/" is not clean: write "/tmp"`},
		{"no system", facts(`"linux"`, `""`), `4:1 SBC0017 the system or the architecture is empty`},
		{"sockets not sorted", facts(`"uid"`, `"sockets": ["/b", "/a"], "uid"`), `4:1 SBC0017 the sockets or the flags are not sorted`},
		{"relative path", tree(`"a": {}`), `5:6 SBC0017 the path "a" is not absolute`},
		{"path not clean", tree(`"/a": {}, "/b/../c": {}`), `5:22 SBC0017 the path "/b/../c" is not clean: write "/c"`},
		{"NUL in a path", tree(`"/a\u000000": {}`), `5:15 SBC0017 the path "/a\x00" holds a NUL`},
		{"malformed byte", tree(`"/a\u0000FF": {}`), `5:1 SBC0017 malformed byte in a string`},
		{"beneath a file", tree(`"/a": {}, "/a/b": {}`), `5:19 SBC0017 "/a/b" lies beneath "/a", which is not a directory`},
		{"beneath a link", tree(`"/a": {"link": "b"}, "/a/b/c": {}`), `5:32 SBC0017 "/a/b/c" lies beneath "/a", which is not a directory`},
		{"beneath what is denied", tree(`"/a": {"lstat": "permission"}, "/a/b": {}`), `5:40 SBC0017 "/a/b" lies beneath "/a", which is not a directory`},
		{"the root is a file", tree(`"/": {}, "/a": {}`), `5:6 SBC0017 the root is a file, not a directory`},
		{"the root is a link", tree(`"/": {"link": "/a"}, "/b": {"lstat": "x"}`), `5:6 SBC0017 the root is a link, not a directory`},
		{"unknown type", tree(`"/a": {"type": "directory"}`), `5:16 SBC0017 unknown type "directory"`},
		{"perm digits", tree(`"/a": {"perm": "0644"}`), `5:7 SBC0017 the permission bits "0644" are not three octal digits`},
		{"perm not octal", tree(`"/a": {"perm": "698"}`), `5:7 SBC0017 the permission bits "698" are not three octal digits`},
		{"perm a number", tree(`"/a": {"perm": 644}`), `5:16 SBC0017 a number where a string is expected`},
		{"link and type", tree(`"/a": {"type": "file", "link": "b"}`), `5:7 SBC0017 "link" and "readlink" need the type "link"`},
		{"link and error", tree(`"/a": {"link": "b", "readlink": "permission"}`), `5:7 SBC0017 "link" and "readlink", an error, exclude each other`},
		{"NUL in a link", tree(`"/a": {"link": "b\u000000"}`), `5:7 SBC0017 the link holds a NUL`},
		{"readdir of a file", tree(`"/a": {"readdir": "permission"}`), `5:7 SBC0017 "readdir" needs the type "dir"`},
		{"lstat and more", tree(`"/a": {"lstat": "permission", "perm": "600"}`), `5:7 SBC0017 beside "lstat", an error, there may be the type only`},
		{"unlisted and unknown", tree(`"/a": {"lstat": "permission", "unlisted": true}`), `5:7 SBC0017 "unlisted" needs a path that exists`},
		{"null", tree(`"/a": null`), `5:7 SBC0017 null where an object is expected`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, ds := host.ParseRecord([]byte(tt.text), "host.json")
			if r != nil || len(ds) == 0 {
				t.Fatalf("got %v and %d problems", r, len(ds))
			}
			d := ds[0]
			got := fmt.Sprintf("%d:%d %s %s", d.Subject.Start.Line, d.Subject.Start.Column, d.Code, d.Summary)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if d.Subject.File != "host.json" {
				t.Errorf("the file is %q", d.Subject.File)
			}
		})
	}
}

func replaceOnce(s, from, to string) string {
	if !strings.Contains(s, from) {
		panic("not found: " + from) // the test's own text
	}
	return strings.Replace(s, from, to, 1)
}
