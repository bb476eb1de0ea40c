package dirfd_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/enforce/dirfd"
	"github.com/sandboxc/sbc/host"
)

// workDir returns a directory without a link above it.
func workDir(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestOpen(t *testing.T) {
	t.Parallel()
	dir := workDir(t)
	if err := errors.Join(os.MkdirAll(dir+"/a/b\xff", 0o755), os.Symlink("a", dir+"/l"), os.Symlink("no", dir+"/d"),
		os.WriteFile(dir+"/f", nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		path string
		want error
	}{
		{"/", nil},
		{dir, nil},
		{dir + "/a/b\xff", nil},
		{dir + "/l", dirfd.ErrLink},
		{dir + "/l/b\xff", dirfd.ErrLink},
		{dir + "/d", dirfd.ErrLink},
		{dir + "/d/x", dirfd.ErrLink},
		{dir + "/f", syscall.ENOTDIR},
		{dir + "/f/x", syscall.ENOTDIR},
		{dir + "/x", fs.ErrNotExist},
		{dir + "/x/y", fs.ErrNotExist},
	} {
		for name, open := range map[string]func(string) (dirfd.Dir, error){"openat2": dirfd.Open, "openat": dirfd.Descend} {
			d, err := open(tt.path)
			if !errors.Is(err, tt.want) {
				t.Errorf("%s %q: %v, want %v", name, tt.path, err, tt.want)
			}
			if err != nil {
				continue
			}
			i, err := d.Self()
			st, serr := os.Stat(tt.path)
			if err != nil || serr != nil {
				t.Fatal(err, serr)
			}
			if sys, ok := st.Sys().(*syscall.Stat_t); !ok || i.Ino != sys.Ino || i.Dev != sys.Dev || !i.IsDir() || i.Perm() != sys.Mode&0o7777 {
				t.Errorf("%s %q: %+v, want %+v", name, tt.path, i, sys)
			}
			d.Close()
		}
	}
	for _, bad := range []string{"", ".", "a", "/a/", "/a/../b", "/a//b", "/a\x00b"} {
		if _, err := dirfd.Open(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
		if _, _, err := dirfd.Parent(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
	if _, _, err := dirfd.Parent("/"); err == nil {
		t.Error("/ has a parent")
	}
}

func TestTypes(t *testing.T) {
	t.Parallel()
	dir := workDir(t)
	if err := errors.Join(os.Mkdir(dir+"/dir", 0o755), os.WriteFile(dir+"/file", []byte("12345"), 0o640), os.Symlink("no", dir+"/link"),
		syscall.Mkfifo(dir+"/fifo", 0o600)); err != nil {
		t.Fatal(err)
	}
	d, err := dirfd.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for name, want := range map[string]host.Type{"dir": host.Dir, "file": host.File, "link": host.Link, "fifo": host.FIFO} {
		i, err := d.Stat(name)
		if err != nil || i.Type() != want || i.Link() != (want == host.Link) {
			t.Errorf("%s: %v, %v", name, i.Type(), err)
		}
		same, err := dirfd.Stat(dir + "/" + name)
		if diff := cmp.Diff(i, same); err != nil || diff != "" {
			t.Errorf("%s by its path: %v (-want +got):\n%s", name, err, diff)
		}
	}
	if i, err := d.Stat("file"); err != nil || i.Size != 5 || i.Nlink != 1 || i.Perm() != 0o640 || int(i.UID) != os.Getuid() || i.Mount == 0 {
		t.Errorf("%+v, %v", i, err)
	}
	if i, err := dirfd.Stat("/dev/null"); err != nil || i.Type() != host.Char {
		t.Errorf("%v, %v", i.Type(), err)
	}
}

// TestMkdirAll holds that no link is followed on the way, and what is there
// stays.
func TestMkdirAll(t *testing.T) {
	t.Parallel()
	dir := workDir(t)
	if err := errors.Join(os.Mkdir(dir+"/a", 0o700), os.Symlink("a", dir+"/l"), os.WriteFile(dir+"/f", nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]error{"a/b/c": nil, "a": nil, "l/x": dirfd.ErrLink, "f/x": syscall.ENOTDIR, "f": syscall.ENOTDIR} {
		d, err := dirfd.MkdirAll(filepath.Join(dir, path), 0o755)
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", path, err, want)
		}
		if err == nil {
			d.Close()
		}
	}
	for path, want := range map[string]os.FileMode{"a": 0o700, "a/b": 0o755, "a/b/c": 0o755} {
		if st, err := os.Lstat(filepath.Join(dir, path)); err != nil || st.Mode() != os.ModeDir|want {
			t.Errorf("%s: %v, %v", path, st.Mode(), err)
		}
	}
	if _, err := os.Lstat(dir + "/a/x"); err == nil {
		t.Error("the link was followed")
	}
}

func TestNames(t *testing.T) {
	t.Parallel()
	dir := workDir(t)
	var want []string
	if err := os.Mkdir(dir+"/d", 0o755); err != nil {
		t.Fatal(err)
	}
	parent, err := dirfd.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer parent.Close()
	list := func(few bool) []string {
		d, err := parent.List("d")
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		names, err := d.Names(few)
		if err != nil {
			t.Error(err)
		}
		return names
	}
	if got := list(true); len(got) != 0 {
		t.Errorf("in an empty directory: %q", got)
	}
	for i := range 1000 {
		name := strings.Repeat("\xff", 100) + string(rune(0x4e00+i))
		want = append(want, name)
		if err := os.WriteFile(filepath.Join(dir, "d", name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(want, list(false)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := list(true); len(got) == 0 || len(got) >= len(want) {
		t.Errorf("a few are %d", len(got))
	}
}

// TestRename holds that a move replaces nothing, and a mode is changed of the
// directory that is open, whatever its name leads to.
func TestRename(t *testing.T) {
	t.Parallel()
	dir := workDir(t)
	if err := errors.Join(os.Mkdir(dir+"/a", 0o755), os.Mkdir(dir+"/b", 0o755), os.WriteFile(dir+"/f", nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	d, err := dirfd.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if err := d.Rename("a", d, "b"); !errors.Is(err, fs.ErrExist) {
		t.Errorf("onto an empty directory: %v", err)
	}
	a, err := d.Sub("a")
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if err := errors.Join(d.Rename("a", d, "c"), d.Rename("b", d, "a"), a.Chmod(0o711)); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{"a": 0o755, "c": 0o711} {
		if st, err := os.Lstat(dir + "/" + name); err != nil || st.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", name, st.Mode(), err)
		}
	}
	if err := errors.Join(d.Rmdir("a"), d.Unlink("f"), d.RenameOver("c", d, "f")); err != nil {
		t.Error(err)
	}
	if err := d.Unlink("f"); err == nil {
		t.Error("a directory was unlinked")
	}
}
