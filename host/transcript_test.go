package host_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sandboxc/sbc/host"
)

// askAll puts a few questions of each kind.
func askAll(m *host.Memo, dir string) {
	_, _ = m.ReadDir(dir)
	_, _ = m.ReadDir(dir + "/d")
	_, _ = m.Lstat(dir + "/d")
	_, _ = m.Lstat(dir + "/f")
	_, _ = m.Lstat(dir + "/none")
	_, _ = m.Readlink(dir + "/l")
	_, _ = m.Mounts()
}

// TestTranscript: a transcript holds until an answer is another one.
func TestTranscript(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		change func(dir string) error
		holds  bool
	}{
		{"nothing", func(string) error { return nil }, true},
		{"the content of a file", func(d string) error { return os.WriteFile(d+"/f", []byte("more"), 0o600) }, true},
		{"a file in a directory that nobody listed", func(d string) error { return os.WriteFile(d+"/d/sub/x", nil, 0o600) }, true},
		{"a directory in one that nobody listed", func(d string) error { return os.Mkdir(d+"/d/sub/x", 0o700) }, true},
		{"a new name", func(d string) error { return os.WriteFile(d+"/d/x", nil, 0o600) }, false},
		{"a name that is gone", func(d string) error { return os.Remove(d + "/d/sub") }, false},
		{"what was missing", func(d string) error { return os.WriteFile(d+"/none", nil, 0o600) }, false},
		{"another link", func(d string) error {
			if err := os.Remove(d + "/l"); err != nil {
				return err
			}
			return os.Symlink("elsewhere", d+"/l")
		}, false},
		{"a hard link", func(d string) error { return os.Link(d+"/f", d+"/d/sub/f") }, false},
		{"permissions", func(d string) error { return os.Chmod(d+"/f", 0o640) }, false},
		{"another file of the same name", func(d string) error {
			if err := os.WriteFile(d+"/d/sub/new", nil, 0o600); err != nil {
				return err
			}
			return os.Rename(d+"/d/sub/new", d+"/f")
		}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if err := os.MkdirAll(filepath.Join(dir, "d", "sub"), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(dir+"/f", nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink("f", dir+"/l"); err != nil {
				t.Fatal(err)
			}
			first := host.NewMemo(host.Live{})
			askAll(first, dir)
			script := first.Transcript()
			if err := tt.change(dir); err != nil {
				t.Fatal(err)
			}
			if !script.Holds(first) {
				t.Error("the memo itself answers in another way")
			}
			if got := script.Holds(host.NewMemo(host.Live{})); got != tt.holds {
				t.Errorf("holds: %t, want %t", got, tt.holds)
			}
		})
	}
}
