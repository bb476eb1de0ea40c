package host_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/host"
)

// lexicalView refuses what an ordinary user that owns all files may not ask, for
// paths without links in their middle: as root the kernel would let it pass.
type lexicalView struct{ host.Live }

func (v lexicalView) Lstat(p string) (host.Node, error) {
	for a := path.Dir(p); a != "/"; a = path.Dir(a) {
		if n, err := v.Live.Lstat(a); err == nil && n.Type == host.Dir && n.Perm&0o100 == 0 {
			return host.Node{}, &fs.PathError{Op: "lstat", Path: p, Err: fs.ErrPermission}
		}
	}
	return v.Live.Lstat(p)
}

// userView is the live view as an ordinary user that owns all files has it.
type userView struct{ host.Live }

func (v userView) search(op, p string) error {
	r, err := host.Resolve(lexicalView{}, path.Dir(p))
	if err == nil && r.Missing == "" {
		_, err = lexicalView{}.Lstat(path.Join(r.Path, path.Base(p)))
	}
	if errors.Is(err, fs.ErrPermission) {
		return &fs.PathError{Op: op, Path: p, Err: fs.ErrPermission}
	}
	return nil
}

func (v userView) Lstat(p string) (host.Node, error) {
	if err := v.search("lstat", p); err != nil {
		return host.Node{}, err
	}
	n, err := v.Live.Lstat(p)
	if n.Type == host.Dir {
		n.Nlink = 1 // others make directories in /tmp meanwhile
	}
	return n, err
}

func (v userView) Readlink(p string) (string, error) {
	if err := v.search("readlink", p); err != nil {
		return "", err
	}
	return v.Live.Readlink(p)
}

func (v userView) ReadDir(p string) ([]host.Entry, error) {
	if err := v.search("readdir", p); err != nil {
		return nil, err
	}
	if n, err := v.Live.Lstat(p); err == nil && n.Type == host.Dir && n.Perm&0o400 == 0 {
		return nil, &fs.PathError{Op: "readdir", Path: p, Err: fs.ErrPermission}
	}
	return v.Live.ReadDir(p)
}

// TestRecordReplays holds: over any tree and any questions, the view of the
// record gives the answers that the machine gave, and the same questions in
// another order make the same record.
func TestRecordReplays(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	trees := 0
	rapid.Check(t, func(t *rapid.T) {
		trees++
		root := fmt.Sprintf("%s/%d/d/d/d/d/d", base, trees) // ".." does not lead to another tree
		randomTree(t, root)
		name := rapid.SampledFrom([]string{"a", "b", "\xff", "é\n"})
		rec := host.NewRecorder(userView{})
		type question struct{ what, path string }
		var asked []question
		var want []string
		for range rapid.IntRange(0, 20).Draw(t, "questions") {
			q := question{
				rapid.SampledFrom([]string{"lstat", "readlink", "readdir", "resolve"}).Draw(t, "what"),
				path.Join(root, strings.Join(rapid.SliceOfN(name, 0, 4).Draw(t, "of"), "/")),
			}
			asked = append(asked, q)
			want = append(want, answer(rec, q.what, q.path))
		}
		text, err := rec.Record(factsValue)
		if err != nil {
			t.Fatal(err)
		}
		replay, ds := host.ParseRecord(text, "host.json")
		if len(ds) > 0 {
			t.Fatalf("%+v\n%s", ds, text)
		}
		for i, q := range asked {
			if diff := cmp.Diff(want[i], answer(replay, q.what, q.path)); diff != "" {
				t.Fatalf("%s %q (-machine +replay):\n%s\n%s", q.what, q.path, diff, text)
			}
		}
		again := host.NewRecorder(userView{})
		for _, q := range slices.Backward(asked) {
			answer(again, q.what, q.path)
		}
		second, err := again.Record(factsValue)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(text), string(second)); diff != "" {
			t.Fatalf("asked backwards (-first +second):\n%s", diff)
		}
	})
}

func answer(v host.View, what, p string) string {
	if what != "resolve" {
		return askOne(v, what, p)
	}
	r, err := host.Resolve(v, p)
	return fmt.Sprintf("%+v %t", r, err != nil)
}

// randomTree makes files, directories, hard links and symbolic links, some of
// them beneath links, and closes some directories by their permission bits.
func randomTree(t *rapid.T, root string) {
	if err := os.MkdirAll(root, 0o755); err != nil {
		t.Fatal(err)
	}
	name := rapid.SampledFrom([]string{"a", "b", "\xff", "é\n"})
	step := rapid.SampledFrom([]string{"a", "b", "\xff", "..", "."})
	draw := func(what string, g *rapid.Generator[string], low, high int) string {
		return strings.Join(rapid.SliceOfN(g, low, high).Draw(t, what), "/")
	}
	for range rapid.IntRange(0, 15).Draw(t, "nodes") {
		p := root + "/" + draw("path", name, 1, 3)
		switch rapid.IntRange(0, 6).Draw(t, "kind") { // what cannot be made is not there
		case 0:
			_ = os.WriteFile(p, nil, 0o600)
		case 1, 2:
			_ = os.Mkdir(p, 0o755)
		case 3:
			_ = os.Symlink(draw("target", step, 1, 4), p)
		case 4:
			_ = os.Symlink(root+"/"+draw("target", step, 0, 3), p)
		case 5:
			_ = os.Link(root+"/"+draw("other", name, 1, 3), p)
		case 6:
			mode := rapid.SampledFrom([]os.FileMode{0, 0o100, 0o400, 0o604}).Draw(t, "mode")
			if info, err := os.Lstat(p); err == nil && info.Mode()&fs.ModeSymlink == 0 {
				_ = os.Chmod(p, mode)
			}
		}
	}
}
