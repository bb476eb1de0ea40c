package recheck_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/enforce/recheck"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/target/bwrap"
)

// TestMounted looks at this process, in which nothing is mounted: whatever a plan
// covers is not covered, and what it binds is what it was, unless something
// stands there that was not there before.
func TestMounted(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		mount bwrap.Mount
		other bool // another object stands at the path since the plan was made
		want  string
	}{
		{"a bind", bwrap.Mount{Kind: bwrap.WritableBind, Path: "d", Host: "dir"}, false, ""},
		{"a bind of something else", bwrap.Mount{Kind: bwrap.WritableBind, Path: "d", Host: "dir"}, true, `"d" was exchanged while the sandbox was made`},
		{"a closed directory", bwrap.Mount{Kind: bwrap.ClosedDir, Path: "d", Host: "dir"}, false, `"d" was exchanged while the sandbox was made, and is not covered`},
		{"a directory with another in its place", bwrap.Mount{Kind: bwrap.ClosedDir, Path: "d", Host: "dir"}, true, `"d" was exchanged while the sandbox was made, and is not covered`},
		{"a closed file", bwrap.Mount{Kind: bwrap.ClosedFile, Path: "f", Host: "file"}, false, `"f" was exchanged while the sandbox was made, and is not covered`},
		{"a file with another in its place", bwrap.Mount{Kind: bwrap.ClosedFile, Path: "f", Host: "file"}, true, `"f" was exchanged while the sandbox was made, and is not covered`},
		{"a file that is closed as a directory", bwrap.Mount{Kind: bwrap.ClosedDir, Path: "f", Host: "dir"}, true, `"f" was exchanged while the sandbox was made, and is not covered`},
		{"what does not exist", bwrap.Mount{Kind: bwrap.ClosedDir, Path: "none", Placeholder: true}, false, `"none" was exchanged while the sandbox was made, and is not covered`},
		{"through a link", bwrap.Mount{Kind: bwrap.WritableBind, Path: "l/x", Host: "dir"}, false, `"l/x" was exchanged while the sandbox was made`},
		{"what is made", bwrap.Mount{Kind: bwrap.MadeDir, Path: "none"}, false, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			for _, err := range []error{
				os.MkdirAll(dir+"/d/x", 0o700), os.WriteFile(dir+"/f", nil, 0o600), os.Symlink("d", dir+"/l"),
				os.Mkdir(dir+"/d2", 0o700), os.WriteFile(dir+"/f2", nil, 0o600),
			} {
				if err != nil {
					t.Fatal(err)
				}
			}
			was := host.NewMemo(host.Live{})
			tt.mount.Path = dir + "/" + tt.mount.Path
			_, _ = was.Lstat(tt.mount.Path) // a name that is missing is remembered too
			if tt.other {
				for _, name := range []string{"d", "f"} {
					if err := os.Rename(dir+"/"+name, dir+"/was-"+name); err != nil {
						t.Fatal(err)
					}
					if err := os.Rename(dir+"/"+name+"2", dir+"/"+name); err != nil {
						t.Fatal(err)
					}
				}
			}
			got := ""
			if err := recheck.Mounted(os.Getpid(), &bwrap.Plan{Mounts: []bwrap.Mount{tt.mount}}, was); err != nil {
				got = strings.ReplaceAll(strings.TrimPrefix(err.Error(), "the machine has changed since the policy was compiled: "), dir+"/", "")
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// otherwise is a host on which everything was another object.
type otherwise struct{ host.Empty }

func (otherwise) Lstat(string) (host.Node, error) {
	return host.Node{Type: host.Dir, Dev: 1, Ino: 1}, nil
}

// TestMountedOver: what has something mounted on it is covered.
func TestMountedOver(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{"/proc": true, "/usr/share": false} {
		plan := &bwrap.Plan{Mounts: []bwrap.Mount{{Kind: bwrap.ClosedDir, Path: path, Host: "dir"}}}
		if got := recheck.Mounted(os.Getpid(), plan, otherwise{}) == nil; got != want {
			t.Errorf("%s is covered: %t", path, got)
		}
	}
}

// TestHold: what a command could have exchanged is held open, and only if it is
// what it was.
func TestHold(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir+"/w/in", 0o700); err != nil {
		t.Fatal(err)
	}
	was := host.NewMemo(host.Live{})
	plan := &bwrap.Plan{Writable: []string{dir + "/w"}, Mounts: []bwrap.Mount{
		{Kind: bwrap.ReadOnlyBind, Path: dir, Host: "dir"},
		{Kind: bwrap.WritableBind, Path: dir + "/w", Host: "dir"},
		{Kind: bwrap.PinBind, Path: dir + "/w/in", Host: "dir"},
	}}
	for _, m := range plan.Mounts {
		if _, err := was.Lstat(m.Path); err != nil {
			t.Fatal(err)
		}
	}
	held, err := recheck.Hold(plan, was)
	if err != nil || len(held) != 1 || held[dir+"/w/in"] == nil {
		t.Fatalf("%v, %v", held, err)
	}
	held.Close()
	if err := os.Rename(dir+"/w/in", dir+"/w/out"); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(dir+"/w/in", 0o700); err != nil {
		t.Fatal(err)
	}
	if held, err := recheck.Hold(plan, was); err == nil {
		t.Errorf("another directory was held: %v", held)
	}
}
