package limits_test

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/enforce/limits"
)

// tree is a model of a control group and those beneath it, as far as
// Documentation/admin-guide/cgroup-v2.rst says what the kernel does.
type tree struct {
	fstest.MapFS
	readOnly bool
	busy     int // how often the removal of a group fails with EBUSY after a kill
}

// newTree is a group with controllers that it has, those that it gives to its
// children, and processes.
func newTree(controllers, given, procs string) *tree {
	t := &tree{MapFS: fstest.MapFS{}}
	t.put("cgroup.controllers", controllers)
	t.put("cgroup.subtree_control", given)
	t.put("cgroup.procs", procs)
	return t
}

func (t *tree) put(name, text string) { t.MapFS[name] = &fstest.MapFile{Data: []byte(text)} }

func (t *tree) text(name string) string {
	if f := t.MapFS[name]; f != nil {
		return string(f.Data)
	}
	return "missing"
}

func (t *tree) Mkdir(name string) error {
	if t.readOnly {
		return syscall.EACCES
	}
	if t.MapFS[name] != nil {
		return fs.ErrExist
	}
	t.MapFS[name] = &fstest.MapFile{Mode: fs.ModeDir}
	given := strings.Fields(t.text("cgroup.subtree_control"))
	t.put(name+"/cgroup.procs", "")
	t.put(name+"/cgroup.kill", "")
	t.put(name+"/cgroup.controllers", strings.Join(given, " "))
	t.put(name+"/cpu.stat", "usage_usec 1500000\nuser_usec 1000000\n")
	files := map[string]string{
		"memory": "memory.max memory.swap.max memory.oom.group memory.peak memory.events",
		"pids":   "pids.max pids.events",
	}
	for _, c := range given {
		for _, f := range strings.Fields(files[c]) {
			t.put(name+"/"+f, "max\n")
		}
	}
	return nil
}

func (t *tree) Write(name, text string) error {
	switch base := path.Base(name); {
	case t.MapFS[name] == nil:
		return fs.ErrNotExist
	case base == "cgroup.subtree_control":
		if t.text("cgroup.procs") != "" {
			return syscall.EBUSY // no processes where there are controllers
		}
		for _, word := range strings.Fields(text) {
			t.put(name, t.text(name)+" "+strings.TrimPrefix(word, "+"))
		}
	case base == "cgroup.procs":
		for file := range maps.Clone(t.MapFS) {
			if path.Base(file) == base && strings.TrimSpace(t.text(file)) == text {
				t.put(file, "")
			}
		}
		t.put(name, text)
	case base == "cgroup.kill":
		t.put(path.Dir(name)+"/cgroup.procs", "")
	default:
		t.put(name, text)
	}
	return nil
}

func (t *tree) Remove(name string) error {
	switch {
	case t.MapFS[name] == nil:
		return fs.ErrNotExist
	case t.text(name+"/cgroup.procs") != "":
		return syscall.EBUSY
	case t.busy > 0:
		t.busy--
		return syscall.EBUSY
	}
	for file := range maps.Clone(t.MapFS) {
		if file == name || strings.HasPrefix(file, name+"/") {
			delete(t.MapFS, file)
		}
	}
	return nil
}

// groups lists the groups beneath the root.
func (t *tree) groups() []string {
	var out []string
	for name, f := range t.MapFS {
		if f.Mode.IsDir() {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func alive(pid int) bool { return pid == 7 }

var set = limits.Set{Memory: 1 << 20, Procs: 9}

// TestGroup follows one group through its life.
func TestGroup(t *testing.T) {
	t.Parallel()
	tr := newTree("cpu memory pids", "", "42\n")
	tr.busy = 2
	g, err := limits.Make(tr, 42, alive, set)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Enter(99); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"cgroup.procs": "", "cgroup.subtree_control": " memory pids", "sbc-launcher/cgroup.procs": "42",
		"sbc-run-42-0/memory.max": "1048576", "sbc-run-42-0/memory.swap.max": "0", "sbc-run-42-0/memory.oom.group": "1",
		"sbc-run-42-0/pids.max": "9", "sbc-run-42-0/cgroup.procs": "99",
	}
	got := map[string]string{}
	for name := range want {
		got[name] = tr.text(name)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the tree (-want +got):\n%s", diff)
	}

	tr.put("sbc-run-42-0/memory.events", "low 0\noom_kill 1\n")
	tr.put("sbc-run-42-0/pids.events", "max 0\n")
	tr.put("sbc-run-42-0/memory.peak", "4096\n")
	use, err := g.Use()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(limits.Use{CPU: 1500 * time.Millisecond, Memory: 4096, OutOfMemory: true}, use); diff != "" {
		t.Errorf("use (-want +got):\n%s", diff)
	}

	second, err := limits.Make(tr, 42, alive, set)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"sbc-launcher", "sbc-run-42-0", "sbc-run-42-1"}, tr.groups()); diff != "" {
		t.Errorf("two at once (-want +got):\n%s", diff)
	}
	if err := errors.Join(g.Remove(), second.Remove(), g.Remove()); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{"sbc-launcher"}, tr.groups()); diff != "" {
		t.Errorf("in the end (-want +got):\n%s", diff)
	}
}

// TestGroupRefused holds that no group is made, and nothing changed, where it is
// not this process's to make.
func TestGroupRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		tree *tree
		want string
	}{
		{"no controller", newTree("cpu pids", "", "42"), `the controller "memory" is not delegated to this control group`},
		{
			"other processes", newTree("memory pids", "", "41\n42"),
			"the control group has other processes too; start the command in one of its own, as with systemd-run --user --scope -p Delegate=yes",
		},
		{"another process", newTree("memory pids", "", "41"), "the control group has other processes too; start the command in one of its own, as with systemd-run --user --scope -p Delegate=yes"},
		{"no permission", &tree{MapFS: newTree("memory pids", "memory pids", "").MapFS, readOnly: true}, "make a control group: permission denied"},
		{"no permission to move", &tree{MapFS: newTree("memory pids", "", "42").MapFS, readOnly: true}, "make a control group: permission denied"},
		{"no group at all", &tree{MapFS: fstest.MapFS{}}, "read cgroup.subtree_control of the control group: open cgroup.subtree_control: file does not exist"},
	} {
		before := maps.Clone(tt.tree.MapFS)
		_, err := limits.Make(tt.tree, 42, alive, set)
		if err == nil || err.Error() != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
		if diff := cmp.Diff(before, tt.tree.MapFS); diff != "" {
			t.Errorf("%s: the tree was changed (-before +after):\n%s", tt.name, diff)
		}
	}
}

// TestGroupGiven holds that nothing moves where the controllers are on already,
// and that a group which cannot be limited is taken away again.
func TestGroupGiven(t *testing.T) {
	t.Parallel()
	tr := newTree("memory pids", "memory pids", "")
	if _, err := limits.Make(tr, 42, alive, set); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"sbc-run-42-0"}, tr.groups()); diff != "" {
		t.Errorf("groups (-want +got):\n%s", diff)
	}
	lame := &lame{newTree("memory pids", "memory pids", "")}
	if _, err := limits.Make(lame, 42, alive, set); err == nil || !errors.Is(err, syscall.EINVAL) {
		t.Errorf("a limit that cannot be set: %v", err)
	}
	if got := lame.groups(); got != nil {
		t.Errorf("left behind: %v", got)
	}
}

// lame is a tree whose limits cannot be set.
type lame struct{ *tree }

func (l *lame) Write(name, text string) error {
	if path.Base(name) == "pids.max" {
		return syscall.EINVAL
	}
	return l.tree.Write(name, text)
}

// TestGroupSweep holds that groups of processes that are gone are removed, and
// no others.
func TestGroupSweep(t *testing.T) {
	t.Parallel()
	tr := newTree("memory pids", "memory pids", "")
	for _, name := range []string{"sbc-run-7-0", "sbc-run-8-0", "sbc-run-8-1", "sbc-run-x", "other"} {
		if err := tr.Mkdir(name); err != nil {
			t.Fatal(err)
		}
	}
	tr.put("sbc-run-8-1/cgroup.procs", "77") // 8 is gone, and its command is not
	if _, err := limits.Make(tr, 42, alive, set); err != nil {
		t.Fatal(err)
	}
	want := []string{"other", "sbc-run-42-0", "sbc-run-7-0", "sbc-run-8-1", "sbc-run-x"}
	if diff := cmp.Diff(want, tr.groups()); diff != "" {
		t.Errorf("groups (-want +got):\n%s", diff)
	}
}
