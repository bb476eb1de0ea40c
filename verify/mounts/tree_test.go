package mounts_test

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/verify/mounts"
	"pgregory.net/rapid"
)

// outline writes a tree, a node a line: path, the answer at it, beneath it.
func outline(n *mounts.Node) string {
	var b strings.Builder
	var walk func(n *mounts.Node)
	walk = func(n *mounts.Node) {
		fmt.Fprintf(&b, "%s %s %s %s", n.Path, letters(n.At), letters(n.Beneath), n.Beneath.HostPath)
		if n.Link != "" {
			fmt.Fprintf(&b, " -> %s", n.Link)
		}
		b.WriteString("\n")
		for _, c := range n.Children {
			walk(c)
		}
	}
	walk(n)
	return b.String()
}

func TestTree(t *testing.T) {
	t.Parallel()
	table := build(t, "--ro-bind /usr /usr --symlink usr/bin /bin --bind /w /w --perms 000 --tmpfs /w/a/b --remount-ro /w/a/b --ro-bind /w/f /w/f --bind / /r --remount-ro /",
		mounts.Options{View: machine(t)})
	got := outline(table.Tree())
	want := `/ r---p- ----p- 
/bin r---p- -----v  -> usr/bin
/r rwc--- rwcu-- /
/r/w rwcu-- rwcu-- /w
/r/w/a rwcu-- rwcu-- /w/a
/r/w/a/b rwc--- rwcu-- /w/a/b
/r/w/f rw---- -----v 
/r/w/m rwc--- rwcu-- /w/m
/r/w/m/n rwc--- rwcu-- /w/m/n
/usr r----- r----- /usr
/w rwc--- rwcu-- /w
/w/a rwcu-- rwcu-- /w/a
/w/a/b ----p- ----p- 
/w/f r----- -----v 
/w/m rwc--- rwcu-- /w/m
/w/m/n rwc--- rwcu-- /w/m/n
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// names and paths are few, so that random mounts meet.
var segment = rapid.SampledFrom([]string{"a", "b", "c"})

func somePath(t *rapid.T, label string, most int) string {
	return "/" + strings.Join(rapid.SliceOfN(segment, 0, most).Draw(t, label), "/")
}

// someView is a host: some paths are directories, some files, some mounted on.
func someView(t *rapid.T) host.View {
	tree, points := []string{}, []string{`{"dev": "1:0", "root": "/", "point": "/", "fstype": "x"}`}
	seen := map[string]bool{"/": true}
	for i := range rapid.IntRange(0, 8).Draw(t, "objects") {
		p := somePath(t, "object", 3)
		if _, known := seen[p]; known || !seen[path.Dir(p)] {
			continue
		}
		kind := rapid.SampledFrom([]string{"dir", "dir", "file", "mount"}).Draw(t, "kind")
		perm := rapid.SampledFrom([]string{"755", "755", "000", "444"}).Draw(t, "perm")
		seen[p] = kind != "file"
		if kind == "mount" {
			kind = "dir"
			points = append(points, fmt.Sprintf(`{"dev": "1:%d", "root": "/", "point": %q, "fstype": "x"}`, i%3+1, p))
		}
		tree = append(tree, fmt.Sprintf(`%q: {"type": %q, "perm": %q}`, p, kind, perm))
	}
	src := `{"sbc_host": 1, "facts": {"os": "linux", "arch": "amd64", "uid": 1, "home": "/h", "temp": "/t", "cache": "/c", "config": "/f"},
	"tree": {` + strings.Join(tree, ", ") + `}, "mounts": [` + strings.Join(points, ", ") + `]}`
	rec, ds := host.ParseRecord([]byte(src), "test")
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	return rec
}

func someArgs(t *rapid.T) []string {
	var args []string
	for range rapid.IntRange(0, 8).Draw(t, "operations") {
		dest, perms := somePath(t, "dest", 3), rapid.SampledFrom([]string{"000", "0111", "0555", "0755"}).Draw(t, "perms")
		switch rapid.IntRange(0, 12).Draw(t, "operation") {
		case 0, 1:
			args = append(args, "--bind-try", somePath(t, "source", 3), dest)
		case 2, 3:
			args = append(args, "--ro-bind-try", somePath(t, "source", 3), dest)
		case 4, 5:
			args = append(args, "--perms", perms, "--tmpfs", dest)
		case 6:
			args = append(args, "--perms", perms, "--dir", dest)
		case 7:
			args = append(args, "--perms", perms, "--ro-bind-data", "3", dest)
		case 8:
			args = append(args, "--symlink", "/a", dest)
		case 9, 10:
			args = append(args, "--remount-ro", dest)
		case 11:
			args = append(args, "--chmod", perms, dest)
		case 12:
			args = append(args, "--dev", dest)
		}
	}
	return args
}

// someTable is a random table: operations that bubblewrap would refuse are left
// out.
func someTable(t *rapid.T) (*mounts.Sandbox, *mounts.Table) {
	view := someView(t)
	args := someArgs(t)
	for {
		s, err := mounts.Read(args, mounts.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		table, err := mounts.Build(s, mounts.Options{View: view})
		if err == nil {
			return s, table
		}
		args = without(s, err)
	}
}

// TestTreeLaw: the answer at any path is that of its node, or that beneath the
// nearest node above it.
func TestTreeLaw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, table := someTable(t)
		root := table.Tree()
		for range 20 {
			p := somePath(t, "path", 6)
			want, got := table.Access(p), root.Answer(p)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%s\n%s (-access +tree):\n%s\n%s", strings.Join(s.Args, " "), p, diff, outline(root))
			}
		}
	})
}

// TestAnswerLaws: what holds for every answer.
func TestAnswerLaws(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s, table := someTable(t)
		p := somePath(t, "path", 5)
		a := table.Access(p)
		switch {
		case a.Write && !a.Read && a.HostPath == "":
			t.Fatalf("%s: %s can be written and not read: %+v", strings.Join(s.Args, " "), p, a)
		case a.Unlink && !a.Write:
			t.Fatalf("%s: %s can be removed and not written: %+v", strings.Join(s.Args, " "), p, a)
		case a.Void && (a.Read || a.Write || a.Create || a.Unlink):
			t.Fatalf("%s: %s cannot exist and is open: %+v", strings.Join(s.Args, " "), p, a)
		case a.Private == (a.HostPath != "") && !a.Void:
			t.Fatalf("%s: %s is both the host's and private: %+v", strings.Join(s.Args, " "), p, a)
		case a.Entry < -1 || a.Entry >= len(s.Args):
			t.Fatalf("%s: %s comes from argument %d", strings.Join(s.Args, " "), p, a.Entry)
		}
		if a.HostPath != "" && a.Read && !contains(table.Shows(a.HostPath), p) {
			t.Fatalf("%s: %s does not show at %s", strings.Join(s.Args, " "), a.HostPath, p)
		}
	})
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}
