package mounts_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/sandboxc/sbc/verify/mounts"
	"pgregory.net/rapid"
)

// somewhere is a destination: within the tree, or beside it.
func (w *world) somewhere(t *rapid.T, label string) string {
	base := rapid.SampledFrom([]string{w.dir + "/w", w.dir + "/w", w.dir + "/w", "/m", ""}).Draw(t, label+" base")
	rest := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c", "f"}), 0, 3).Draw(t, label)
	if base == "" && len(rest) == 0 {
		return "/m"
	}
	return base + strings.Join(append([]string{""}, rest...), "/")
}

func (w *world) source(t *rapid.T) string {
	return w.dir + "/" + rapid.SampledFrom([]string{
		"w", "w", "w/a", "w/a/b", "w/b", "w/c", "w/f", "w/a/f", "w/gone", "empty", "mask",
	}).Draw(t, "source")
}

func (w *world) random(t *rapid.T) []string {
	var args []string
	fd := 2
	// Never both: root would change the mode of the machine's own null device.
	devices := rapid.Bool().Draw(t, "devices")
	for i := range rapid.IntRange(1, 7).Draw(t, "operations") {
		dest := w.somewhere(t, "dest")
		perms := rapid.SampledFrom([]string{"000", "0111", "0555", "0755"}).Draw(t, "perms")
		switch rapid.IntRange(0, 13).Draw(t, "operation") {
		case 0, 1, 2:
			s := w.source(t)
			args = append(args, "--bind", s, rapid.SampledFrom([]string{dest, s}).Draw(t, "where"))
		case 3, 4:
			s := w.source(t)
			args = append(args, "--ro-bind-try", s, rapid.SampledFrom([]string{dest, s}).Draw(t, "where"))
		case 5:
			if !devices {
				continue
			}
			args = append(args, rapid.SampledFrom([]string{"--ro-bind", "--dev-bind"}).Draw(t, "kind"), "/dev/null", dest)
		case 6, 7:
			args = append(args, "--perms", perms, "--tmpfs", dest)
		case 8:
			args = append(args, "--perms", perms, "--dir", dest)
		case 9:
			fd++
			args = append(args, "--perms", perms, rapid.SampledFrom([]string{"--ro-bind-data", "--bind-data", "--file"}).Draw(t, "kind"), strconv.Itoa(fd), dest)
		case 10:
			args = append(args, "--symlink", "target"+strconv.Itoa(i), dest)
		case 11, 12:
			args = append(args, "--remount-ro", rapid.SampledFrom([]string{dest, "/"}).Draw(t, "where"))
		case 13:
			if devices {
				continue
			}
			args = append(args, "--chmod", perms, dest)
		}
	}
	return args
}

// TestRandom holds the model to the kernel: random operations over a little
// tree, every path at which the model's answer changes and names beneath it.
// What the model says bubblewrap refuses, bubblewrap refuses, but for what the
// model itself refuses to read; what is left it takes.
func TestRandom(t *testing.T) {
	t.Parallel()
	asUsers(t, func(t *testing.T, uid int) {
		rapid.Check(t, func(t *rapid.T) {
			w := newWorld(t, uid)
			defer w.remove()
			args := w.random(t)
			for first := true; ; first = false {
				s, table, err := w.build(t, args)
				switch {
				case err == nil && changesModes(s, table):
					return // modes on the host are no business of the model
				case err == nil:
					w.compare(t, args, w.paths(table))
					return
				}
				if first && !strings.Contains(err.Error(), "symbolic link") && !strings.Contains(err.Error(), "covered by a later one") {
					trial := newWorld(t, uid)
					moved := strings.Split(strings.ReplaceAll(strings.Join(args, "\x00"), w.dir, trial.dir), "\x00")
					if _, _, ok := trial.run(t, moved, ""); ok {
						t.Fatalf("bubblewrap starts, the model says %v\n%s", err, strings.Join(args, " "))
					}
					trial.remove()
				}
				args = without(s, err)[len(w.args(t, nil)):]
			}
		})
	})
}

func changesModes(s *mounts.Sandbox, table *mounts.Table) bool {
	for _, c := range table.Changes {
		if !c.Made && s.Args[c.Entry] == "--chmod" {
			return true
		}
	}
	return false
}
