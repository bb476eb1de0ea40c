package mounts_test

import (
	"strings"
	"testing"

	"github.com/sandboxc/sbc/host"
)

// TestConstructs asks the kernel about each kind of mount by itself, about how
// they combine, and about what the random test once found. $D is the directory
// of the test; $D/w is the tree.
func TestConstructs(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, args string }{
		{"nothing", ""},
		{"a sealed root", "--remount-ro /"},
		{"a root that cannot be listed", "--ro-bind $D/w/a $D/w/a --chmod 0111 / --remount-ro /"},
		{"a writable root", "--bind $D/w $D/w"},
		{"a read-only root", "--ro-bind $D/w $D/w"},
		{"a read-only directory in a writable root", "--bind $D/w $D/w --ro-bind $D/w/a/b $D/w/a/b"},
		{"a read-only file in a writable root", "--bind $D/w $D/w --ro-bind $D/w/f $D/w/f"},
		{"a root that is one file", "--bind $D/w/f $D/w/f --remount-ro /"},
		{"a tmpfs", "--bind $D/w $D/w --tmpfs $D/w/a"},
		{"a tmpfs without a mode", "--bind $D/w $D/w --perms 000 --tmpfs $D/w/a"},
		{"a tmpfs without a mode, sealed", "--bind $D/w $D/w --perms 000 --tmpfs $D/w/a --remount-ro $D/w/a"},
		{"an empty tmpfs, sealed", "--bind $D/w $D/w --perms 555 --tmpfs $D/w/a --remount-ro $D/w/a"},
		{"a tmpfs that can be passed only", "--bind $D/w $D/w --perms 0111 --tmpfs $D/w/a --bind $D/w/a/b $D/w/a/b --perms 0111 --dir $D/w/a/c --ro-bind $D/w/a/f $D/w/a/c/f --remount-ro $D/w/a"},
		{"a directory of the host without a mode", "--bind $D/w $D/w --ro-bind $D/empty $D/w/a"},
		{"the same, shown twice", "--bind $D/w $D/w --ro-bind $D/empty $D/w/a --bind $D/empty /e"},
		{"a file of the host without a mode", "--bind $D/w $D/w --ro-bind $D/mask $D/w/f"},
		{"the same, shown twice", "--bind $D/w $D/w --ro-bind $D/mask $D/w/f --bind $D /all"},
		{"a directory of the host that cannot be passed", "--bind $D/w $D/w --ro-bind $D/half $D/w/a"},
		{"a directory that shuts what is mounted beneath", "--perms 0 --dir /a --bind $D/w /a/w --remount-ro /"},
		{"a directory that can be listed only", "--perms 0444 --dir /a --bind $D/w /a/w --remount-ro /"},
		{"the null device", "--bind $D/w $D/w --ro-bind /dev/null $D/w/f"},
		{"the null device, as a device", "--bind $D/w $D/w --dev-bind /dev/null $D/w/f"},
		{"content", "--bind $D/w $D/w --ro-bind-data 3 $D/w/f"},
		{"content that can be written", "--bind $D/w $D/w --bind-data 3 $D/w/f"},
		{"content without a mode", "--bind $D/w $D/w --perms 000 --ro-bind-data 3 $D/w/f"},
		{"content without a mode that its owner may give", "--bind $D/w $D/w --perms 000 --bind-data 3 $D/w/f"},
		{"a file made", "--perms 0 --file 3 /d/f --remount-ro /"},
		{"a link made", "--symlink d /l --dir /d --remount-ro /"},
		{"a pin", "--bind $D/w $D/w --bind $D/w/a $D/w/a --ro-bind $D/w/a/b $D/w/a/b"},
		{"a directory above a mount point", "--bind $D/w $D/w --ro-bind $D/w/a/b $D/w/a/b"},
		{"a mask before its parent", "--tmpfs $D/w/a --bind $D/w $D/w"},
		{"sources are the host's", "--tmpfs $D/w/a --bind $D/w/a $D/w/b"},
		{"another way to a masked tree", "--bind $D/w $D/w --perms 000 --tmpfs $D/w/a --remount-ro $D/w/a --bind $D/w /alias"},
		{"remount-ro is for one mount", "--bind $D/w $D/w --bind $D/w/a $D/w/a --remount-ro $D/w"},
		{"try", "--bind $D/w $D/w --ro-bind-try $D/w/a $D/w/a --ro-bind-try $D/w/gone $D/w/b"},
		{"try, of what is made meanwhile", "--bind $D/w $D/w --dir $D/w/new --ro-bind-try $D/w/new $D/w/new"},
		{"names that do not exist yet", "--bind $D/w $D/w --tmpfs $D/w/.git --ro-bind $D/mask $D/w/x/y/.env"},
		{"a root at another place", "--ro-bind $D/w /mnt --bind $D/w/a /mnt/b"},
		{"odd names", "--bind $D/w $D/w --tmpfs $D/w/a%20b --tmpfs $D/w/*"},

		{"a remount takes devices away", "--dev-bind /dev/null /m --remount-ro /m"},
		{"a file that is a mount point by another path", "--bind $D/w $D/w --ro-bind /dev/null $D/w/a/f --bind $D/w /alias"},
		{"a file in the way can be replaced", "--perms 000 --file 3 /m/f"},
		{"a writable mount that is covered", "--bind $D/mask $D/mask --ro-bind $D/mask $D/mask"},
		{"the root of a mount as the place of another", "--bind $D/w/a $D/w --bind $D/w/b $D/w --bind $D/w /alias"},
		{"a mount within what shows it", "--bind $D/w/b $D/w/b --bind $D/w $D/w/b/c/d"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			asUsers(t, func(t *testing.T, uid int) {
				w := newWorld(t, uid)
				defer w.remove()
				args := strings.Fields(strings.ReplaceAll(tt.args, "$D", w.dir))
				_, table, err := w.build(t, args)
				if err != nil {
					t.Fatal(err)
				}
				w.compare(t, args, w.paths(table))
			})
		})
	}
}

// TestHostMounts: a bind is recursive and its flags are, too; a remount is not;
// a mount of the host cannot be moved, nor can what it is mounted on, by
// whichever path. The sandbox runs within another one, whose mounts are its host.
func TestHostMounts(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, args string }{
		{"writable", "--bind $D/w $D/w"},
		{"read-only", "--ro-bind $D/w $D/w"},
		{"sealed", "--bind $D/w $D/w --remount-ro $D/w"},
		{"at another place", "--bind $D/w /m"},
		{"from above", "--bind $D /m --tmpfs /m/w/a"},
		{"from within", "--bind $D/w/c/in /m"},
		{"a mask beneath one", "--bind $D/w $D/w --perms 000 --tmpfs $D/w/c/x --remount-ro $D/w/c/x"},
		{"something on the root of one", "--bind $D/w/c /m --tmpfs /m --bind $D/w /alias"},
		{"a mask on one", "--bind $D/w $D/w --perms 000 --tmpfs $D/w/c --remount-ro $D/w/c"},
		{"a mount point that shows twice", "--bind $D/w $D/w --ro-bind $D/w/a/b $D/w/a/b"},
		{"the other side of it", "--bind $D/w $D/w --ro-bind $D/w/b/c/b $D/w/b/c/b"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			asUsers(t, func(t *testing.T, uid int) {
				w := newWorld(t, uid)
				defer w.remove()
				w.outer = strings.Fields(strings.ReplaceAll("bwrap --unshare-user --dev-bind / / --bind $D/w/a $D/w/b/c --tmpfs $D/w/c --dir $D/w/c/x --tmpfs $D/w/c/in --", "$D", w.dir))
				w.alias = [2]string{w.dir + "/w/a", w.dir + "/w/b/c"}
				w.dirs = []string{w.dir + "/w/c", w.dir + "/w/c/x", w.dir + "/w/c/in"}
				dev, root := w.device(t)
				w.extra = []host.Mount{
					{Dev: dev, Root: root + "/w/a", Point: w.dir + "/w/b/c", FSType: "x"},
					{Dev: "0:1001", Root: "/", Point: w.dir + "/w/c", FSType: "tmpfs"},
					{Dev: "0:1002", Root: "/", Point: w.dir + "/w/c/in", FSType: "tmpfs"},
				}
				args := strings.Fields(strings.ReplaceAll(tt.args, "$D", w.dir))
				_, table, err := w.build(t, args)
				if err != nil {
					t.Fatal(err)
				}
				w.compare(t, args, w.paths(table))
			})
		})
	}
}

// device returns the file system of the test's directory, and its path there.
func (w *world) device(t *testing.T) (dev, root string) {
	t.Helper()
	list, err := host.Live{}.Mounts()
	if err != nil {
		t.Fatal(err)
	}
	best := ""
	for _, m := range list {
		if (m.Point == "/" || strings.HasPrefix(w.dir, m.Point+"/")) && len(m.Point) >= len(best) {
			best, dev, root = m.Point, m.Dev, strings.TrimSuffix(m.Root, "/")+strings.TrimPrefix(w.dir, strings.TrimSuffix(m.Point, "/"))
		}
	}
	return dev, root
}
