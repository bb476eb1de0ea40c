package host_test

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/sandboxc/sbc/host"
)

// makeTree makes one node of each type in a fresh directory.
func makeTree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.WriteFile(dir+"/file", nil, 0o640))
	must(os.Chmod(dir+"/file", 0o640))
	must(os.Link(dir+"/file", dir+"/hard"))
	must(os.Mkdir(dir+"/dir", 0o700))
	must(os.Symlink("dir", dir+"/link"))
	must(os.Symlink("nowhere", dir+"/dangling"))
	must(unix.Mkfifo(dir+"/fifo", 0o600))
	must(os.WriteFile(dir+"/not\xffutf8 \n", nil, 0o600))
	sock, err := net.Listen("unix", dir+"/sock")
	must(err)
	t.Cleanup(func() { _ = sock.Close() })
	return dir
}

func TestLiveReadDir(t *testing.T) {
	t.Parallel()
	dir := makeTree(t)
	got, err := host.Live{}.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []host.Entry{
		{Name: "dangling", Type: host.Link},
		{Name: "dir", Type: host.Dir},
		{Name: "fifo", Type: host.FIFO},
		{Name: "file", Type: host.File},
		{Name: "hard", Type: host.File},
		{Name: "link", Type: host.Link},
		{Name: "not\xffutf8 \n", Type: host.File},
		{Name: "sock", Type: host.Socket},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	empty, err := host.Live{}.ReadDir(dir + "/dir")
	if err != nil || len(empty) != 0 {
		t.Errorf("empty directory: got %v, %v", empty, err)
	}
}

// TestLiveReadDirLarge needs several system calls for one directory.
func TestLiveReadDirLarge(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var want []host.Entry
	for i := range 3000 {
		name := fmt.Sprintf("%04d%s", i, strings.Repeat("x", i%250))
		if err := os.WriteFile(dir+"/"+name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		want = append(want, host.Entry{Name: name, Type: host.File})
	}
	slices.SortFunc(want, func(a, b host.Entry) int { return strings.Compare(a.Name, b.Name) })
	got, err := host.Live{}.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLiveDevices(t *testing.T) {
	t.Parallel()
	entries, err := host.Live{}.ReadDir("/dev")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(entries, host.Entry{Name: "null", Type: host.Char}) {
		t.Errorf("/dev/null is not a char entry of /dev: %v", entries)
	}
	node, err := host.Live{}.Lstat("/dev/null")
	if err != nil || node.Type != host.Char {
		t.Errorf("/dev/null: got %+v, %v", node, err)
	}
}

func TestLiveLstat(t *testing.T) {
	t.Parallel()
	dir := makeTree(t)
	for _, tt := range []struct {
		name string
		typ  host.Type
		perm fs.FileMode
		link uint64
	}{
		{"file", host.File, 0o640, 2},
		{"hard", host.File, 0o640, 2},
		{"dir", host.Dir, 0o700, 0},
		{"link", host.Link, 0o777, 1},
		{"dangling", host.Link, 0o777, 1},
		{"fifo", host.FIFO, 0o600, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := host.Live{}.Lstat(dir + "/" + tt.name)
			if err != nil {
				t.Fatal(err)
			}
			info, err := os.Lstat(dir + "/" + tt.name)
			if err != nil {
				t.Fatal(err)
			}
			if got.Type != tt.typ || got.Perm != tt.perm || got.Perm != info.Mode().Perm() {
				t.Errorf("got %+v, want %v %v", got, tt.typ, tt.perm)
			}
			if tt.link != 0 && got.Nlink != tt.link {
				t.Errorf("got %d links, want %d", got.Nlink, tt.link)
			}
		})
	}
	file, _ := host.Live{}.Lstat(dir + "/file")
	hard, _ := host.Live{}.Lstat(dir + "/hard")
	if file != hard || file.Ino == 0 || file.Dev == 0 {
		t.Errorf("hard links differ: %+v, %+v", file, hard)
	}
	if got, err := (host.Live{}).Readlink(dir + "/dangling"); got != "nowhere" || err != nil {
		t.Errorf("Readlink: got %q, %v", got, err)
	}
}

func TestLiveErrors(t *testing.T) {
	t.Parallel()
	dir := makeTree(t)
	lstat := func(p string) error { _, err := host.Live{}.Lstat(p); return err }
	readlink := func(p string) error { _, err := host.Live{}.Readlink(p); return err }
	readDir := func(p string) error { _, err := host.Live{}.ReadDir(p); return err }
	for _, tt := range []struct {
		name string
		ask  func(string) error
		path string
		is   error // nil: any other error
	}{
		{"lstat missing", lstat, dir + "/gone", fs.ErrNotExist},
		{"lstat beneath a file", lstat, dir + "/file/x", fs.ErrNotExist},
		{"lstat relative", lstat, "live.go", nil},
		{"lstat empty", lstat, "", nil},
		{"lstat long name", lstat, dir + "/" + strings.Repeat("x", 256), nil},
		{"lstat NUL", lstat, dir + "/a\x00b", nil},
		{"readlink missing", readlink, dir + "/gone", fs.ErrNotExist},
		{"readlink beneath a file", readlink, dir + "/file/x", fs.ErrNotExist},
		{"readlink file", readlink, dir + "/file", nil},
		{"readlink relative", readlink, "x", nil},
		{"readdir missing", readDir, dir + "/gone", fs.ErrNotExist},
		{"readdir file", readDir, dir + "/file", fs.ErrNotExist},
		{"readdir link", readDir, dir + "/link", fs.ErrNotExist},
		{"readdir relative", readDir, "testdata", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := tt.ask(tt.path)
			switch {
			case err == nil:
				t.Error("got no error")
			case tt.is != nil && !errors.Is(err, tt.is):
				t.Errorf("got %v, want %v", err, tt.is)
			case tt.is == nil && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission)):
				t.Errorf("got %v, want another error", err)
			}
			var pe *fs.PathError
			if !errors.As(err, &pe) || pe.Path != tt.path {
				t.Errorf("%v does not name the path", err)
			}
		})
	}
}

// TestLivePermission asks as an ordinary user about closed directories.
func TestLivePermission(t *testing.T) {
	t.Parallel()
	asUser(t, func(t *testing.T) {
		dir := t.TempDir()
		for name, mode := range map[string]os.FileMode{"noread": 0o300, "nosearch": 0o600, "closed": 0} {
			if err := os.MkdirAll(path.Join(dir, name, "sub"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(path.Join(dir, name), mode); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.Chmod(path.Join(dir, name), 0o700) })
		}
		var v host.Live
		check := func(what string, err, want error) {
			t.Helper()
			if !errors.Is(err, want) {
				t.Errorf("%s: got %v, want %v", what, err, want)
			}
		}
		_, err := v.ReadDir(dir + "/noread")
		check("readdir noread", err, fs.ErrPermission)
		_, err = v.Lstat(dir + "/noread/sub")
		check("lstat noread/sub", err, nil)
		got, err := v.ReadDir(dir + "/nosearch")
		check("readdir nosearch", err, nil)
		if diff := cmp.Diff([]host.Entry{{Name: "sub", Type: host.Dir}}, got); diff != "" {
			t.Errorf("readdir nosearch (-want +got):\n%s", diff)
		}
		_, err = v.Lstat(dir + "/nosearch/sub")
		check("lstat nosearch/sub", err, fs.ErrPermission)
		_, err = v.Lstat(dir + "/closed/gone")
		check("lstat closed/gone", err, fs.ErrPermission)
		_, err = v.Readlink(dir + "/closed/gone")
		check("readlink closed/gone", err, fs.ErrPermission)
		_, err = v.ReadDir(dir + "/closed")
		check("readdir closed", err, fs.ErrPermission)
		_, err = host.Resolve(v, dir+"/closed/a/b")
		check("resolve closed/a/b", err, fs.ErrPermission)
	})
}

func TestLiveMounts(t *testing.T) {
	t.Parallel()
	got, err := host.Live{}.Mounts()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(got, func(m host.Mount) bool { return m.Point == "/proc" && m.FSType == "proc" && m.Root == "/" }) {
		t.Errorf("no /proc in %v", got)
	}
}

// walk lists everything beneath a directory and returns how many names it met.
func walk(v host.View, dir string) (int, error) {
	entries, err := v.ReadDir(dir)
	if err != nil {
		return 0, err
	}
	n := len(entries)
	for _, e := range entries {
		if e.Type == host.Dir {
			below, err := walk(v, dir+"/"+e.Name)
			if err != nil {
				return 0, err
			}
			n += below
		}
	}
	return n, nil
}

// BenchmarkWalk compares a walk over 50,000 files in 1,000 directories with
// find(1) over the same tree.
func BenchmarkWalk(b *testing.B) {
	dir := b.TempDir()
	for i := range 1000 {
		sub := fmt.Sprintf("%s/%02d/%02d", dir, i/50, i%50)
		if err := os.MkdirAll(sub, 0o755); err != nil {
			b.Fatal(err)
		}
		for j := range 50 {
			if err := os.WriteFile(fmt.Sprintf("%s/source-file-%02d.go", sub, j), nil, 0o600); err != nil {
				b.Fatal(err)
			}
		}
	}
	const want = 20 + 1000 + 50000
	b.Run("live", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if n, err := walk(host.Live{}, dir); n != want || err != nil {
				b.Fatal(n, err)
			}
		}
	})
	b.Run("find", func(b *testing.B) {
		for b.Loop() {
			out, err := exec.Command("find", dir, "-mindepth", "1", "-printf", ".").Output()
			if err != nil || len(out) != want {
				b.Fatal(len(out), err)
			}
		}
	})
}
