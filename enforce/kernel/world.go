package kernel

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sandboxc/sbc/verify/conformance"
)

// world is the directory of one case, W.
type world struct {
	options *Options
	dir     string

	mu      sync.Mutex
	records []Record
	closers []func() error // listeners
}

// newWorld makes the set-up of a case. The world is to be removed even if there
// is an error, but for one without a world.
func (o *Options) newWorld(ctx context.Context, c *conformance.Case) (*world, error) {
	dir, err := os.MkdirTemp(o.Parent, "case-")
	if err != nil {
		return nil, err
	}
	w := &world{options: o, dir: dir}
	for _, s := range append(conformance.Base(), c.Setup...) {
		if err := w.step(ctx, s); err != nil {
			return w, err
		}
	}
	return w, nil
}

// in puts the directory in the place of W.
func (w *world) in(s string) string { return conformance.In(w.dir, s) }

// path is a path relative to W.
func (w *world) path(t conformance.Text) string { return filepath.Join(w.dir, string(t)) }

// environ is the environment of all commands, with one secret.
func (w *world) environ() []string {
	name := "nobody"
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	return []string{
		"HOME=" + filepath.Join(w.dir, "home"), "PATH=" + w.options.Path, "USER=" + name, "LOGNAME=" + name,
		"LANG=C.UTF-8", "TERM=dumb", "FOO_TOKEN=s3cret",
	}
}

func (w *world) record(r Record) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.records = append(w.records, r)
}

// note puts what the host looks like into the record of the nth run.
func (w *world) note(n int, o *conformance.Outcome) {
	name := []string{"run", "control"}
	if n > 0 {
		name = []string{fmt.Sprint("run ", n+1)}
	}
	for i := range w.records {
		if slices.Contains(name, w.records[i].Name) {
			w.records[i].Outcome.Host, w.records[i].Outcome.Changed, w.records[i].Outcome.Moving = o.Host, o.Changed, o.Moving
		}
	}
}

// look reads what the host holds after a run.
func (w *world) look(e *conformance.Expect, o *conformance.Outcome, before map[string]string) error {
	if len(e.Host) > 0 {
		o.Host = map[string]*conformance.Text{}
	}
	for name := range e.Host {
		text, err := content(w.path(conformance.Text(name)))
		switch {
		case err == nil:
			o.Host[name] = &text
		case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, errNotDirectory):
			return err
		}
	}
	o.Moving = w.moving(e)
	after, err := w.prints(e.Same)
	if err != nil || before == nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(after)) {
		switch was, is := before[name]; {
		case !is:
			o.Changed = append(o.Changed, conformance.Text(name+" appeared"))
		case was != after[name]:
			o.Changed = append(o.Changed, conformance.Text(name+" changed from "+was+" to "+after[name]))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if _, is := after[name]; !is {
			o.Changed = append(o.Changed, conformance.Text(name+" vanished"))
		}
	}
	return nil
}

// content is the content of a file, or what else lies at a path.
func content(path string) (conformance.Text, error) {
	st, err := os.Lstat(path)
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(path) //nolint:gosec // G304: in the case's own directory
	if err != nil {
		return conformance.Text(st.Mode().Type().String()), nil // a directory, or a link to nothing
	}
	return conformance.Text(text), nil
}

// prints describes each name of some trees.
func (w *world) prints(trees []conformance.Text) (map[string]string, error) {
	out := map[string]string{}
	for _, tree := range trees {
		err := filepath.WalkDir(w.path(tree), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			name, err := filepath.Rel(w.dir, path)
			if err != nil {
				return err
			}
			out[name], err = describe(path, d)
			return err
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return out, nil
}

// describe says what lies at a path: type and mode, and the content.
func describe(path string, d fs.DirEntry) (string, error) {
	info, err := d.Info()
	if err != nil {
		return "", err
	}
	out := info.Mode().String()
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		text, err := os.Readlink(path)
		return out + " " + text, err
	case info.Mode().IsRegular():
		text, err := os.ReadFile(path) //nolint:gosec // G304: in the case's own directory
		return fmt.Sprintf("%s %d bytes %.4x", out, len(text), sha256.Sum256(text)), err
	}
	return out, nil
}

// remove takes everything away, also what nobody may enter.
func (w *world) remove() error {
	for _, c := range w.closers {
		_ = c()
	}
	err := os.RemoveAll(w.dir)
	if err == nil {
		return nil
	}
	_ = filepath.WalkDir(w.dir, func(path string, d fs.DirEntry, _ error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(path, 0o700) //nolint:gosec // G302: to remove what is in it
		}
		return nil
	})
	return os.RemoveAll(w.dir)
}

// unfit says why a case cannot be run here, or nothing.
func (o *Options) unfit(c *conformance.Case) string {
	if c.Arch != "" && c.Arch != runtime.GOARCH {
		return "it is for " + c.Arch
	}
	for _, name := range c.Needs {
		switch {
		case slices.Contains(o.Lacks, name):
			return "it needs " + name
		case strings.Contains(name, " "): // no program
		case !slices.ContainsFunc(strings.Split(o.Path, ":"), func(dir string) bool {
			_, err := exec.LookPath(filepath.Join(dir, name))
			return err == nil
		}):
			return name + " is not installed"
		}
	}
	return ""
}

// moving returns which of some files somebody writes to.
func (w *world) moving(e *conformance.Expect) []conformance.Text {
	names := append(append([]conformance.Text{}, e.Still...), e.Moving...)
	if len(names) == 0 {
		return nil
	}
	size := func() []int64 {
		out := make([]int64, len(names))
		for i, name := range names {
			if st, err := os.Stat(w.path(name)); err == nil {
				out[i] = st.Size()
			}
		}
		return out
	}
	before := size()
	time.Sleep(300 * time.Millisecond)
	var out []conformance.Text
	for i, n := range size() {
		if n != before[i] {
			out = append(out, names[i])
		}
	}
	return out
}
