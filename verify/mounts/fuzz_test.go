package mounts_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sandboxc/sbc/verify/mounts"
)

// FuzzRead: whatever is read, nothing panics, errors name an argument, every
// operation stands at an option, and what was read reads the same again.
func FuzzRead(f *testing.F) {
	for _, s := range []string{
		tight + "--ro-bind / / --proc /proc --dev /dev --perms 000 --tmpfs /a --remount-ro /a --symlink a /b --chmod 0111 / --remount-ro /",
		"bwrap --args 4 --overlay-src a --tmp-overlay b --size 1 --tmpfs /x -- ls -l",
		"--perms 0 --ro-bind-data 3 /f --bind-fd 4 /x/y --file 5 /z --dir /z/w --unshare-all --share-net",
	} {
		f.Add(strings.ReplaceAll(s, " ", "\x00"), "--dir\x00a\x00")
	}
	f.Fuzz(func(t *testing.T, line, content string) {
		args := strings.Split(line, "\x00")
		s, err := mounts.Read(args, mounts.ReadOptions{Data: map[int][]byte{4: []byte(content)}})
		if err != nil {
			var e *mounts.Error
			if !errors.As(err, &e) || e.Index < 0 || e.Reason == "" {
				t.Fatalf("%v", err)
			}
			return
		}
		for _, op := range s.Ops {
			if word := s.Args[op.At()]; !strings.HasPrefix(word, "--") {
				t.Fatalf("%+v stands at %q", op, word)
			}
		}
		if len(s.Files) == 0 {
			again, err := mounts.Read(s.Args, mounts.ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(s, again); diff != "" {
				t.Fatal(diff)
			}
		}
		_ = mounts.Flags(s)
		if table, err := mounts.Build(s, mounts.Options{}); err == nil {
			root := table.Tree()
			var check func(n *mounts.Node)
			check = func(n *mounts.Node) {
				for _, p := range []string{n.Path, strings.TrimSuffix(n.Path, "/") + "/some/name"} {
					if got, want := root.Answer(p), table.Access(p); got != want {
						t.Fatalf("%s: tree %+v, access %+v", p, got, want)
					}
				}
				for _, c := range n.Children {
					check(c)
				}
			}
			check(root)
		}
	})
}

// FuzzReadText: what bash would change is not read, and nothing panics.
func FuzzReadText(f *testing.F) {
	f.Add("--dir\n'/a b'\n$'/\\303\\251'\n")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := mounts.ReadText([]byte(text), mounts.ReadOptions{})
		if err == nil && len(s.Args) > strings.Count(text, "\n")+1 {
			t.Fatalf("%q has %d arguments", text, len(s.Args))
		}
	})
}
