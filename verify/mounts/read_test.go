package mounts_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sandboxc/sbc/verify/mounts"
)

func at(i int) mounts.Place { return mounts.Place{Index: i} }

func TestRead(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		args string // separated by blanks
		opts mounts.ReadOptions
		want mounts.Sandbox // without Args
	}{
		{name: "nothing"},
		{name: "the name alone", args: "/usr/bin/bwrap"},
		{name: "a command", args: "ls -l --bind", want: mounts.Sandbox{Command: []string{"ls", "-l", "--bind"}}},
		{name: "a command behind a separator", args: "-- ls --", want: mounts.Sandbox{Command: []string{"ls", "--"}}},
		{name: "a separator and no command", args: "--", want: mounts.Sandbox{Command: []string{}}},
		{
			name: "binds",
			args: "bwrap --bind a b --bind-try a b --ro-bind a b --ro-bind-try a b --dev-bind a b --dev-bind-try a b --bind-fd 7 b --ro-bind-fd 8 b",
			want: mounts.Sandbox{Ops: []mounts.Op{
				mounts.Bind{Place: at(1), Source: "a", Dest: "b", FD: -1},
				mounts.Bind{Place: at(4), Source: "a", Dest: "b", FD: -1, Try: true},
				mounts.Bind{Place: at(7), Source: "a", Dest: "b", FD: -1, ReadOnly: true},
				mounts.Bind{Place: at(10), Source: "a", Dest: "b", FD: -1, ReadOnly: true, Try: true},
				mounts.Bind{Place: at(13), Source: "a", Dest: "b", FD: -1, Devices: true},
				mounts.Bind{Place: at(16), Source: "a", Dest: "b", FD: -1, Devices: true, Try: true},
				mounts.Bind{Place: at(19), Dest: "b", FD: 7},
				mounts.Bind{Place: at(22), Dest: "b", FD: 8, ReadOnly: true},
			}},
		},
		{
			name: "modes and sizes hold for one option",
			args: "--perms 0 --size 0x10 --tmpfs a --tmpfs b --size 7 --perms 7777 --tmpfs c --perms 0111 --dir d --dir e",
			want: mounts.Sandbox{Ops: []mounts.Op{
				mounts.Tmpfs{Place: at(4), Dest: "a", Size: 16},
				mounts.Tmpfs{Place: at(6), Dest: "b", Perms: 0o755},
				mounts.Tmpfs{Place: at(12), Dest: "c", Perms: 0o7777, Size: 7},
				mounts.Dir{Place: at(16), Dest: "d", Perms: 0o111},
				mounts.Dir{Place: at(18), Dest: "e", Perms: 0o755},
			}},
		},
		{
			name: "content of descriptors",
			args: "--file 3 a --bind-data 4 b --ro-bind-data 5 c --perms 000 --ro-bind-data 6 d --perms 640 --file 7 e",
			want: mounts.Sandbox{Ops: []mounts.Op{
				mounts.File{Place: at(0), FD: 3, Dest: "a", Perms: 0o666},
				mounts.BindData{Place: at(3), FD: 4, Dest: "b", Perms: 0o600},
				mounts.BindData{Place: at(6), FD: 5, Dest: "c", Perms: 0o600, ReadOnly: true},
				mounts.BindData{Place: at(11), FD: 6, Dest: "d", ReadOnly: true},
				mounts.File{Place: at(16), FD: 7, Dest: "e", Perms: 0o640},
			}},
		},
		{
			name: "other files",
			args: "--symlink usr/bin /bin --proc /proc --dev /dev --mqueue /mq --remount-ro / --chmod 0111 /x",
			want: mounts.Sandbox{Ops: []mounts.Op{
				mounts.Symlink{Place: at(0), Target: "usr/bin", Dest: "/bin"},
				mounts.Proc{Place: at(3), Dest: "/proc"},
				mounts.Dev{Place: at(5), Dest: "/dev"},
				mounts.Mqueue{Place: at(7), Dest: "/mq"},
				mounts.RemountRO{Place: at(9), Dest: "/"},
				mounts.Chmod{Place: at(11), Perms: 0o111, Dest: "/x"},
			}},
		},
		{
			name: "overlays",
			args: "--overlay-src a --overlay-src b --ro-overlay c --overlay-src d --tmp-overlay e --overlay-src f --overlay u w g",
			want: mounts.Sandbox{Ops: []mounts.Op{
				mounts.Overlay{Place: at(4), Kind: mounts.OverlayReadOnly, Lower: []string{"a", "b"}, Dest: "c"},
				mounts.Overlay{Place: at(8), Kind: mounts.OverlayTemporary, Lower: []string{"d"}, Dest: "e"},
				mounts.Overlay{Place: at(12), Kind: mounts.OverlayWritable, Lower: []string{"f"}, Upper: "u", Work: "w", Dest: "g"},
			}},
		},
		{
			name: "namespaces",
			args: "--unshare-all --share-net --unshare-user --unshare-cgroup --unshare-cgroup-try --pidns 3 --userns2 4",
			want: mounts.Sandbox{Ops: []mounts.Op{
				mounts.Unshare{Place: at(0), Namespace: mounts.User, Try: true},
				mounts.Unshare{Place: at(0), Namespace: mounts.IPC},
				mounts.Unshare{Place: at(0), Namespace: mounts.PID},
				mounts.Unshare{Place: at(0), Namespace: mounts.Network},
				mounts.Unshare{Place: at(0), Namespace: mounts.UTS},
				mounts.Unshare{Place: at(0), Namespace: mounts.Cgroup, Try: true},
				mounts.ShareNet{Place: at(1)},
				mounts.Unshare{Place: at(2), Namespace: mounts.User},
				mounts.Unshare{Place: at(3), Namespace: mounts.Cgroup},
				mounts.Unshare{Place: at(4), Namespace: mounts.Cgroup, Try: true},
				mounts.Join{Place: at(5), Namespace: mounts.PID, FD: 3},
				mounts.Join{Place: at(7), Namespace: mounts.User, FD: 4, Second: true},
			}},
		},
		{
			name: "the process",
			args: "--cap-drop all --cap-add cap_net_raw --add-seccomp-fd 3 --uid 1 --gid 2 --new-session --die-with-parent --as-pid-1 " +
				"--assert-userns-disabled --level-prefix --not-a-security-boundary --argv0 a --chdir b --hostname c --exec-label d --file-label e --lock-file f",
			want: mounts.Sandbox{Ops: []mounts.Op{
				mounts.Cap{Place: at(0), Name: "ALL"},
				mounts.Cap{Place: at(2), Name: "CAP_NET_RAW", Add: true},
				mounts.Seccomp{Place: at(4), FD: 3, Add: true},
				mounts.ID{Place: at(6), Value: 1},
				mounts.ID{Place: at(8), Group: true, Value: 2},
				mounts.Switch{Place: at(10), Name: mounts.NewSession},
				mounts.Switch{Place: at(11), Name: mounts.DieWithParent},
				mounts.Switch{Place: at(12), Name: mounts.AsPID1},
				mounts.Switch{Place: at(13), Name: mounts.AssertUsernsDisabled},
				mounts.Switch{Place: at(14), Name: mounts.LevelPrefix},
				mounts.Switch{Place: at(15), Name: mounts.NotABoundary},
				mounts.Setting{Place: at(16), Name: mounts.Argv0, Value: "a"},
				mounts.Setting{Place: at(18), Name: mounts.Chdir, Value: "b"},
				mounts.Setting{Place: at(20), Name: mounts.Hostname, Value: "c"},
				mounts.Setting{Place: at(22), Name: mounts.ExecLabel, Value: "d"},
				mounts.Setting{Place: at(24), Name: mounts.FileLabel, Value: "e"},
				mounts.Setting{Place: at(26), Name: mounts.LockFile, Value: "f"},
			}},
		},
		{
			name: "variables and descriptors",
			args: "--setenv A x --unsetenv B --clearenv --sync-fd 3 --block-fd 4 --userns-block-fd 5 --info-fd 6 --json-status-fd 7 --seccomp 8",
			want: mounts.Sandbox{Ops: []mounts.Op{
				mounts.Setenv{Place: at(0), Name: "A", Value: "x"},
				mounts.Unsetenv{Place: at(3), Name: "B"},
				mounts.Clearenv{Place: at(5)},
				mounts.Descriptor{Place: at(6), Name: mounts.SyncFD, FD: 3},
				mounts.Descriptor{Place: at(8), Name: mounts.BlockFD, FD: 4},
				mounts.Descriptor{Place: at(10), Name: mounts.UsernsBlockFD, FD: 5},
				mounts.Descriptor{Place: at(12), Name: mounts.InfoFD, FD: 6},
				mounts.Descriptor{Place: at(14), Name: mounts.JSONStatusFD, FD: 7},
				mounts.Seccomp{Place: at(16), FD: 8},
			}},
		},
		{
			name: "values that look like options",
			args: "--bind --dev --proc --symlink -- --",
			want: mounts.Sandbox{Ops: []mounts.Op{
				mounts.Bind{Place: at(0), Source: "--dev", Dest: "--proc", FD: -1},
				mounts.Symlink{Place: at(3), Target: "--", Dest: "--"},
			}},
		},
		{
			name: "arguments from descriptors",
			args: "--dir a --args 4 --dir d --args 5 ls",
			opts: mounts.ReadOptions{Data: map[int][]byte{4: []byte("--dir\x00b\x00--dir\x00c\x00"), 5: nil}},
			want: mounts.Sandbox{
				Ops: []mounts.Op{
					mounts.Dir{Place: at(0), Dest: "a", Perms: 0o755},
					mounts.Dir{Place: at(4), Dest: "b", Perms: 0o755},
					mounts.Dir{Place: at(6), Dest: "c", Perms: 0o755},
					mounts.Dir{Place: at(8), Dest: "d", Perms: 0o755},
				},
				Files: []int{4, 5}, Command: []string{"ls"},
			},
		},
		{
			name: "a mode for what a descriptor's arguments begin with",
			args: "--perms 0 --args 4",
			opts: mounts.ReadOptions{Data: map[int][]byte{4: []byte("--dir\x00b")}},
			want: mounts.Sandbox{Ops: []mounts.Op{mounts.Dir{Place: at(4), Dest: "b"}}, Files: []int{4}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := mounts.Read(strings.Fields(tt.args), tt.opts)
			if err != nil {
				t.Fatal(err)
			}
			if len(tt.opts.Data) == 0 {
				if diff := cmp.Diff(strings.Fields(tt.args), append([]string{}, got.Args...)); diff != "" {
					t.Errorf("arguments (-given +read):\n%s", diff)
				}
			}
			got.Args = nil
			if diff := cmp.Diff(&tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestReadArgsInOrder(t *testing.T) {
	t.Parallel()
	s, err := mounts.Read([]string{"bwrap", "--args", "4", "--", "ls"}, mounts.ReadOptions{Data: map[int][]byte{4: []byte("--dir\x00/\x00")}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"bwrap", "--args", "4", "--dir", "/", "--", "ls"}, s.Args); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReadArgs0(t *testing.T) {
	t.Parallel()
	s, err := mounts.ReadArgs0([]byte("--setenv\x00A\x00\x00--dir\x00a b\x00"), mounts.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := []mounts.Op{mounts.Setenv{Place: at(0), Name: "A"}, mounts.Dir{Place: at(3), Dest: "a b", Perms: 0o755}}
	if diff := cmp.Diff(want, s.Ops); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestReadErrors(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		args  string
		data  string // of descriptor 4
		index int
		want  string
	}{
		{name: "an unknown option", args: "--dir a --bindd a b", index: 2, want: "argument 2 (--bindd): bubblewrap has no such option"},
		{name: "a single dash", args: "-", want: "argument 0 (-): bubblewrap has no such option"},
		{name: "a value with equals sign", args: "--bind=a b", want: "argument 0 (--bind=a): bubblewrap has no such option"},
		{name: "values are missing", args: "--bind a", want: "argument 0 (--bind): values are missing"},
		{name: "help", args: "--dir a --help", index: 2, want: "argument 2 (--help): prints help, and runs nothing"},
		{name: "a mode beyond", args: "--chmod 10000 a", want: `argument 0 (--chmod): "10000" is no mode in octal digits`},
		{name: "a mode that is no number", args: "--perms 08 --dir a", want: `argument 0 (--perms): "08" is no mode in octal digits`},
		{name: "a mode twice", args: "--perms 0 --perms 0 --dir a", index: 2, want: "argument 2 (--perms): is given twice for the same option"},
		{name: "a mode for a bind", args: "--perms 0 --bind a b", index: 0, want: "argument 0 (--perms): is followed by nothing that it applies to"},
		{name: "a mode at the end", args: "--perms 0", want: "argument 0 (--perms): is followed by nothing that it applies to"},
		{name: "a mode for the command", args: "--perms 0 -- ls", want: "argument 0 (--perms): is followed by nothing that it applies to"},
		{name: "a size for a directory", args: "--size 1 --dir a", want: "argument 0 (--size): is followed by nothing that it applies to"},
		{name: "no size", args: "--size 0 --tmpfs a", want: `argument 0 (--size): "0" is no number of bytes`},
		{name: "a negative size", args: "--size -1 --tmpfs a", want: `argument 0 (--size): "-1" is no number of bytes`},
		{name: "a descriptor that is none", args: "--seccomp x", want: `argument 0 (--seccomp): "x" is no descriptor`},
		{name: "a negative descriptor", args: "--bind-fd -1 a", want: `argument 0 (--bind-fd): "-1" is no descriptor`},
		{name: "a capability that is none", args: "--cap-drop root", want: `argument 0 (--cap-drop): "root" is no capability`},
		{name: "a variable that is none", args: "--setenv a=b c", want: `argument 0 (--setenv): "a=b" is no name of a variable`},
		{name: "two kinds of filters", args: "--seccomp 3 --add-seccomp-fd 4", index: 2, want: "argument 2 (--add-seccomp-fd): --seccomp and --add-seccomp-fd exclude each other"},
		{name: "two user namespaces", args: "--userns 3 --unshare-user-try", index: 0, want: "argument 0 (--userns): and a new user namespace exclude each other"},
		{name: "no nesting without a namespace", args: "--unshare-all --disable-userns", index: 1, want: "argument 1 (--disable-userns): needs --unshare-user"},
		{name: "two names", args: "--argv0 a --argv0 b", index: 2, want: "argument 2 (--argv0): is given twice"},
		{name: "an overlay of nothing", args: "--tmp-overlay a", want: "argument 0 (--tmp-overlay): needs 1 --overlay-src before it"},
		{name: "a source of no overlay", args: "--overlay-src a --dir b", want: "argument 0 (--overlay-src): is followed by no overlay"},
		{name: "a descriptor nobody knows", args: "--args 5", want: "argument 0 (--args): the content of the descriptor is not known"},
		{name: "arguments within arguments", args: "--args 4", data: "--args\x004\x00", index: 2, want: "argument 2 (--args): is not taken within the content of another --args"},
		{name: "a word among arguments", args: "--args 4", data: "--dir\x00a\x00\x00--tmpfs\x00a\x00", index: 4, want: "argument 4 (): is no option, and bubblewrap leaves it and all behind it out in silence"},
		{name: "a command among arguments", args: "--args 4 ls", data: "--\x00ls\x00", index: 2, want: "argument 2 (ls): is no option, and bubblewrap leaves it and all behind it out in silence"},
		{name: "a mode at the end of arguments", args: "--args 4 --dir a", data: "--perms\x000\x00", index: 2, want: "argument 2 (--perms): is followed by nothing that it applies to"},
		{name: "too many", args: strings.Repeat("x ", 9001), index: 0, want: "argument 0 (x): more than 9000 arguments"},
		{name: "too many among arguments", args: "--args 4" + strings.Repeat(" --dir /", 4499), data: "--dir\x00a\x00--clearenv\x00", index: 2, want: "argument 2 (--dir): more than 9000 arguments"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s, err := mounts.Read(strings.Fields(tt.args), mounts.ReadOptions{Data: map[int][]byte{4: []byte(tt.data)}})
			var e *mounts.Error
			if !errors.As(err, &e) {
				t.Fatalf("no error, but %+v", s)
			}
			if e.Error() != tt.want || e.Index != tt.index {
				t.Errorf("got  %v\nwant %s", e, tt.want)
			}
		})
	}
}

func TestReadNUL(t *testing.T) {
	t.Parallel()
	if _, err := mounts.Read([]string{"--dir", "a\x00b"}, mounts.ReadOptions{}); err == nil {
		t.Error("no error")
	}
}
