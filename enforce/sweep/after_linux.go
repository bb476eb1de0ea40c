package sweep

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sandboxc/sbc/enforce/dirfd"
	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
)

// workers list directories at the same time.
const workers = 4

// now is the time that the kernel gives files: that of the last tick.
func now() int64 {
	var t unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_REALTIME_COARSE, &t); err != nil {
		return 0
	}
	return t.Nano()
}

// After finds what appeared since [Look], and moves aside what would run later
// if it is told to. The command must have ended, and placeholders of this run be
// removed.
func After(b *Before, o AfterOptions) Result {
	if b.rules.idle() {
		return Result{}
	}
	a := &after{before: b, options: o}
	defer a.shut()
	a.find()
	if o.Quarantine {
		a.move()
	}
	return a.result
}

// after is one sweep.
type after struct {
	before  *Before
	options AfterOptions
	result  Result
	objects []dirfd.Info // what each match is
	opened  []opened     // directories that are to be shut again
}

// opened is a directory with its mode as it was.
type opened struct {
	dir  dirfd.Dir
	perm uint32
}

func (a *after) find() {
	b := a.before
	w := &walk{rules: b.rules, view: host.Live{}, budget: a.options.Budget, kernel: b.kernel, workers: workers}
	w.find = a.judge
	w.refused = a.open
	w.run()
	for _, m := range b.missing {
		a.named(m)
	}
	a.result.Bound, a.result.Unread, a.result.Entries = w.bound, w.unread, w.entries
	a.arrange()
}

// judge takes a match in if it is late, and says whether to look beneath it.
func (a *after) judge(p string, typ host.Type, rule int) bool {
	i, err := look(p)
	if err != nil || i.Type() != typ || harmless(p, i) {
		return false // it is gone, or was replaced since it was listed
	}
	kind := a.before.kind(p, i, rule)
	if kind == 0 {
		return false
	}
	a.add(p, i, kind, rule)
	return !a.before.rules.runs(rule) && kind != Moved
}

// tick is how exact the times of files are: they are those of the kernel's last
// tick, or finer.
const tick = int64(20 * time.Millisecond)

// kind tells new from old; 0 is old.
func (b *Before) kind(p string, i dirfd.Info, rule int) Kind {
	self := objectOf(i)
	then, ok := b.matches[p]
	switch {
	case int(i.UID) != os.Geteuid():
		return 0 // a command makes what is this user's, and nothing else
	case ok && (then.self == object{} || then.self == self):
		return 0
	case ok:
		if parent, err := look(path.Dir(p)); err == nil && then.parent == objectOf(parent) {
			return Replaced
		}
		return Appeared
	}
	if r, ok := b.objects[self]; ok && r == rule {
		return Moved
	}
	if b.unsure(p) && i.Born < b.start+tick {
		return Uncertain
	}
	return Appeared
}

func objectOf(i dirfd.Info) object { return object{i.Dev, i.Ino, i.Born} }

// objectAt returns what is at a path before the run; nothing if it is gone.
func objectAt(p string) object {
	i, err := dirfd.Stat(p)
	if err != nil {
		return object{}
	}
	return objectOf(i)
}

func look(p string) (dirfd.Info, error) {
	parent, name, err := dirfd.Parent(p)
	if err != nil {
		return dirfd.Info{}, err
	}
	defer parent.Close()
	return parent.Stat(name)
}

// harmless reports whether the object is the launcher's: another run's
// placeholder, or a directory that holds what an earlier sweep moved aside.
func harmless(p string, i dirfd.Info) bool {
	if !i.IsDir() || i.Perm()&0o777 != 0o500 && path.Base(p) != ownDir {
		return false
	}
	parent, name, err := dirfd.Parent(p)
	if err != nil {
		return false
	}
	defer parent.Close()
	d, err := parent.List(name)
	if err != nil {
		return false
	}
	defer d.Close()
	names, err := d.Names(false)
	return err == nil && (len(names) == 0 || slices.Equal(names, []string{quarantineDir}))
}

func (a *after) add(p string, i dirfd.Info, kind Kind, rule int) {
	r := a.before.rules
	a.result.Matches = append(a.result.Matches, LateMatch{
		Path: p, Type: i.Type(), Kind: kind, Rule: rule,
		Address: r.decider.Policy().Files[rule].Origin.Address, Runs: r.runs(rule),
	})
	a.objects = append(a.objects, i)
}

// named looks at a path that is closed by name and did not exist.
func (a *after) named(m absence) {
	i, err := look(m.path)
	switch {
	case err == nil:
		if rule, ok := a.before.rules.closes(m.path, i.IsDir()); ok && !harmless(m.path, i) {
			a.add(m.path, i, Appeared, rule)
		}
	case errors.Is(err, dirfd.ErrLink):
		a.linked(m)
	}
}

// linked takes in the link through which a path that is closed by name leads to
// something, if the link is new.
func (a *after) linked(m absence) {
	st, err := os.Stat(m.path)
	if err != nil {
		return // it leads nowhere
	}
	rule, ok := a.before.rules.closes(m.path, st.IsDir())
	if !ok {
		return
	}
	for _, at := range ir.Ancestors(m.path) {
		i, err := look(at)
		if at == "/" || err == nil && !i.Link() {
			continue
		}
		if err == nil && ir.Beneath(at, m.first) {
			a.add(at, i, Linked, rule)
		}
		return
	}
}

// arrange sorts the matches and leaves out those beneath a directory that would
// be moved as a whole, and repetitions.
func (a *after) arrange() {
	order := make([]int, len(a.objects))
	for i := range order {
		order[i] = i
	}
	all, objects := a.result.Matches, a.objects
	// With the least byte for a slash, what lies beneath a directory follows it.
	key := func(i int) string { return strings.ReplaceAll(all[i].Path, "/", "\x00") }
	slices.SortStableFunc(order, func(i, j int) int { return strings.Compare(key(i), key(j)) })
	a.result.Matches, a.objects = nil, nil
	moved, last := "", ""
	for _, i := range order {
		m := all[i]
		if moved != "" && ir.Beneath(m.Path, moved) || m.Path == last {
			continue
		}
		last = m.Path
		if m.movable() {
			moved = m.Path
		}
		a.result.Matches, a.objects = append(a.result.Matches, m), append(a.objects, objects[i])
	}
}

// movable reports whether the match is to be moved aside.
func (m *LateMatch) movable() bool { return m.Runs && (m.Kind == Appeared || m.Kind == Linked) }

// open makes a directory readable that could be read, or was not there, at the
// start, and that its owner cannot read now: what is in it runs all the same.
func (a *after) open(p string) bool {
	if a.before.unread[p] {
		return false
	}
	d, err := dirfd.Open(p)
	if err != nil {
		return false
	}
	const perm = 0o700
	i, err := d.Self()
	if err != nil || int(i.UID) != os.Geteuid() || i.Perm()&perm == perm || d.Chmod(i.Perm()|perm) != nil {
		d.Close()
		return false
	}
	a.opened = append(a.opened, opened{d, i.Perm()})
	return true
}

// shut gives directories back the modes that they had.
func (a *after) shut() {
	for _, o := range slices.Backward(a.opened) {
		_ = o.dir.Chmod(o.perm) // its owner has just changed it, so nothing else can be wrong
		o.dir.Close()
	}
	a.opened = nil
}

// gone reports whether nothing is at a path any more.
func gone(err error) bool { return errors.Is(err, fs.ErrNotExist) }
