package placeholder_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/sandboxc/sbc/enforce/placeholder"
)

func TestCreate(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		set  func(dir string) error
		path string
		says string
	}{
		{"missing", func(string) error { return nil }, "a/b/\xff c", ""},
		{"there", func(dir string) error { return os.MkdirAll(dir+"/a/b", 0o700) }, "a/b", ""},
		{"a link on the way", func(dir string) error { return errors.Join(os.Mkdir(dir+"/t", 0o755), os.Symlink("t", dir+"/a")) }, "a/b/c", "is a symbolic link now"},
		{"a link at the end", func(dir string) error { return errors.Join(os.Mkdir(dir+"/t", 0o755), os.Symlink("t", dir+"/a")) }, "a", "is a symbolic link now"},
		{"a dangling link", func(dir string) error { return os.Symlink("t", dir+"/a") }, "a", "is a symbolic link now"},
		{"a file on the way", func(dir string) error { return os.WriteFile(dir+"/a", nil, 0o644) }, "a/b", "is no directory"},
		{"a file at the end", func(dir string) error { return os.WriteFile(dir+"/a", nil, 0o644) }, "a", "is no directory"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := workDir(t)
			if err := tt.set(dir); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, tt.path)
			err := placeholder.Create(path)
			if tt.says == "" {
				if st, serr := os.Lstat(path); err != nil || serr != nil || !st.IsDir() {
					t.Errorf("%v, %v", err, serr)
				}
				return
			}
			if err == nil || !strings.HasPrefix(err.Error(), path+": ") || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("%v; want %q", err, tt.says)
			}
			if _, err := os.Lstat(dir + "/t/b"); err == nil {
				t.Error("the link was followed")
			}
		})
	}
}

func TestMaskFile(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		set  func(path string) error
		says string
	}{
		{"missing", func(string) error { return nil }, ""},
		{"as it should be", func(p string) error { return os.WriteFile(p, nil, 0) }, ""},
		{"with permissions", func(p string) error { return os.WriteFile(p, nil, 0o644) }, ""},
		{"write only", func(p string) error { return os.WriteFile(p, nil, 0o200) }, ""},
		{"with content", func(p string) error { return os.WriteFile(p, []byte("x"), 0o600) }, "must be an empty file"},
		{"a directory", func(p string) error { return os.Mkdir(p, 0o700) }, "must be an empty file"},
		{"a link", func(p string) error {
			return errors.Join(os.WriteFile(p+"2", nil, 0o644), os.Symlink(filepath.Base(p)+"2", p))
		}, "must be an empty file"},
		{"a device", func(p string) error { return os.Symlink("/dev/null", p) }, "must be an empty file"},
		{"somebody else's", func(p string) error {
			if os.Getuid() == 0 {
				return errors.Join(os.WriteFile(p, nil, 0), os.Chown(p, ordinary, ordinary))
			}
			return os.WriteFile(p, []byte("no right to give files away"), 0o600)
		}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := workDir(t)
			path := filepath.Join(dir, "config/sbc/mask")
			if tt.name != "missing" {
				if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), tt.set(path)); err != nil {
					t.Fatal(err)
				}
			}
			want := tt.says
			if tt.name == "somebody else's" {
				if want = "belongs to user"; os.Getuid() != 0 {
					want = "must be an empty file"
				}
			}
			var wg sync.WaitGroup
			for range 4 { // starts at the same time
				wg.Go(func() {
					err := placeholder.MaskFile(path)
					if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
						t.Errorf("%v; want %q", err, want)
					}
				})
			}
			wg.Wait()
			if want != "" {
				return
			}
			if st, err := os.Lstat(path); err != nil || st.Mode() != 0 || st.Size() != 0 {
				t.Errorf("mode %v, size %d, %v", st.Mode(), st.Size(), err)
			}
		})
	}
	dir := workDir(t)
	if err := errors.Join(os.Mkdir(dir+"/t", 0o755), os.Symlink("t", dir+"/config")); err != nil {
		t.Fatal(err)
	}
	if err := placeholder.MaskFile(dir + "/config/mask"); err == nil {
		t.Error("a link on the way is followed")
	}
}
