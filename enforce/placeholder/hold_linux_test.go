package placeholder_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/enforce/placeholder"
)

// world is a directory to hold paths in, and one for records.
type world struct {
	t     *testing.T
	dir   string
	state string
}

func newWorld(t *testing.T) *world {
	t.Helper()
	dir := workDir(t)
	w := &world{t, filepath.Join(dir, "w"), filepath.Join(dir, "state", "records")}
	if err := os.Mkdir(w.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) path(name string) string { return filepath.Join(w.dir, name) }

func (w *world) options() placeholder.Options {
	return placeholder.Options{State: w.state, Wait: 50 * time.Millisecond}
}

func (w *world) hold(names ...string) *placeholder.Holder {
	w.t.Helper()
	h, err := placeholder.Hold(w.paths(names), w.options())
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _, _ = h.Release() })
	return h
}

func (w *world) paths(names []string) []string {
	var out []string
	for _, n := range names {
		out = append(out, w.path(n))
	}
	return out
}

// release gives up and compares what is left, by name, with the words that its
// reason must have.
func (w *world) release(h *placeholder.Holder, want map[string]string) {
	w.t.Helper()
	left, err := h.Release()
	w.left(left, err, want)
}

func (w *world) reap(want map[string]string) {
	w.t.Helper()
	left, err := placeholder.Reap(w.options())
	w.left(left, err, want)
}

func (w *world) left(left []placeholder.Left, err error, want map[string]string) {
	w.t.Helper()
	if err != nil {
		w.t.Error(err)
	}
	for _, l := range left {
		name := filepath.Base(l.Path)
		if words, ok := want[name]; !ok || !strings.Contains(l.Why, words) {
			w.t.Errorf("left %q: %s; want %q", l.Path, l.Why, words)
		}
		delete(want, name)
	}
	for name := range want {
		w.t.Errorf("%q is not reported as left", name)
	}
}

func (w *world) modes() map[string]os.FileMode {
	w.t.Helper()
	entries, err := os.ReadDir(w.dir)
	if err != nil {
		w.t.Fatal(err)
	}
	out := map[string]os.FileMode{}
	for _, e := range entries {
		i, err := e.Info()
		if err != nil {
			w.t.Fatal(err)
		}
		out[e.Name()] = i.Mode()
	}
	return out
}

func (w *world) stands(want map[string]os.FileMode) {
	w.t.Helper()
	if diff := cmp.Diff(want, w.modes()); diff != "" {
		w.t.Errorf("what stands (-want +got):\n%s", diff)
	}
}

const held = os.ModeDir | 0o500

func TestHold(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	odd := "new\nline \xff\"'\\"
	one := w.hold("a", odd, "a")
	w.stands(map[string]os.FileMode{"a": held, odd: held})
	two := w.hold("a", "b")
	w.release(one, nil)
	w.stands(map[string]os.FileMode{"a": held, "b": held})
	w.release(one, nil) // again, for nothing
	w.reap(nil)
	w.stands(map[string]os.FileMode{"a": held, "b": held})
	w.release(two, nil)
	w.stands(map[string]os.FileMode{})
	w.reap(nil)
	nothingIn(t, w.state)
}

// TestHoldNothing holds that a run without placeholders touches nothing.
func TestHoldNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.hold()
	w.release(h, nil)
	w.reap(nil)
	if _, err := os.Lstat(filepath.Dir(w.state)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the state directory: %v", err)
	}
}

func TestHoldRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		set  func(w *world) error
		path string
		says string
	}{
		{"a file", func(w *world) error { return os.WriteFile(w.path("x"), nil, 0o644) }, "x", "a file stands there now"},
		{"a link", func(w *world) error { return os.Symlink("/tmp", w.path("x")) }, "x", "a symbolic link stands there now"},
		{"a dangling link", func(w *world) error { return os.Symlink("nowhere", w.path("x")) }, "x", "a symbolic link stands there now"},
		{"a socket or fifo", func(w *world) error { return syscall.Mkfifo(w.path("x"), 0o644) }, "x", "a fifo stands there now"},
		{"a directory", func(w *world) error { return os.Mkdir(w.path("x"), 0o755) }, "x", "a directory stands there now"},
		{"an own directory that looks like one", func(w *world) error { return os.Mkdir(w.path("x"), 0o500) }, "x", "no run of sbc has made"},
		{"a full directory", func(w *world) error {
			return errors.Join(os.Mkdir(w.path("x"), 0o700), os.Mkdir(w.path("x/y"), 0o700), os.Chmod(w.path("x"), 0o500))
		}, "x", "a directory stands there now"},
		{"no parent", func(*world) error { return nil }, "no/x", "has vanished"},
		{"a file as parent", func(w *world) error { return os.WriteFile(w.path("no"), nil, 0o644) }, "no/x", "has vanished"},
		{"a link as parent", func(w *world) error { return os.Symlink(filepath.Dir(w.state), w.path("l")) }, "l/x", "a directory above it is a symbolic link now"},
		{"a link above", func(w *world) error {
			return errors.Join(os.MkdirAll(w.path("a/b"), 0o755), os.Symlink("a", w.path("l")))
		}, "l/b/x", "a directory above it is a symbolic link now"},
		{"relative", func(*world) error { return nil }, "../x", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			if err := errors.Join(os.MkdirAll(filepath.Dir(w.state), 0o755), tt.set(w)); err != nil {
				t.Fatal(err)
			}
			before := w.modes()
			if tt.path == "../x" {
				if _, err := placeholder.Hold([]string{"x", "/", "/a/../b", "/a\x00b"}, w.options()); err == nil {
					t.Error("a path that is not absolute and clean is taken")
				}
				return
			}
			_, err := placeholder.Hold([]string{w.path("first"), w.path(tt.path)}, w.options())
			refusal := (*placeholder.Error)(nil)
			if !errors.As(err, &refusal) || refusal.Path != w.path(tt.path) || !strings.Contains(refusal.Why, tt.says) {
				t.Errorf("%v; want %q", err, tt.says)
			}
			w.stands(before) // the first one is gone again
			w.reap(nil)
			if _, err := os.Lstat(w.state); err == nil {
				nothingIn(t, w.state)
			}
		})
	}
}

// TestHoldOtherUsers holds that a placeholder of root is not shared by others,
// nor an unwritable directory taken for one that can be kept free.
func TestHoldOtherUsers(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 {
		return // root may do all of this
	}
	w := newWorld(t)
	if err := os.Mkdir(w.path("ro"), 0o555); err != nil {
		t.Fatal(err)
	}
	_, err := placeholder.Hold([]string{w.path("ro/x")}, w.options())
	if err == nil || !strings.Contains(err.Error(), "its directory is not writable") {
		t.Errorf("in a directory that is not writable: %v", err)
	}
	_, err = placeholder.Hold([]string{"/root"}, w.options())
	if err == nil || !strings.Contains(err.Error(), "a directory stands there now") {
		t.Errorf("a directory of root: %v", err)
	}
}

// TestSwap holds that what was put in a placeholder's place is neither removed
// nor changed, and is reported.
func TestSwap(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		change func(x string) error
		says   string
		gone   bool
		stands map[string]os.FileMode
	}{
		{"nothing", func(string) error { return nil }, "", false, map[string]os.FileMode{}},
		{"removed", os.Remove, "removed the placeholder", true, map[string]os.FileMode{}},
		{
			"another one", func(x string) error { return errors.Join(os.Rename(x, x+"2"), os.Mkdir(x, 0o500)) },
			"put something else in", true,
			map[string]os.FileMode{"x": held, "x2": held},
		},
		{
			"a link to it", func(x string) error { return errors.Join(os.Rename(x, x+"2"), os.Symlink("x2", x)) },
			"put something else in", true,
			map[string]os.FileMode{"x": os.ModeSymlink | 0o777, "x2": held},
		},
		{"another mode", func(x string) error { return os.Chmod(x, 0o700) }, "mode was changed", false, map[string]os.FileMode{"x": os.ModeDir | 0o700}},
		{
			"something in it", func(x string) error {
				return errors.Join(os.Chmod(x, 0o700), os.WriteFile(x+"/f", nil, 0o644), os.Chmod(x, 0o500))
			}, "put something into", false, map[string]os.FileMode{"x": held},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			h := w.hold("x")
			if err := tt.change(w.path("x")); err != nil {
				t.Fatal(err)
			}
			if gone := h.Check(); len(gone) > 0 != tt.gone {
				t.Errorf("gone: %v", gone)
			}
			want := map[string]string{"x": tt.says}
			if tt.says == "" {
				want = nil
			}
			w.release(h, want)
			w.stands(tt.stands)
			w.reap(nil) // said once
			w.stands(tt.stands)
		})
	}
}

// TestMovedParent holds that a placeholder goes away although a directory above
// was renamed and a link put in its place.
func TestMovedParent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, dir := range []string{"p", "other", "other/x"} {
		if err := os.Mkdir(w.path(dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	h := w.hold("p/x")
	if err := errors.Join(os.Chmod(w.path("other/x"), 0o500), os.Rename(w.path("p"), w.path("q")), os.Symlink("other", w.path("p"))); err != nil {
		t.Fatal(err)
	}
	w.release(h, nil)
	nothingIn(t, w.path("q"))
	if _, err := os.Lstat(w.path("other/x")); err != nil {
		t.Error(err)
	}
}

// TestSetgid holds that the bit that a directory inherits does not keep a
// placeholder from being shared with scripts or removed.
func TestSetgid(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if err := os.Chmod(w.dir, 0o755|os.ModeSetgid); err != nil {
		t.Fatal(err)
	}
	h := w.hold("x")
	w.stands(map[string]os.FileMode{"x": held})
	s := script(t, w.path("x"))
	w.release(h, nil)
	w.stands(map[string]os.FileMode{"x": held})
	s.end(t)
	w.stands(map[string]os.FileMode{})
}

func TestUmask(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if err := os.MkdirAll(w.state, 0o700); err != nil {
		t.Fatal(err)
	}
	p := start(t, "umask", w.state, w.path("x"))
	w.stands(map[string]os.FileMode{"x": held})
	p.end(t)
	w.stands(map[string]os.FileMode{})
}

// TestScript holds that scripts and runs share placeholders, whoever is first
// and whoever is last.
func TestScript(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := script(t, w.path("x"))
	h := w.hold("x", "y")
	s.end(t)
	w.stands(map[string]os.FileMode{"x": held, "y": held})
	s = script(t, w.path("y"), w.path("z"))
	w.release(h, nil)
	w.stands(map[string]os.FileMode{"y": held, "z": held})
	s.end(t)
	w.stands(map[string]os.FileMode{})
}
