package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sandboxc/sbc/host"
)

// TestProofCache: a proof is known only if its file is exactly what was written
// and nobody else can have written it.
func TestProofCache(t *testing.T) {
	t.Parallel()
	const key = "0123abcd"
	for _, tc := range []struct {
		name  string
		spoil func(t *testing.T, dir, file string)
		want  bool
	}{
		{"as it was written", func(*testing.T, string, string) {}, true},
		{"other content", func(t *testing.T, _, file string) { put(t, file, "0123abce\n") }, false},
		{"more content", func(t *testing.T, _, file string) { put(t, file, key+"\n\n") }, false},
		{"open to the group", func(t *testing.T, _, file string) { mode(t, file, 0o640) }, false},
		{"directory open to others", func(t *testing.T, dir, _ string) { mode(t, dir, 0o755) }, false},
		{"a link", func(t *testing.T, dir, file string) {
			other := filepath.Join(dir, "other")
			put(t, other, key+"\n")
			mode(t, other, 0o600)
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(other, file); err != nil {
				t.Fatal(err)
			}
		}, false},
		{"gone", func(t *testing.T, _, file string) {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			c := proofCache{dir: ownDir(filepath.Join(t.TempDir(), "proofs"))}
			if c.has(key) {
				t.Error("known before it was added")
			}
			c.add(key)
			tc.spoil(t, string(c.dir), filepath.Join(string(c.dir), key))
			if got := c.has(key); got != tc.want {
				t.Errorf("has = %v, want %v", got, tc.want)
			}
		})
	}
	t.Run("no directory", func(t *testing.T) {
		t.Parallel()
		c := proofCache{}
		c.add(key)
		if c.has(key) {
			t.Error("an empty cache knows a proof")
		}
	})
}

func put(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func mode(t *testing.T, file string, perm os.FileMode) {
	t.Helper()
	if err := os.Chmod(file, perm); err != nil {
		t.Fatal(err)
	}
}

// TestProofCacheHost: a proof that asked the host is known as long as the host
// answers the same.
func TestProofCacheHost(t *testing.T) {
	t.Parallel()
	const key = "0123abcd"
	dir := t.TempDir()
	c := proofCache{dir: ownDir(filepath.Join(t.TempDir(), "sbc", "proofs"))}
	asked := host.NewMemo(host.Live{})
	if _, err := asked.ReadDir(dir); err != nil {
		t.Fatal(err)
	}
	known := func() bool { return c.hasFor(key, host.NewMemo(host.Live{})) }
	if known() {
		t.Error("known before it was added")
	}
	if c.addFor(key, asked); !known() {
		t.Error("not known after it was added")
	}
	put(t, filepath.Join(dir, "new"), "")
	if known() {
		t.Error("known although the host has a new name")
	}
}
