package placeholder_test

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/enforce/placeholder"
	"github.com/sandboxc/sbc/host"
)

// TestView holds that the placeholders of other runs, living or dead, and of
// scripts are hidden, and nothing else is.
func TestView(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	h := w.hold("alive", "full")
	start(t, "hold", w.state, w.path("dead")).kill()
	s := script(t, w.path("script"))
	for name, mode := range map[string]os.FileMode{"own": 0o500, "other": 0o755} {
		if err := os.Mkdir(w.path(name), mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Chmod(w.path("full"), 0o700), os.Mkdir(w.path("full/x"), 0o700), os.Chmod(w.path("full"), 0o500)); err != nil {
		t.Fatal(err)
	}
	v, err := placeholder.NewView(host.NewMemo(host.Live{}), w.options())
	if err != nil {
		t.Fatal(err)
	}
	names := func() []string {
		entries, err := v.ReadDir(w.dir)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, e := range entries {
			out = append(out, e.Name)
		}
		return out
	}
	if diff := cmp.Diff([]string{"full", "other", "own", "script"}, names()); diff != "" {
		t.Errorf("listed (-want +got):\n%s", diff)
	}
	var seen []string
	for _, name := range []string{"alive", "dead", "full", "other", "own", "script"} {
		if _, err := v.Lstat(w.path(name)); err == nil {
			seen = append(seen, name)
		} else if !errors.Is(err, fs.ErrNotExist) {
			t.Error(err)
		}
	}
	if diff := cmp.Diff([]string{"full", "other", "own"}, seen); diff != "" {
		t.Errorf("seen (-want +got):\n%s", diff)
	}
	if slices.Contains(names(), "script") {
		t.Error("the script's is listed although it was found to be one")
	}
	if diff := cmp.Diff([]string{w.path("own")}, v.Doubtful()); diff != "" {
		t.Errorf("doubtful (-want +got):\n%s", diff)
	}
	s.end(t)
	w.release(h, map[string]string{"full": "put something into"})
	if _, err := v.Lstat(w.path("script")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the script's, afterwards: %v", err)
	}
	// What was hidden can be held.
	w.release(w.hold("alive", "dead", "script"), nil)
	w.reap(nil)
	w.stands(map[string]os.FileMode{"full": held, "other": os.ModeDir | 0o755, "own": held})
}
