package host_test

import (
	"os"
	"testing"
	"time"

	"github.com/sandboxc/sbc/host"
)

// TestLiveStamp: whatever changes the listing of a directory, or who may list
// it, changes its stamp, even if the times are set back.
func TestLiveStamp(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		change func(dir string) error
		same   bool
	}{
		{"nothing", func(string) error { return nil }, true},
		{"the content of a file", func(d string) error { return os.WriteFile(d+"/f", []byte("more"), 0o600) }, true},
		{"what lies deeper", func(d string) error { return os.WriteFile(d+"/sub/x", nil, 0o600) }, true},
		{"a new file", func(d string) error { return os.WriteFile(d+"/x", nil, 0o600) }, false},
		{"a name that goes", func(d string) error { return os.Remove(d + "/f") }, false},
		{"a name that changes", func(d string) error { return os.Rename(d+"/f", d+"/g") }, false},
		{"a name from elsewhere", func(d string) error { return os.Rename(d+"/sub/y", d+"/f") }, false},
		{"permissions", func(d string) error { return os.Chmod(d, 0o500) }, false},
		{"set back", func(d string) error {
			info, err := os.Stat(d)
			if err != nil {
				return err
			}
			if err := os.WriteFile(d+"/x", nil, 0o600); err != nil {
				return err
			}
			return os.Chtimes(d, info.ModTime(), info.ModTime())
		}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for _, err := range []error{os.Mkdir(dir+"/sub", 0o700), os.WriteFile(dir+"/f", nil, 0o600), os.WriteFile(dir+"/sub/y", nil, 0o600)} {
				if err != nil {
					t.Fatal(err)
				}
			}
			before, settled := host.Live{}.Stamp(dir)
			time.Sleep(20 * time.Millisecond) // longer than a tick of the kernel's clock
			if err := tt.change(dir); err != nil {
				t.Fatal(err)
			}
			after, _ := host.Live{}.Stamp(dir)
			if before == (host.Stamp{}) || after == (host.Stamp{}) {
				t.Fatal("there is no stamp")
			}
			if settled {
				t.Error("what has just changed is settled")
			}
			if got := before == after; got != tt.same {
				t.Errorf("the same stamp: %t, want %t", got, tt.same)
			}
		})
	}
	for _, path := range []string{"/etc/passwd", "/gone"} {
		if stamp, settled := (host.Live{}).Stamp(path); stamp != (host.Stamp{}) || settled {
			t.Errorf("%s is no directory and has a stamp", path)
		}
	}
	if _, settled := (host.Live{}).Stamp("/usr"); !settled {
		t.Error("what has not changed for long is not settled")
	}
	if (host.Live{}).Steady("/proc") || !(host.Live{}).Steady(t.TempDir()) {
		t.Error("steady is the wrong file system")
	}
}
