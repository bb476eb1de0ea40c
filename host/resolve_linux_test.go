package host_test

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/host"
)

// TestResolveAgreesWithKernel holds: for every path in a random tree of
// directories, files and links, Resolve finds the node that the kernel opens,
// and fails or finds something missing where the kernel does.
func TestResolveAgreesWithKernel(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		root := fmt.Sprintf("%s/%d", base, n)
		if err := os.Mkdir(root, 0o755); err != nil {
			t.Fatal(err)
		}
		name := rapid.SampledFrom([]string{"a", "b", "c"})
		step := rapid.SampledFrom([]string{"a", "b", "c", "..", "."})
		join := func(parts []string) string { return strings.Join(parts, "/") }
		for range rapid.IntRange(0, 14).Draw(t, "nodes") {
			p := root + "/" + join(rapid.SliceOfN(name, 1, 3).Draw(t, "path"))
			switch rapid.IntRange(0, 4).Draw(t, "kind") { // what cannot be made is not there
			case 0:
				_ = os.WriteFile(p, nil, 0o600)
			case 1, 2:
				_ = os.Mkdir(p, 0o755)
			case 3:
				_ = os.Symlink(join(rapid.SliceOfN(step, 1, 4).Draw(t, "target")), p)
			case 4:
				_ = os.Symlink(root+"/"+join(rapid.SliceOfN(step, 0, 3).Draw(t, "target")), p)
			}
		}
		p := root + "/" + join(rapid.SliceOfN(name, 1, 4).Draw(t, "asked"))
		got, err := host.Resolve(host.Live{}, p)

		fd, openErr := unix.Open(p, unix.O_PATH|unix.O_CLOEXEC, 0)
		switch {
		case openErr == nil:
			defer func() { _ = unix.Close(fd) }()
			want, linkErr := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", fd))
			if linkErr != nil {
				t.Fatal(linkErr)
			}
			if err != nil || got.Path != want || got.Missing != "" {
				t.Fatalf("%s: got %+v, %v; the kernel opens %s", p, got, err, want)
			}
			var st unix.Stat_t
			if err := unix.Fstat(fd, &st); err != nil || got.Node.Ino != st.Ino || got.Node.Dev != st.Dev {
				t.Fatalf("%s: got the node %+v, want inode %d (%v)", p, got.Node, st.Ino, err)
			}
		case errors.Is(openErr, unix.ELOOP):
			if err == nil {
				t.Fatalf("%s: got %+v; the kernel finds a loop", p, got)
			}
		case errors.Is(openErr, unix.ENOENT), errors.Is(openErr, unix.ENOTDIR):
			if err == nil && got.Missing == "" {
				t.Fatalf("%s: got %+v; the kernel says %v", p, got, openErr)
			}
		default:
			t.Fatal(openErr)
		}
	})
}
