package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWriteAtomic(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	read := func() string {
		t.Helper()
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if err := writeAtomic(file, []byte("one"), 0o640); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm()&0o640 != info.Mode().Perm() || read() != "one" {
		t.Errorf("%v, %v, %q", info.Mode(), err, read())
	}
	// An old file keeps its permission bits.
	if err := os.Chmod(file, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := writeAtomic(file, []byte("two"), 0o755); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 || read() != "two" {
		t.Errorf("%v, %v, %q", info.Mode(), err, read())
	}
	// A link is replaced, and what it leads to stays.
	link := filepath.Join(dir, "link")
	if err := os.Symlink("file", link); err != nil {
		t.Fatal(err)
	}
	if err := writeAtomic(link, []byte("three"), 0o644); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || !info.Mode().IsRegular() || read() != "two" {
		t.Errorf("%v, %v, %q", info.Mode(), err, read())
	}
	// What cannot be replaced stays, and nothing is left beside it.
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sub", "no/such/dir"} {
		if err := writeAtomic(filepath.Join(dir, name), nil, 0o644); err == nil {
			t.Errorf("%s was written", name)
		}
	}
	var names []string
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if diff := cmp.Diff([]string{"file", "link", "sub"}, names); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
