package mounts_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sandboxc/sbc/verify/mounts"
)

// TestBuildErrors: what bubblewrap refuses, and what is not modelled.
func TestBuildErrors(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, args, want string }{
		{"no source", "--bind /gone /w", `argument 0 (--bind): the source "/gone" does not exist`},
		{"a source that is made only now", "--bind /w /w --dir /w/new --bind /w/new /y", `argument 5 (--bind): the source "/w/new" does not exist`},
		{"a relative source", "--bind w /w", `argument 0 (--bind): the source "w" is relative`},
		{"an empty source", "--bind-fd 3 /w", `argument 0 (--bind-fd): what descriptor 3 is open at is not known`},
		{"a relative destination", "--tmpfs w", `argument 0 (--tmpfs): the destination "w" is relative`},
		{"a destination that goes up", "--tmpfs /w/../x", `argument 0 (--tmpfs): the destination "/w/../x" goes up again`},
		{"a file over a directory", "--bind /w /w --ro-bind /dev/null /w/d", "argument 3 (--ro-bind): the destination is a directory"},
		{"content over a directory", "--bind /w /w --ro-bind-data 3 /w/d", "argument 3 (--ro-bind-data): the destination is a directory"},
		{"a directory over a file", "--bind /w /w --tmpfs /w/f", "argument 3 (--tmpfs): the destination is no directory"},
		{"beneath a file", "--bind /w /w --tmpfs /w/f/x", `argument 3 (--tmpfs): "/w/f" is no directory`},
		{"beneath a file that is mounted", "--bind /w/f /w/f --dir /w/f/x", `argument 3 (--dir): "/w/f" is no directory`},
		{"a mask on a link", "--bind /w /w --ro-bind-data 3 /w/null", "argument 3 (--ro-bind-data): the destination is a symbolic link"},
		{"a tmpfs on a link", "--symlink /w /l --tmpfs /l", "argument 3 (--tmpfs): the destination is a symbolic link"},
		{"a bind on a link", "--bind / / --bind /w/d /l", "argument 3 (--bind): the destination is a symbolic link"},
		{"through a link", "--bind / / --tmpfs /l/x", `argument 3 (--tmpfs): the destination passes the symbolic link "/l"`},
		{"modes through a link", "--bind / / --chmod 0 /l/x", `argument 3 (--chmod): the destination passes the symbolic link "/l"`},
		{"no directory in read-only storage", "--ro-bind /w /w --tmpfs /w/gone", `argument 3 (--tmpfs): "/w/gone" cannot be made: the storage is read-only`},
		{"no parent in read-only storage", "--ro-bind /w /w --tmpfs /w/gone/x", `argument 3 (--tmpfs): "/w/gone" cannot be made: the storage is read-only`},
		{"sealed too early", "--remount-ro / --bind /w /w", `argument 2 (--bind): "/w" cannot be made: the storage is read-only`},
		{"nothing in proc", "--unshare-pid --proc /proc --remount-ro /proc --dir /proc/x/y", ""},
		{"sealing what is no mount", "--bind /w /w --remount-ro /w/d", "argument 3 (--remount-ro): the destination is no mount point"},
		{"sealing what is covered", "--bind /w /w --ro-bind /w/d /w/d --bind /w /w --bind /w /w --remount-ro /w/d", "argument 12 (--remount-ro): the mount at the destination is covered by a later one"},
		{"modes of nothing", "--chmod 0 /x", "argument 0 (--chmod): the destination does not exist"},
		{"modes in read-only storage", "--ro-bind /w /w --chmod 0 /w/d", "argument 3 (--chmod): the destination is read-only"},
		{"a link where something is", "--bind /w /w --symlink x /w/d", "argument 3 (--symlink): the destination exists"},
		{"another link", "--symlink x /y --symlink z /y", "argument 3 (--symlink): the destination exists"},
		{"a directory where a file is", "--bind /w /w --dir /w/f", "argument 3 (--dir): the destination is no directory"},
		{"content into read-only storage", "--ro-bind /w /w --file 3 /w/f", "argument 3 (--file): the destination is read-only"},
		{"content into a directory", "--bind /w /w --file 3 /w/d", "argument 3 (--file): the destination is a directory"},
		{"content through a link", "--bind /w /w --file 3 /w/null", "argument 3 (--file): the destination is a symbolic link"},
		{"content over content", "--ro-bind-data 3 /f --ro-bind-data 4 /f", "argument 3 (--ro-bind-data): the content of a descriptor is mounted there, which can neither be mounted on nor remounted"},
		{"a bind over content", "--bind-data 3 /f --ro-bind /mask /f", "argument 3 (--ro-bind): the content of a descriptor is mounted there, which can neither be mounted on nor remounted"},
		{"sealing content", "--bind-data 3 /f --remount-ro /f", "argument 3 (--remount-ro): the content of a descriptor is mounted there, which can neither be mounted on nor remounted"},
		{"a directory at a link", "--symlink x /y --dir /y", "argument 3 (--dir): the destination is a symbolic link"},
		{"an overlay", "--overlay-src /w --tmp-overlay /w", "argument 2 (--tmp-overlay): overlays are not modelled"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := mounts.Build(read(t, tt.args), mounts.Options{View: machine(t)})
			if tt.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var e *mounts.Error
			if !errors.As(err, &e) || e.Error() != tt.want {
				t.Errorf("got  %v\nwant %s", err, tt.want)
			}
		})
	}
}

// TestPrepared: what the launcher makes before the start counts as there.
func TestPrepared(t *testing.T) {
	t.Parallel()
	o := mounts.Options{View: machine(t), Prepared: map[string]mounts.Object{
		"/h/mask": {Kind: mounts.Regular, Modes: true},
		"/w/held": {Kind: mounts.Directory, Perm: 0o500, Modes: true},
	}}
	table := build(t, "--bind /w /w --ro-bind /h/mask /w/f --ro-bind /w/held /w/held", o)
	check(t, table, "/w/f ------ 3 /h/mask\n/w/held r----- 6 /w/held")
	if len(table.Changes) > 0 {
		t.Error(table.Changes)
	}
}

func TestDescriptors(t *testing.T) {
	t.Parallel()
	o := mounts.Options{View: machine(t), Descriptors: map[int]string{7: "/w/a"}}
	check(t, build(t, "--ro-bind-fd 7 /y", o), "/y r----- 0 /w/a")
}

// TestChanges: bubblewrap itself makes names on the host where a writable bind
// shows it, and they stay.
func TestChanges(t *testing.T) {
	t.Parallel()
	table := build(t, "--bind /w /w --tmpfs /w/.git --ro-bind /mask /w/x/y/.env --dir /w/n --symlink a /w/s --file 3 /w/f --chmod 0 /w/d --dir /w/n --file 4 /private --chmod 0 /private",
		mounts.Options{View: machine(t)})
	want := []mounts.Change{
		{Path: "/w/.git", Entry: 3, Made: true},
		{Path: "/w/x", Entry: 5, Made: true},
		{Path: "/w/x/y", Entry: 5, Made: true},
		{Path: "/w/x/y/.env", Entry: 5, Made: true},
		{Path: "/w/n", Entry: 8, Made: true},
		{Path: "/w/s", Entry: 10, Made: true},
		{Path: "/w/f", Entry: 13},
		{Path: "/w/d", Entry: 16},
	}
	if diff := cmp.Diff(want, table.Changes); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var got []string
	for _, f := range table.Flags([]string{"/w/s.sock", "/tmp/s.sock"}) {
		got = append(got, itoa(f.Index)+" "+f.Name+": "+f.Text)
	}
	wantFlags := []string{
		`0 socket: whoever listens on "/w/s.sock" can be reached at "/w/s.sock"`,
		`3 host-change: bubblewrap itself makes "/w/.git" on the host`,
		`5 host-change: bubblewrap itself makes "/w/x" on the host`,
		`5 host-change: bubblewrap itself makes "/w/x/y" on the host`,
		`5 host-change: bubblewrap itself makes "/w/x/y/.env" on the host`,
		`8 host-change: bubblewrap itself makes "/w/n" on the host`,
		`10 host-change: bubblewrap itself makes "/w/s" on the host`,
		`13 host-change: bubblewrap itself changes "/w/f" on the host`,
		`16 host-change: bubblewrap itself changes "/w/d" on the host`,
	}
	if diff := cmp.Diff(wantFlags, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestErrorNamesTheArgument(t *testing.T) {
	t.Parallel()
	s := read(t, "--dir /a --tmpfs b")
	_, err := mounts.Build(s, mounts.Options{})
	var e *mounts.Error
	if !errors.As(err, &e) || s.Args[e.Index] != e.Word || !strings.Contains(err.Error(), e.Word) {
		t.Errorf("got %v", err)
	}
}
