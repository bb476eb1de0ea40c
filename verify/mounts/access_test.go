package mounts_test

import (
	"strings"
	"testing"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/verify/mounts"
)

// TestAccess holds single answers: what each kind of mount leaves open, which
// is what the kernel test sees as well, and how mounts combine.
func TestAccess(t *testing.T) {
	t.Parallel()
	const bind = "--bind /w /w "
	tests := []struct {
		name string
		args string
		want string // lines: path, letters, option[, path on the host]
	}{
		{"nothing", "", "/ rwc-p- -1\n/x rwcup- -1\n/x/y rwcup- -1"},
		{"nothing, sealed", "--remount-ro /", "/ r---p- -1\n/x ----p- -1\n/x/y ----p- -1"},
		{"a root that cannot be listed", "--ro-bind /w/a /w/a --chmod 0111 / --remount-ro /", "/ ----p- 3\n/w r---p- 0\n/w/a r----- 0 /w/a\n/x ----p- -1"},
		{"a directory made", "--perms 0111 --dir /w --bind /w/a /w/a --remount-ro /", "/w ----p- 2\n/w/a rwc--- 4 /w/a\n/w/x ----p- -1"},
		{"directories made on the way", "--bind /w/a/b /w/a/b", "/w rwcup- 0\n/w/a rwcup- 0\n/w/a/b rwc--- 0 /w/a/b\n/w/a/c rwcup- -1"},

		{"a writable root", bind, "/w rwc--- 0 /w\n/w/d rwcu-- 0 /w/d\n/w/gone/x rwcu-- 0 /w/gone/x\n/ rwc-p- -1"},
		{"a read-only root", "--ro-bind /w /w", "/w r----- 0 /w\n/w/d r----- 0 /w/d\n/w/gone/x r----- 0 /w/gone/x"},
		{"a read-only directory in a writable root", bind + "--ro-bind /w/d /w/d", "/w/d r----- 3 /w/d\n/w/d/f r----- 3 /w/d/f\n/w/a rwcu-- 0 /w/a"},
		{"a read-only file in a writable root", bind + "--ro-bind /w/f /w/f", "/w/f r----- 3 /w/f\n/w/f/x -----v 3\n/w/g rwcu-- 0 /w/g"},
		{"a root that is one file", "--bind /w/f /w/f", "/w/f rw---- 0 /w/f\n/w/f/x -----v 0"},

		{"a tmpfs", bind + "--tmpfs /w/d", "/w/d rwc-p- 3\n/w/d/f rwcup- 3"},
		{"a tmpfs without a mode: its owner gives it one", bind + "--perms 000 --tmpfs /w/d", "/w/d rwc-p- 5\n/w/d/f rwcup- 5"},
		{"a tmpfs without a mode, sealed", bind + "--perms 000 --tmpfs /w/d --remount-ro /w/d", "/w/d ----p- 5\n/w/d/f ----p- 5\n/w/a rwcu-- 0 /w/a"},
		{"an empty tmpfs, sealed", bind + "--perms 555 --tmpfs /w/d --remount-ro /w/d", "/w/d r---p- 5\n/w/d/f ----p- 5"},
		{"a directory of the host without a mode", bind + "--ro-bind /empty /w/d", "/w/d ------ 3 /empty\n/w/d/f ------ 3 /empty/f"},
		{"the same, where it can be given one", bind + "--ro-bind /empty /w/d --bind /empty /e", "/w/d r----- 3 /empty\n/w/d/f r----- 3 /empty/f\n/e rwc--- 6 /empty"},
		{"the same, where what holds it is writable", bind + "--ro-bind /empty /w/d --bind / /r", "/w/d r----- 3 /empty"},
		{"a directory that can be listed and not passed", "--ro-bind /half /w/d", "/w/d r----- 0 /half\n/w/d/f ------ 0 /half/f"},
		{"the null device", bind + "--ro-bind /dev/null /w/f", "/w/f ------ 3 /dev/null\n/w/f/x -----v 3"},
		{"the null device, as a device", bind + "--dev-bind /dev/null /w/f", "/w/f rw---- 3 /dev/null"},
		{"the null device, as a device, sealed", bind + "--dev-bind /dev/null /w/f --remount-ro /w/f", "/w/f ------ 3 /dev/null"},
		{"content", bind + "--ro-bind-data 3 /w/f", "/w/f r---p- 3\n/w/f/x -----v 3"},
		{"content that can be written", bind + "--bind-data 3 /w/f", "/w/f rw--p- 3"},
		{"content without a mode", bind + "--perms 000 --ro-bind-data 3 /w/f", "/w/f ----p- 5"},
		{"content without a mode that its owner may give", bind + "--perms 000 --bind-data 3 /w/f", "/w/f rw--p- 5"},
		{"a masking file of the host", bind + "--ro-bind /mask /w/f", "/w/f ------ 3 /mask"},
		{"a masked socket", bind + "--perms 000 --ro-bind-data 3 /w/s.sock", "/w/s.sock ----p- 5"},

		{"a mask before its parent is lost", "--tmpfs /w/d " + bind, "/w/d rwcu-- 2 /w/d\n/w/d/f rwcu-- 2 /w/d/f"},
		{"a mask on a mask", bind + "--tmpfs /w/d --ro-bind /w/a /w/d", "/w/d r----- 5 /w/a\n/w/d/b r----- 5 /w/a/b"},
		{"sources are the host's", "--tmpfs /w/a --bind /w/a /w/b", "/w/b rwc--- 2 /w/a\n/w/b/b rwcu-- 2 /w/a/b\n/w/a rwc-p- 0"},
		{"the same place twice", "--bind /w /w --ro-bind /w /w", "/w r----- 3 /w\n/w/d r----- 3 /w/d"},

		{"mounts of the host come along", "--ro-bind /w /w", "/w/m r----- 0 /w/m\n/w/m/n/f r----- 0 /w/m/n/f"},
		{"mounts of the host cannot be moved", "--bind /w /w", "/w/m rwc--- 0 /w/m\n/w/m/n rwc--- 0 /w/m/n\n/w/m/n/f rwcu-- 0 /w/m/n/f"},
		{"remount-ro is for one mount", "--bind /w /w --bind /w/a /w/a --remount-ro /w", "/w/d r----- 0 /w/d\n/w/a rwc--- 3 /w/a\n/w/m rwc--- 0 /w/m\n/w/m/x rwcu-- 0 /w/m/x"},

		{"a pin", bind + "--bind /w/a /w/a --ro-bind /w/a/b /w/a/b", "/w/a rwc--- 3 /w/a\n/w/a/b r----- 6 /w/a/b\n/w/a/c rwcu-- 3 /w/a/c"},
		{"a directory above a mount point can be moved", bind + "--ro-bind /w/a/b /w/a/b", "/w/a rwcu-- 0 /w/a\n/w/a/b r----- 3 /w/a/b"},
		{
			"another way to a masked tree shows it", bind + "--perms 000 --tmpfs /w/a/b --remount-ro /w/a/b --bind /w /mnt",
			"/w/a/b ----p- 5\n/mnt/a/b rwc--- 9 /w/a/b\n/mnt/a/b/f rwcu-- 9 /w/a/b/f\n/mnt/a rwcu-- 9 /w/a",
		},

		{"a source that is a link", "--bind /l /y", "/y rwc--- 0 /w/a\n/y/b rwcu-- 0 /w/a/b"},
		{"try, with a source", "--ro-bind-try /w/d /w/d", "/w/d r----- 0 /w/d"},
		{"try, without one", bind + "--ro-bind-try /gone /w/d", "/w/d rwcu-- 0 /w/d"},
		{"try, of what is made meanwhile", "--bind /w /w --dir /w/new --ro-bind-try /w/new /w/new", "/w/new r----- 5 /w/new"},
		{"links", "--symlink usr/bin /bin --ro-bind /usr /usr --remount-ro /", "/bin r---p- 0\n/bin/sh -----v 0\n/usr/bin/sh r----- 3 /usr/bin/sh"},
		{"links that can be replaced", "--symlink usr/bin /bin", "/bin rwcup- 0\n/bin/sh rwcup- -1"},
		{"a link again", "--symlink a /x --symlink a /x", "/x rwcup- 0"},
		{"a link again, on the host", bind + "--symlink /dev/null /w/null", "/w/null rwcu-- 0 /w/null"},
		{"a file made", "--file 3 /a/f --remount-ro /", "/a/f r---p- 0\n/a r---p- 0\n/a/f/x -----v 0"},
		{"a file made without a mode", "--perms 0 --file 3 /f --remount-ro /", "/f ----p- 2"},
		{"modes given later", "--dir /a --file 3 /a/f --chmod 0 /a/f --chmod 0111 /a --remount-ro /", "/a ----p- 8\n/a/f ----p- 5"},
		{"a directory that cannot be passed shuts what is mounted beneath", "--perms 0 --dir /a --bind /w /a/w --remount-ro /", "/a/w ------ 2 /w\n/a/w/d ------ 2 /w/d"},

		{"devices", "--dev /dev --remount-ro /", "/dev rwc-p- 0\n/dev/null rw--p- 0\n/dev/shm rwcup- 0\n/dev/pts rw--p- 0\n/dev/fd rwcup- 0\n/dev/pts/1 rw--p- 0"},
		{"devices, sealed", "--dev /dev --remount-ro /dev", "/dev r---p- 0\n/dev/null rw--p- 0\n/dev/shm r---p- 0\n/dev/shm/x ----p- 0"},
		{"processes", "--unshare-pid --proc /proc --remount-ro /", "/proc rw--p- 1\n/proc/1/mem rw--p- 1\n/proc/x rw--p- 1"},
		{"processes of the host", "--proc /proc", "/proc rwc--- 0 /proc\n/proc/1/mem rwcu-- 0 /proc/1/mem"},
		{"a closed name among processes", "--unshare-pid --proc /proc --ro-bind /proc/sys /proc/sys", "/proc/sys r----- 3 /proc/sys"},
		{"queues", "--mqueue /q", "/q rwc-p- 0\n/q/x rwcup- 0"},
		{"a path that is not clean", bind, "/w/ ------ -1\nw ------ -1\n/w/../w ------ -1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			table := build(t, tt.args, mounts.Options{View: machine(t)})
			check(t, table, tt.want)
		})
	}
}

func check(t *testing.T, table *mounts.Table, want string) {
	t.Helper()
	for line := range strings.SplitSeq(want, "\n") {
		f := strings.Fields(line)
		a := table.Access(f[0])
		got := []string{f[0], letters(a), itoa(a.Entry)}
		if a.HostPath != "" {
			got = append(got, a.HostPath)
		}
		if strings.Join(got, " ") != line {
			t.Errorf("got  %s\nwant %s", strings.Join(got, " "), line)
		}
	}
}

// TestAccessPinnedElsewhere: a mount point cannot be removed by another path
// that leads to the same directory entry, not even through a mount of the host.
func TestAccessPinnedElsewhere(t *testing.T) {
	t.Parallel()
	src := `{"sbc_host": 1, "facts": {"os": "linux", "arch": "amd64", "uid": 1, "home": "/h", "temp": "/t", "cache": "/c", "config": "/f"},
	"tree": {"/": {"type": "dir"}, "/w/d/f": {}, "/alias/d/f": {}, "/other/d": {"type": "dir"}},
	"mounts": [{"dev": "1:1", "root": "/", "point": "/", "fstype": "x"}, {"dev": "1:1", "root": "/w", "point": "/alias", "fstype": "x"},
	           {"dev": "1:2", "root": "/w", "point": "/other", "fstype": "x"}]}`
	rec, ds := host.ParseRecord([]byte(src), "test")
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	table := build(t, "--bind /w /w --ro-bind /w/d /w/d --bind /alias /alias --bind /other /other", mounts.Options{View: rec})
	check(t, table, "/w/d r----- 3 /w/d\n/alias/d rwc--- 6 /alias/d\n/other/d rwcu-- 9 /other/d\n/alias/e rwcu-- 6 /alias/e")
}

// TestHiddenMounts: what a later mount of the host hides does not come along.
func TestHiddenMounts(t *testing.T) {
	t.Parallel()
	src := `{"sbc_host": 1, "facts": {"os": "linux", "arch": "amd64", "uid": 1, "home": "/h", "temp": "/t", "cache": "/c", "config": "/f"},
	"tree": {"/": {"type": "dir"}, "/a/b/f": {}, "/a/c/f": {}},
	"mounts": [{"dev": "1:1", "root": "/", "point": "/", "fstype": "x"}, {"dev": "1:2", "root": "/", "point": "/a/b", "fstype": "x"},
	           {"dev": "1:3", "root": "/", "point": "/a", "fstype": "x"}, {"dev": "1:4", "root": "/", "point": "/a/c", "fstype": "x"}]}`
	rec, ds := host.ParseRecord([]byte(src), "test")
	if ds.HasErrors() {
		t.Fatal(ds)
	}
	check(t, build(t, "--bind / /", mounts.Options{View: rec}), "/a rwc--- 0 /a\n/a/b rwcu-- 0 /a/b\n/a/c rwc--- 0 /a/c")
}

// TestAccessWithoutView: nothing is known, or a function tells.
func TestAccessWithoutView(t *testing.T) {
	t.Parallel()
	const args = "--ro-bind / / --bind /w /w --perms 000 --tmpfs /w/d --remount-ro /w/d"
	want := "/ r----- 0 /\n/w/a rwcu-- 3 /w/a\n/w/d ----p- 8\n/w/d/x ----p- 8"
	t.Run("nothing", func(t *testing.T) {
		t.Parallel()
		check(t, build(t, args, mounts.Options{}), want)
	})
	t.Run("the empty view", func(t *testing.T) {
		t.Parallel()
		check(t, build(t, args, mounts.Options{View: host.Empty{}}), want)
	})
	t.Run("a function", func(t *testing.T) {
		t.Parallel()
		kind := func(p string) mounts.Kind {
			if p == "/w/f" {
				return mounts.Regular
			}
			return mounts.Directory
		}
		check(t, build(t, args+" --ro-bind /w/f /w/f", mounts.Options{Kind: kind}), want+"\n/w/f r----- 12 /w/f\n/w/f/x -----v 12")
	})
}

func TestShows(t *testing.T) {
	t.Parallel()
	table := build(t, "--bind /w /w --bind /w /mnt --tmpfs /mnt/a --bind / /all", mounts.Options{View: machine(t)})
	if got := strings.Join(table.Shows("/w/a/b"), " "); got != "/all/w/a/b /w/a/b" {
		t.Errorf("got %s", got)
	}
}

func TestResolve(t *testing.T) {
	t.Parallel()
	table := build(t, "--symlink usr/bin /bin --symlink /bin /b2 --symlink loop /loop --ro-bind /usr /usr --bind /w /w --symlink ../f /w/d/up",
		mounts.Options{View: machine(t)})
	for _, tt := range []struct {
		path  string
		final bool
		want  string
		ok    bool
	}{
		{"/bin/sh", true, "/usr/bin/sh", true},
		{"/b2/sh", true, "/usr/bin/sh", true},
		{"/bin", false, "/bin", true},
		{"/bin", true, "/usr/bin", true},
		{"/loop/x", true, "/loop", false},
		{"/w/null", true, "/dev/null", true},
		{"/w/null", false, "/w/null", true},
		{"/", true, "/", true},
		{"/nothing/here", true, "/nothing/here", true},
	} {
		if got, ok := table.Resolve(tt.path, tt.final); got != tt.want || ok != tt.ok {
			t.Errorf("Resolve(%q, %v) = %q, %v; want %q, %v", tt.path, tt.final, got, ok, tt.want, tt.ok)
		}
	}
}
