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

// TestSources: each thing that can happen to a source between the plan and the
// start, and the control, in which nothing happens.
func TestSources(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		change func(dir string) error
		want   []string // path and clause; "gone " in front if the plan can do without
	}{
		{"nothing", func(string) error { return nil }, nil},
		{"content", func(d string) error { return os.WriteFile(d+"/a/f", []byte("more"), 0o600) }, nil},
		{
			"another directory", func(d string) error {
				if err := os.Rename(d+"/a/b", d+"/a/c"); err != nil {
					return err
				}
				return os.Mkdir(d+"/a/b", 0o700)
			},
			[]string{`"$D/a/b" is another dir now`},
		},
		{
			"an atomic save", func(d string) error {
				if err := os.WriteFile(d+"/new", nil, 0o600); err != nil {
					return err
				}
				return os.Rename(d+"/new", d+"/a/f")
			},
			[]string{`"$D/a/f" is another file now`},
		},
		{"gone", func(d string) error { return os.Remove(d + "/a/f") }, []string{`gone "$D/a/f" has vanished`}},
		{"gone and needed", func(d string) error { return os.Remove(d + "/a/b") }, []string{`"$D/a/b" has vanished`}},
		{
			"a link in its place", func(d string) error {
				if err := os.Remove(d + "/a/f"); err != nil {
					return err
				}
				return os.Symlink("/etc/passwd", d+"/a/f")
			},
			[]string{`"$D/a/f" was a file and is a link now`},
		},
		{
			"a link above", func(d string) error {
				if err := os.Rename(d+"/a", d+"/real"); err != nil {
					return err
				}
				return os.Symlink("real", d+"/a")
			},
			[]string{`"$D/a/b" leads through a symbolic link now`, `"$D/a/f" leads through a symbolic link now`},
		},
		{
			"a file above", func(d string) error {
				if err := os.Rename(d+"/a", d+"/real"); err != nil {
					return err
				}
				return os.WriteFile(d+"/a", nil, 0o600)
			},
			[]string{`"$D/a/b" has vanished`, `gone "$D/a/f" has vanished`},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			if err := os.MkdirAll(dir+"/a/b", 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(dir+"/a/f", nil, 0o600); err != nil {
				t.Fatal(err)
			}
			was := host.NewMemo(host.Live{})
			plan := &bwrap.Plan{Mounts: []bwrap.Mount{
				{Kind: bwrap.MadeDir, Path: dir + "/made"},
				{Kind: bwrap.ClosedDir, Path: dir + "/placeholder", Placeholder: true},
				{Kind: bwrap.WritableBind, Path: dir + "/a/b", Host: "dir"},
				{Kind: bwrap.ClosedFile, Path: dir + "/a/f", Host: "file", Optional: true},
			}}
			for _, m := range plan.Mounts[2:] {
				if _, err := was.Lstat(m.Path); err != nil {
					t.Fatal(err)
				}
			}
			if err := tt.change(dir); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, c := range recheck.Sources(plan, was, recheck.Look) {
				text := strings.ReplaceAll(c.String(), dir, "$D")
				if c.Gone {
					text = "gone " + text
				}
				got = append(got, text)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
