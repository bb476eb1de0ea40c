package sweep_test

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/enforce/sweep"
	"github.com/sandboxc/sbc/ir/strictjson"
	"github.com/sandboxc/sbc/target"
)

func itoa(i int) string { return strconv.Itoa(i) }

func budget(files, depth int, over bool) target.Budget {
	b := target.Budget{Files: files, Depth: depth}
	if over {
		b.Expired = func() bool { return true }
	}
	return b
}

func mode(t testing.TB, path string, want os.FileMode) {
	t.Helper()
	st, err := os.Lstat(path)
	if err != nil {
		t.Error(err)
	} else if got := st.Mode().Perm(); got != want {
		t.Errorf("%s has mode %04o, want %04o", path, got, want)
	}
}

// note reads the note about something that was moved.
func (w *world) note(m sweep.LateMatch) sweep.Note {
	w.t.Helper()
	name := filepath.Dir(m.Quarantined) + ".json"
	text, err := os.ReadFile(name)
	if err != nil {
		w.t.Fatal(err)
	}
	mode(w.t, name, 0o600)
	var n sweep.Note
	if ds := strictjson.Decode(text, name, &n); ds.HasErrors() {
		w.t.Fatal(ds)
	}
	return n
}

// TestQuarantine holds that everything that may appear is moved as it is, with a
// note whose command puts it back.
func TestQuarantine(t *testing.T) {
	t.Parallel()
	things := []string{
		"a/h", "b/h/", "b/h/x/y", "c/h|", "d/h->/etc", "e/h->nowhere", "sp ace/h", "new\nline/h", `q'"$(x)\/h`, "\xff\xfe/h", "-dash/h", "ü/h",
		"f/h/in", "f/h%0500", "g/h", "g%0555",
	}
	w := newWorld(t, "write runs W/**/h")
	w.do("keep")
	w.look()
	for _, word := range things {
		if strings.HasPrefix(word, "-") {
			word = "./" + word
		}
		w.do(word)
	}
	var l net.Listener
	if err := os.Mkdir(w.w+"/s", 0o755); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("unix", w.w+"/s/h")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	before := w.tree()
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	r := w.afterOptions(sweep.AfterOptions{Quarantine: true, Time: at})
	if len(r.Matches) != 14 {
		t.Fatalf("found %d: %v", len(r.Matches), w.short(r))
	}
	mode(t, w.w+"/g", 0o555)
	for i, m := range r.Matches {
		if _, err := os.Lstat(m.Path); !errors.Is(err, os.ErrNotExist) || m.Problem != "" {
			t.Errorf("%q is still there: %v, %s", m.Path, err, m.Problem)
		}
		if want := w.q + "/run/" + itoa(i+1) + "/h"; m.Quarantined != want {
			t.Errorf("moved to %q, want %q", m.Quarantined, want)
		}
		n := w.note(m)
		want := sweep.Note{
			Version: 1, Run: "run", Path: m.Path, Moved: m.Quarantined, Type: m.Type.String(), Kind: "appeared",
			Rule: "write runs W/**/h", Reason: "a reason", Time: "2026-01-02T03:04:05Z", Restore: n.Restore,
		}
		if diff := cmp.Diff(want, n); diff != "" {
			t.Errorf("note (-want +got):\n%s", diff)
		}
		if filepath.Base(filepath.Dir(m.Path)) == "g" {
			w.do("g%0755")
		}
		if filepath.Base(filepath.Dir(m.Path)) == "f" {
			mode(t, m.Quarantined, 0o500)
			if err := os.Chmod(m.Quarantined, 0o700); err != nil {
				t.Fatal(err)
			}
		}
		if strings.Contains(n.Restore, "\n") || strings.Contains(n.Restore, "\xff") {
			t.Errorf("the command %q is not one plain line", n.Restore)
		}
		if out, err := exec.Command("bash", "-c", n.Restore).CombinedOutput(); err != nil {
			t.Errorf("%s: %v: %s", n.Restore, err, out)
		}
	}
	if diff := cmp.Diff(before, w.tree()); diff != "" {
		t.Errorf("put back (-want +got):\n%s", diff)
	}
	for dir := w.q + "/run"; dir != filepath.Dir(filepath.Dir(w.q)); dir = filepath.Dir(dir) {
		mode(t, dir, 0o700)
	}
}

func TestNoQuarantine(t *testing.T) {
	t.Parallel()
	w := newWorld(t, "write runs W/**/h")
	w.look()
	w.do("h", "g/h/h")
	w.want(w.afterOptions(sweep.AfterOptions{}), "appeared g/h: write runs W/**/h", "appeared h: write runs W/**/h")
	w.stands("g/", "g/h/", "g/h/h", "h")
	r := w.afterOptions(sweep.AfterOptions{Quarantine: true, Confirm: func(m sweep.LateMatch) bool { return m.Path == w.w+"/h" }})
	w.want(r, "appeared g/h: write runs W/**/h", "appeared h: write runs W/**/h !")
	w.stands("g/", "g/h/", "g/h/h")
	if _, err := os.Lstat(w.q + "/run-2"); err == nil {
		t.Error("a second directory for nothing")
	}
	w.do("h")
	if r := w.after(); r.Matches[0].Quarantined != w.q+"/run-2/1/h" {
		t.Errorf("a second sweep of the same run: %v", r.Matches)
	}
}

// TestAttacks holds that what changes between the judgement and the move is left
// alone, and that no link is followed.
func TestAttacks(t *testing.T) {
	t.Parallel()
	const replaced = " (it was replaced meanwhile, so it was left alone)"
	for _, tt := range []struct {
		name   string
		attack []string
		says   string
		stands []string
	}{
		{"none", nil, " !", []string{"a/", "t/", "t/h=precious"}},
		{
			"a link in the parent's place",
			[]string{"a>>b", "a->t"},
			" (a directory above it was replaced by a link meanwhile, so it was left alone)",
			[]string{"a->t", "b/", "b/h", "t/", "t/h=precious"},
		},
		{"another file", []string{"a/h>>a/g", "t/h>>a/h"}, replaced, []string{"a/", "a/g=content of a/h", "a/h=precious", "t/"}},
		{"a link in its place", []string{"-a/h", "a/h->../t/h"}, replaced, []string{"a/", "a/h->../t/h", "t/", "t/h=precious"}},
		{"another directory", []string{"a>>b", "t>>a"}, replaced, []string{"a/", "a/h=precious", "b/", "b/h=content of a/h"}},
		{"removed", []string{"-a/h"}, replaced, []string{"a/", "t/", "t/h=precious"}},
		{"removed with its directory", []string{"-a"}, " (it was left alone: open W/a: no such file or directory)", []string{"t/", "t/h=precious"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "write runs W/**/h but W/t/h")
			w.do("t/h=precious")
			w.look()
			w.do("a/h")
			r := w.afterOptions(sweep.AfterOptions{Quarantine: true, Confirm: func(sweep.LateMatch) bool {
				w.do(tt.attack...)
				return true
			}})
			w.want(r, "appeared a/h: write runs W/**/h but W/t/h"+strings.ReplaceAll(tt.says, "W", w.w))
			want := tt.stands
			for i, s := range want {
				if s == "b/h" {
					want[i] = "b/h=content of a/h"
				}
			}
			w.stands(want...)
			if _, err := os.Lstat(w.q + "/run"); (err == nil) != (tt.attack == nil) {
				t.Errorf("the quarantine: %v", err)
			}
		})
	}
}

// TestRace holds that no file is lost and none but the judged one is moved while
// somebody swaps files all the time.
func TestRace(t *testing.T) {
	t.Parallel()
	const n = 100
	w := newWorld(t, "write runs W/**/h")
	w.look()
	for i := range n {
		w.do("d" + itoa(i) + "/h=judged")
	}
	end, ended := make(chan struct{}), make(chan struct{})
	started := make(chan struct{})
	go func() {
		defer close(ended)
		<-started
		for i := 0; ; i++ {
			select {
			case <-end:
				return
			default:
			}
			dir := w.w + "/d" + itoa(2*i%n) // every second one
			_ = os.WriteFile(dir+"/new", []byte("swapped"), 0o644)
			_ = os.Rename(dir+"/h", dir+"/old")
			_ = os.Rename(dir+"/new", dir+"/h")
		}
	}()
	r := w.afterOptions(sweep.AfterOptions{Quarantine: true, Confirm: func(sweep.LateMatch) bool {
		select {
		case <-started:
		default:
			close(started)
		}
		return true
	}})
	close(end)
	<-ended
	moved := 0
	for i, m := range r.Matches {
		dir := filepath.Dir(m.Path)
		if m.Quarantined != "" {
			moved++
			text, err := os.ReadFile(m.Quarantined)
			if err != nil || m.Problem == "" && string(text) != "judged" {
				t.Errorf("moved: %q, %v", text, err)
			}
			continue
		}
		if m.Problem == "" {
			t.Errorf("match %d was neither moved nor explained", i)
		}
		if text, err := os.ReadFile(dir + "/old"); err != nil || string(text) != "judged" && string(text) != "swapped" {
			t.Errorf("%s: %q, %v", dir, text, err)
		}
	}
	if len(r.Matches) != n || moved < n/2 {
		t.Errorf("%d matches, %d moved", len(r.Matches), moved)
	}
}

// TestOtherFileSystem holds that what cannot be renamed into the quarantine goes
// to one in the write root.
func TestOtherFileSystem(t *testing.T) {
	t.Parallel()
	w := newWorldIn(t, "/dev/shm", "write runs W/**/h", "write runs W/**/.sbc")
	w.look()
	w.do("a/h", "b/h/x")
	w.want(w.after(), "appeared a/h: write runs W/**/h !", "appeared b/h: write runs W/**/h !")
	w.stands(
		".sbc/", ".sbc/quarantine/", ".sbc/quarantine/run/", ".sbc/quarantine/run/1/", ".sbc/quarantine/run/1/h=content of a/h",
		".sbc/quarantine/run/1.json", ".sbc/quarantine/run/2/", ".sbc/quarantine/run/2/h/", ".sbc/quarantine/run/2/h/x=content of b/h/x",
		".sbc/quarantine/run/2.json", "a/", "b/",
	)
	for _, dir := range []string{".sbc", ".sbc/quarantine", ".sbc/quarantine/run"} {
		mode(t, filepath.Join(w.w, dir), 0o700)
	}
	if names, err := os.ReadDir(w.q); err != nil || len(names) > 0 {
		t.Errorf("in the quarantine: %v, %v", names, err)
	}
	// A later run neither takes it for its own find nor loses it.
	w.look()
	w.want(w.after())
}

// TestPlantedQuarantine holds that a command cannot keep what it made from being
// moved by what it puts in the quarantine's place.
func TestPlantedQuarantine(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		plant []string
		where string
	}{
		{"open for all", []string{".sbc/quarantine/", ".sbc/quarantine%0777"}, ".sbc/quarantine/run/1/h"},
		{"the run's directory", []string{".sbc/quarantine/run/1/h"}, ".sbc/quarantine/run-2/1/h"},
		{"a file", []string{".sbc"}, ".sbc-quarantine/run/2/h"},
		{"a link", []string{".sbc->/tmp"}, ".sbc-quarantine/run/2/h"},
		{"with a policy", []string{".sbc/policy.hcl"}, ".sbc-quarantine/run/2/h"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorldIn(t, "/dev/shm", "write runs W/**/h", "write runs W/**/.sbc")
			w.look()
			w.do(tt.plant...)
			w.do("a/h")
			r := w.after()
			last := r.Matches[len(r.Matches)-1]
			if want := filepath.Join(w.w, tt.where); last.Quarantined != want || last.Problem != "" {
				t.Errorf("moved to %q, want %q; %s", last.Quarantined, want, last.Problem)
			}
			for _, m := range r.Matches {
				if _, err := os.Lstat(m.Quarantined); err != nil {
					t.Error(err)
				}
			}
			mode(t, filepath.Dir(filepath.Dir(last.Quarantined)), 0o700)
		})
	}
}

// TestMounts holds that what lies on a mount beneath the write root stays on it.
func TestMounts(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		return // may not mount
	}
	w := newWorld(t, "write runs W/**/h")
	w.do("m/", "b/", "src/")
	for _, m := range []struct {
		source, dir, typ string
		flags            uintptr
	}{{"none", w.w + "/m", "tmpfs", 0}, {w.w + "/src", w.w + "/b", "", syscall.MS_BIND}} {
		if err := syscall.Mount(m.source, m.dir, m.typ, m.flags, ""); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = syscall.Unmount(m.dir, syscall.MNT_DETACH) })
	}
	w.look()
	w.do("m/x/h", "b/x/h")
	r := w.after()
	got := map[string]string{}
	for _, m := range r.Matches {
		got[strings.TrimPrefix(m.Path, w.w+"/")] = strings.TrimPrefix(m.Quarantined, w.w+"/") + m.Problem
	}
	// The same file twice: by its own name, it can go to the quarantine.
	want := map[string]string{
		"m/x/h": "m/.sbc/quarantine/run/1/h", "b/x/h": "b/.sbc/quarantine/run/1/h",
		"src/x/h": "it was replaced meanwhile, so it was left alone",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("moved (-want +got):\n%s", diff)
	}
}

// TestNoPlace holds that without a quarantine everything stays and says why.
func TestNoPlace(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		set  func(w *world) error
		says string
	}{
		{"a file", func(w *world) error {
			return errors.Join(os.MkdirAll(filepath.Dir(w.q), 0o700), os.WriteFile(w.q, nil, 0o600))
		}, "not a directory"},
		{"others may write", func(w *world) error { return errors.Join(os.MkdirAll(w.q, 0o700), os.Chmod(w.q, 0o777)) }, "nobody else may write"},
		{"relative", func(w *world) error { w.q = "x"; return nil }, "must be an absolute path"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, "write runs W/**/h")
			if err := tt.set(w); err != nil {
				t.Fatal(err)
			}
			w.look()
			w.do("a/h")
			r := w.after()
			if len(r.Matches) != 1 || r.Matches[0].Quarantined != "" || !strings.Contains(r.Matches[0].Problem, tt.says) {
				t.Errorf("%v; want %q", w.short(r), tt.says)
			}
			w.stands("a/", "a/h")
		})
	}
}
