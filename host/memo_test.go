package host_test

import (
	"errors"
	"io/fs"
	"os"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/host"
)

// changing is a view whose answers differ each time.
type changing struct {
	host.Empty
	mu    sync.Mutex
	asked map[string]uint64
}

func (c *changing) count(path string) uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asked[path]++
	return c.asked[path]
}

func (c *changing) Lstat(path string) (host.Node, error) {
	n := c.count("lstat " + path)
	if path == "/gone" {
		return host.Node{}, &fs.PathError{Op: "lstat", Path: path, Err: fs.ErrNotExist}
	}
	return host.Node{Type: host.Dir, Ino: n}, nil
}

func (c *changing) Readlink(path string) (string, error) {
	c.count("readlink " + path)
	return "to " + path, nil
}

func (c *changing) ReadDir(path string) ([]host.Entry, error) {
	c.count("readdir " + path)
	return nil, nil
}

func (c *changing) Mounts() ([]host.Mount, error) {
	c.count("mounts")
	return nil, nil
}

// TestMemo: each question is asked once, errors included.
func TestMemo(t *testing.T) {
	t.Parallel()
	c := &changing{asked: map[string]uint64{}}
	m := host.NewMemo(c)
	for range 3 {
		if n, err := m.Lstat("/a"); err != nil || n.Ino != 1 {
			t.Errorf("Lstat(/a) = %v, %v; want the first answer", n, err)
		}
		if _, err := m.Lstat("/gone"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Lstat(/gone): %v", err)
		}
		if to, err := m.Readlink("/a"); err != nil || to != "to /a" {
			t.Errorf("Readlink(/a) = %q, %v", to, err)
		}
		if _, err := m.ReadDir("/a"); err != nil {
			t.Errorf("ReadDir(/a): %v", err)
		}
		if _, err := m.Mounts(); err != nil {
			t.Errorf("Mounts(): %v", err)
		}
	}
	want := map[string]uint64{"lstat /a": 1, "lstat /gone": 1, "readlink /a": 1, "readdir /a": 1, "mounts": 1}
	if diff := cmp.Diff(want, c.asked); diff != "" {
		t.Errorf("questions (-want +got):\n%s", diff)
	}
}

// TestMemoAtOnce: whoever asks at the same time gets the same answer.
func TestMemoAtOnce(t *testing.T) {
	t.Parallel()
	m := host.NewMemo(&changing{asked: map[string]uint64{}})
	got := make([]uint64, 16)
	var wg sync.WaitGroup
	for i := range got {
		wg.Go(func() {
			n, err := m.Lstat("/a")
			if err != nil {
				t.Error(err)
			}
			got[i] = n.Ino
		})
	}
	wg.Wait()
	for _, n := range got {
		if n != got[0] || n == 0 {
			t.Errorf("answers %v differ", got)
		}
	}
}

// vanishing is a view whose files are gone as soon as they are listed.
type vanishing struct{ host.Empty }

func (vanishing) ReadDir(path string) ([]host.Entry, error) {
	if path != "/tmp" {
		return nil, fs.ErrNotExist
	}
	return []host.Entry{{Name: "d", Type: host.Dir}, {Name: "f", Type: host.File}, {Name: "l", Type: host.Link}}, nil
}

// TestMemoVanished: what was listed is there for everybody who asks later.
func TestMemoVanished(t *testing.T) {
	t.Parallel()
	m := host.NewMemo(vanishing{})
	if _, err := m.Lstat("/tmp/early"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before the listing: %v", err)
	}
	if _, err := m.ReadDir("/tmp"); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]host.Type{"/tmp/d": host.Dir, "/tmp/f": host.File} {
		if n, err := m.Lstat(name); err != nil || n.Type != want {
			t.Errorf("Lstat(%s) = %v, %v; want %v", name, n, err, want)
		}
	}
	for _, name := range []string{"/tmp/early", "/tmp/l", "/tmp/x", "/tmp/d/x", "/f"} {
		if n, err := m.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("Lstat(%s) = %v, %v; want that it does not exist", name, n, err)
		}
	}
}

// hiding hides what it lists.
type hiding struct{ host.View }

func (hiding) Lstat(p string) (host.Node, error) {
	return host.Node{}, &fs.PathError{Op: "lstat", Path: p, Err: host.ErrHidden}
}

// TestMemoHidden: what a view hides is missing, whatever a listing says.
func TestMemoHidden(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(dir+"/d", 0o700); err != nil {
		t.Fatal(err)
	}
	m := host.NewMemo(hiding{host.Live{}})
	if list, err := m.ReadDir(dir); err != nil || len(list) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	if n, err := m.Lstat(dir + "/d"); !errors.Is(err, fs.ErrNotExist) || !errors.Is(err, host.ErrHidden) {
		t.Errorf("%+v, %v", n, err)
	}
	if errors.Is(fs.ErrNotExist, host.ErrHidden) {
		t.Error("what is missing counts as hidden")
	}
}
