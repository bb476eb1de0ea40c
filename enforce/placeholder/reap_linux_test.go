package placeholder_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/sandboxc/sbc/enforce/placeholder"
)

func TestReap(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := start(t, "hold", w.state, w.path("a"), w.path("b\xff"))
	alive := start(t, "hold", w.state, w.path("a"), w.path("c"))
	p.kill()
	w.stands(map[string]os.FileMode{"a": held, "b\xff": held, "c": held})
	w.reap(nil)
	w.stands(map[string]os.FileMode{"a": held, "c": held})
	alive.kill()
	var wg sync.WaitGroup
	for range 8 { // starts at the same time
		wg.Go(func() { w.reap(nil) })
	}
	wg.Wait()
	w.reap(nil) // each of those may have left a record to another one
	w.stands(map[string]os.FileMode{})
	nothingIn(t, w.state)
}

// TestReapLeaves holds what a start does not remove although a record names it.
func TestReapLeaves(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		change func(w *world, x string) error
		says   string
		stands map[string]os.FileMode
	}{
		{"nothing changed", func(*world, string) error { return nil }, "", map[string]os.FileMode{}},
		{"removed", func(_ *world, x string) error { return os.Remove(x) }, "", map[string]os.FileMode{}},
		{
			"an own one in its place", func(_ *world, x string) error { return errors.Join(os.Remove(x), os.Mkdir(x, 0o500)) },
			"",
			map[string]os.FileMode{"x": held},
		},
		{
			"a link in its place", func(_ *world, x string) error { return errors.Join(os.Rename(x, x+"2"), os.Symlink("x2", x)) },
			"",
			map[string]os.FileMode{"x": os.ModeSymlink | 0o777, "x2": held},
		},
		{
			"a file in its place", func(_ *world, x string) error { return errors.Join(os.Remove(x), os.WriteFile(x, nil, 0o600)) },
			"",
			map[string]os.FileMode{"x": 0o600},
		},
		{"another mode", func(_ *world, x string) error { return os.Chmod(x, 0o711) }, "mode was changed", map[string]os.FileMode{"x": os.ModeDir | 0o711}},
		{
			"something in it", func(_ *world, x string) error {
				return errors.Join(os.Chmod(x, 0o700), os.WriteFile(x+"/f", nil, 0o644), os.Chmod(x, 0o500))
			}, "put something into", map[string]os.FileMode{"x": held},
		},
		{
			"its directory is a link", func(w *world, _ string) error {
				return errors.Join(os.Rename(w.dir, w.dir+"2"), os.Symlink(w.dir+"2", w.dir))
			}, "a directory above is a symbolic link now", map[string]os.FileMode{"x": held},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			start(t, "hold", w.state, w.path("x")).kill()
			w.stands(map[string]os.FileMode{"x": held})
			if err := tt.change(w, w.path("x")); err != nil {
				t.Fatal(err)
			}
			want := map[string]string{"x": tt.says}
			if tt.says == "" {
				want = nil
			}
			w.reap(want)
			w.stands(tt.stands)
			w.reap(nil)
			nothingIn(t, w.state)
		})
	}
}

// write writes a record as a killed run leaves it, with W for the directory.
func (w *world) write(name, text string) {
	w.t.Helper()
	if err := errors.Join(os.MkdirAll(w.state, 0o700),
		os.WriteFile(filepath.Join(w.state, name), []byte(strings.ReplaceAll(text, "W", w.dir)), 0o600)); err != nil {
		w.t.Fatal(err)
	}
}

// TestReapIntent holds that what a run was about to make when it was killed is
// removed, and what is older or much younger is not.
func TestReapIntent(t *testing.T) {
	t.Parallel()
	const head = `{"pid":1,"version":1}` + "\n"
	for _, tt := range []struct {
		name, text string
		made       time.Duration // after the record
		stands     map[string]os.FileMode
	}{
		{"made at once", head + `{"dev":1,"path":"W/x"}` + "\n", 0, map[string]os.FileMode{}},
		{"a torn line after it", head + `{"dev":1,"path":"W/x"}` + "\n" + `{"dev":1,"in`, 0, map[string]os.FileMode{}},
		{"before", head + `{"dev":1,"path":"W/x"}` + "\n", -time.Minute, map[string]os.FileMode{"x": held}},
		{"much later", head + `{"dev":1,"path":"W/x"}` + "\n", time.Minute, map[string]os.FileMode{"x": held}},
		{"another path", head + `{"dev":1,"path":"W/y"}` + "\n", 0, map[string]os.FileMode{"x": held}},
		{"another inode", head + `{"dev":1,"ino":1,"path":"W/x"}` + "\n", 0, map[string]os.FileMode{"x": held}},
		{"a torn line alone", head + `{"dev":1,"path":"W/x"}`, 0, map[string]os.FileMode{"x": held}},
		{"a torn head", `{"pid"`, 0, map[string]os.FileMode{"x": held}},
		{"empty", "", 0, map[string]os.FileMode{"x": held}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.write("a.run", tt.text)
			if err := os.Mkdir(w.path("x"), 0o500); err != nil {
				t.Fatal(err)
			}
			at := time.Now().Add(-tt.made)
			if err := os.Chtimes(filepath.Join(w.state, "a.run"), at, at); err != nil {
				t.Fatal(err)
			}
			w.reap(nil)
			w.stands(tt.stands)
			w.reap(nil)
		})
	}
}

// TestDamaged holds that a record that cannot be read is set aside and nothing
// that it names is touched.
func TestDamaged(t *testing.T) {
	t.Parallel()
	const good = `{"dev":1,"path":"W/x"}` + "\n"
	for name, text := range map[string]string{
		"no head":       good,
		"other version": `{"pid":1,"version":2}` + "\n" + good,
		"unknown key":   `{"pid":1,"version":1}` + "\n" + `{"dev":1,"force":true,"path":"W/x"}` + "\n",
		"twice a key":   `{"pid":1,"version":1}` + "\n" + `{"dev":1,"dev":1,"path":"W/x"}` + "\n",
		"relative path": `{"pid":1,"version":1}` + "\n" + good + `{"dev":1,"path":"x"}` + "\n",
		"dots":          `{"pid":1,"version":1}` + "\n" + good + `{"dev":1,"path":"W/y/../x"}` + "\n",
		"torn within":   `{"pid":1,"version":1}` + "\n" + `{"dev":1,"pa` + good,
		"not JSON":      "\x00\x00\x00\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.write("a.run", text)
			if err := os.Mkdir(w.path("x"), 0o500); err != nil {
				t.Fatal(err)
			}
			w.reap(map[string]string{"a.damaged": "is damaged"})
			w.stands(map[string]os.FileMode{"x": held})
			if got, err := os.ReadFile(filepath.Join(w.state, "a.damaged")); err != nil || string(got) != strings.ReplaceAll(text, "W", w.dir) {
				t.Errorf("set aside: %q, %v", got, err)
			}
			w.reap(nil)
		})
	}
	t.Run("a link", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		w.write("b", `{"pid":1,"version":1}`+"\n"+good)
		if err := os.Symlink("b", filepath.Join(w.state, "a.run")); err != nil {
			t.Fatal(err)
		}
		w.reap(map[string]string{"a.damaged": "is damaged"})
	})
}

func TestState(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		set  func(w *world) error
		says string
	}{
		{"missing", func(*world) error { return nil }, ""},
		{"others may read", func(w *world) error { return os.MkdirAll(w.state, 0o755) }, ""},
		{"others may write", func(w *world) error { return errors.Join(os.MkdirAll(w.state, 0o700), os.Chmod(w.state, 0o777)) }, "may be written by others"},
		{"the group may write", func(w *world) error { return errors.Join(os.MkdirAll(w.state, 0o700), os.Chmod(w.state, 0o770)) }, "may be written by others"},
		{"a file", func(w *world) error {
			return errors.Join(os.MkdirAll(filepath.Dir(w.state), 0o700), os.WriteFile(w.state, nil, 0o600))
		}, "cannot open the directory for records"},
		{"somebody else's", func(w *world) error {
			if os.Getuid() != 0 {
				w.state = "/usr"
				return nil
			}
			return errors.Join(os.MkdirAll(w.state, 0o700), os.Chown(w.state, ordinary, ordinary))
		}, "belongs to user"},
		{"relative", func(w *world) error { w.state = "state"; return nil }, "must be an absolute path"},
		{"not named", func(w *world) error { w.state = ""; return nil }, "must be an absolute path"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			if err := tt.set(w); err != nil {
				t.Fatal(err)
			}
			h, err := placeholder.Hold([]string{w.path("x")}, w.options())
			if tt.says == "" {
				if err != nil {
					t.Fatal(err)
				}
				w.release(h, nil)
				return
			}
			_, rerr := placeholder.Reap(w.options())
			_, verr := placeholder.NewView(nil, w.options())
			for _, err := range []error{err, rerr, verr} {
				if err == nil || !strings.Contains(err.Error(), tt.says) {
					t.Errorf("%v; want %q", err, tt.says)
				}
			}
			w.stands(map[string]os.FileMode{})
		})
	}
	w := newWorld(t)
	w.release(w.hold("x"), nil)
	if st, err := os.Stat(w.state); err != nil || st.Mode() != os.ModeDir|0o700 {
		t.Errorf("made with mode %v, %v", st.Mode(), err)
	}
}

// TestNoRoom holds that nothing is made if it cannot be written down first.
func TestNoRoom(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	start(t, "full", w.state, w.path("x")).end(t)
	w.stands(map[string]os.FileMode{})
	w.reap(nil)
	nothingIn(t, w.state)
	if os.Getuid() == 0 {
		return // may write everywhere
	}
	if err := os.Chmod(w.state, 0o500); err != nil {
		t.Fatal(err)
	}
	if _, err := placeholder.Hold([]string{w.path("x")}, w.options()); !errors.Is(err, syscall.EACCES) || !strings.Contains(err.Error(), "cannot record") {
		t.Errorf("with a state directory that cannot be written: %v", err)
	}
	w.stands(map[string]os.FileMode{})
	w.reap(nil)
}

// TestDescriptors holds that a start that fails at any step leaves nothing, or
// what the next start removes.
func TestDescriptors(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	start(t, "descriptors", w.state, w.dir).end(t)
	w.stands(map[string]os.FileMode{})
	nothingIn(t, w.state)
}
