package seccomp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sandboxc/sbc/target/bwrap/seccomp"
)

// The kernel's numbers, written out once more so that a slip in the package
// cannot hide itself.
const (
	archX86    = 0xc000003e
	archArm64  = 0xc00000b7
	archI386   = 0x40000003
	archArm    = 0x40000028
	allow      = 0x7fff0000
	kill       = 0x80000000
	eperm      = 0x00050001
	enosys     = 0x00050026
	eafnos     = 0x00050061
	eprotonos  = 0x0005005d
	high       = 1 << 32
	cloexec    = 0o2000000
	sigchld    = 17
	cloneFlags = 0x3d0f00 // what a C library starts a thread with
)

// row is one call with the wanted answer on both architectures: with every
// option off, and with only the option that lifts the rule.
type row struct {
	name         string
	amd64, arm64 int // number, -1 if there is none
	args         [6]uint64
	want         uint32
	lifted       seccomp.Options // the zero value: nothing lifts it
	wantLifted   uint32
}

var (
	unixOn = seccomp.Options{UnixSockets: true}
	traces = seccomp.Options{Ptrace: true}
	spaces = seccomp.Options{Namespaces: true}
	term   = seccomp.Options{Terminal: true}
)

func rows() []row {
	never := seccomp.Options{}
	refused := func(name string, amd64, arm64 int, want uint32, o seccomp.Options) row {
		r := row{name: name, amd64: amd64, arm64: arm64, want: want, lifted: o, wantLifted: allow}
		if o == never {
			r.wantLifted = want
		}
		return r
	}
	with := func(name string, amd64, arm64 int, want uint32, args ...uint64) row {
		r := row{name: name, amd64: amd64, arm64: arm64, want: want, wantLifted: want}
		copy(r.args[:], args)
		return r
	}
	lifts := func(r row, o seccomp.Options, want uint32) row {
		r.lifted, r.wantLifted = o, want
		return r
	}
	clone := func(name string, want uint32, args ...uint64) row { return with("clone "+name, 56, 220, want, args...) }
	ioctl := func(name string, want uint32, args ...uint64) row { return with("ioctl "+name, 16, 29, want, args...) }
	socket := func(name string, want uint32, args ...uint64) row {
		return with("socket "+name, 41, 198, want, args...)
	}
	pair := func(name string, want uint32, args ...uint64) row {
		return with("socketpair "+name, 53, 199, want, args...)
	}
	return []row{
		with("read", 0, 63, allow), with("write", 1, 64, allow), with("open", 2, -1, allow, 0, 0x241),
		with("execve", 59, 221, allow), with("exit_group", 231, 94, allow), with("rt_sigreturn", 15, 139, allow),
		with("seccomp", 317, 277, allow), with("landlock_restrict_self", 446, 446, allow),
		with("mseal", 462, 462, allow), with("statmount", 457, 457, allow), with("file_setattr", 469, 469, allow),
		with("setxattrat", 463, 463, allow), with("memfd_secret", 447, 447, allow),
		with("rseq_slice_yield", 471, 471, allow), with("uprobe", 336, -1, allow),
		with("connect", 42, 203, allow), with("bind", 49, 200, allow), with("sendto", 44, 206, allow),
		with("sendmsg", 46, 211, allow), with("recvmsg", 47, 212, allow), with("shutdown", 48, 210, allow),
		with("setsockopt", 54, 208, allow), with("getsockopt", 55, 209, allow), with("accept4", 288, 242, allow),
		with("inotify_init1", 294, 26, allow), with("pidfd_open", 434, 434, allow), with("prctl", 157, 167, allow),

		with("number after the last", 472, 472, enosys), with("number far away", 1000, 1000, enosys),
		with("first gap, first", 337, 244, enosys), with("first gap, last", 423, 259, enosys),
		with("second gap on arm64", -1, 295, enosys), with("second gap on arm64, last", -1, 423, enosys),
		with("x32 ptrace without the bit", 521, 521, enosys), with("x32 ioctl without the bit", 514, 514, enosys),
		with("x32 getpid", 0x40000000+39, -1, enosys), with("x32 ptrace", 0x40000000+521, -1, enosys),
		with("number -1", 0xffffffff, 0xffffffff, enosys), with("top bit", 0x80000000+39, 0x80000000+172, enosys),

		clone("fork", allow, sigchld), clone("thread", allow, cloneFlags), clone("vfork", allow, 0x4000|0x100|sigchld),
		clone("0x80 is a signal number here", allow, 0x80), clone("all but namespaces", allow, 0x81fdffff),
		lifts(clone("NEWNS", eperm, 0x20000|sigchld), spaces, allow), lifts(clone("NEWCGROUP", eperm, 0x2000000), spaces, allow),
		lifts(clone("NEWUTS", eperm, 0x4000000), spaces, allow), lifts(clone("NEWIPC", eperm, 0x8000000), spaces, allow),
		lifts(clone("NEWUSER", eperm, 0x10000000|cloneFlags), spaces, allow), lifts(clone("NEWPID", eperm, 0x20000000), spaces, allow),
		lifts(clone("NEWNET", eperm, 0x40000000), spaces, allow), lifts(clone("NEWUSER and a high half", eperm, 0x10000000|high), spaces, allow),
		clone("high half only", allow, 0x10000000<<32),
		clone("flags in another argument", allow, 0, 0x10000000, 0x10000000, 0x10000000, 0x10000000, 0x10000000),

		ioctl("TCGETS", allow, 0, 0x5401), ioctl("TIOCGWINSZ", allow, 1, 0x5413), ioctl("number as descriptor", allow, 0x5412, 0x5401),
		lifts(ioctl("TIOCSTI", eperm, 0, 0x5412), term, allow), lifts(ioctl("TIOCLINUX", eperm, 0, 0x541c), term, allow),
		lifts(ioctl("TIOCSTI, high half", eperm, 0, 0x5412|high), term, allow), lifts(ioctl("TIOCLINUX, high half", eperm, 0, 0x541c|0xdead<<32), term, allow),
		lifts(ioctl("TIOCSETD", eperm, 0, 0x5423), term, eperm), lifts(ioctl("TIOCSETD, high half", eperm, 0, 0x5423|high), term, eperm),

		socket("INET stream", allow, 2, 1, 6), socket("INET6 dgram", allow, 10, 2|cloexec, 17), socket("INET mptcp", allow, 2, 1, 262),
		socket("NETLINK route", allow, 16, 3|cloexec, 0), socket("NETLINK route, high half", allow, 16, 3, high),
		lifts(socket("UNIX stream", eafnos, 1, 1, 0), unixOn, allow), lifts(socket("UNIX dgram", eafnos, 1, 2|cloexec, 0), unixOn, allow),
		lifts(socket("UNIX, high half", eafnos, 1|high, 1, 0), unixOn, allow),
		lifts(socket("AX25 (3)", eafnos, 3, 1, 0), unixOn, eafnos), lifts(socket("PACKET (17)", eafnos, 17, 3, 0), unixOn, eafnos),
		socket("unspecified (0)", eafnos, 0, 1, 0), socket("ALG (38)", eafnos, 38, 5, 0), socket("VSOCK (40)", eafnos, 40, 1, 0),
		socket("VSOCK, high half", eafnos, 40|high, 1, 0), socket("INET in the high half only", eafnos, 2<<32, 1, 0),
		socket("SMC (43)", eafnos, 43, 1, 0), socket("XDP (44)", eafnos, 44, 3, 0), socket("TIPC (30)", eafnos, 30, 1, 0),
		socket("negative", eafnos, 0xffffffff, 1, 0), socket("INET, SOCK_PACKET", eafnos, 2, 10, 0x300),
		socket("INET, SOCK_PACKET with flags, high halves", eafnos, 2|high, 10|cloexec|high, 0x300),
		socket("INET, smc", eprotonos, 2, 1, 256), socket("INET6, smc", eprotonos, 10, 1|cloexec, 256|high),
		socket("NETLINK generic", eprotonos, 16, 3, 16), socket("NETLINK netfilter", eprotonos, 16, 3, 12),
		socket("NETLINK audit, high half", eprotonos, 16|high, 3, 9|high), socket("NETLINK uevent", eprotonos, 16, 2, 15),

		pair("stream", allow, 1, 1, 0), pair("stream with flags", allow, 1, 1|cloexec|0o4000, 0), pair("seqpacket", allow, 1, 5|cloexec, 0),
		lifts(pair("dgram", eperm, 1, 2, 0), unixOn, allow), lifts(pair("dgram with flags", eperm, 1, 2|cloexec|0o4000, 0), unixOn, allow),
		lifts(pair("dgram, high half", eperm, 1|high, 2|high, 0), unixOn, allow), lifts(pair("raw, which is dgram", eperm, 1, 3, 0), unixOn, allow),
		lifts(pair("TIPC", eafnos, 30, 1, 0), unixOn, eafnos), lifts(pair("INET", eafnos, 2, 1, 0), unixOn, eafnos),
		lifts(pair("VSOCK seqpacket", eafnos, 40, 5, 0), unixOn, eafnos),

		refused("io_uring_setup", 425, 425, enosys, never), refused("io_uring_enter", 426, 426, enosys, never),
		refused("io_uring_register", 427, 427, enosys, never), refused("clone3", 435, 435, enosys, never),
		lifts(refused("clone3 with namespaces", 435, 435, enosys, never), spaces, enosys),

		refused("unshare", 272, 97, eperm, spaces), refused("setns", 308, 268, eperm, spaces), refused("listns", 470, 470, eperm, spaces),
		refused("mount", 165, 40, eperm, spaces), refused("umount2", 166, 39, eperm, spaces), refused("pivot_root", 155, 41, eperm, spaces),
		refused("chroot", 161, 51, eperm, spaces), refused("open_tree", 428, 428, eperm, spaces), refused("move_mount", 429, 429, eperm, spaces),
		refused("fsopen", 430, 430, eperm, spaces), refused("fsconfig", 431, 431, eperm, spaces), refused("fsmount", 432, 432, eperm, spaces),
		refused("fspick", 433, 433, eperm, spaces), refused("mount_setattr", 442, 442, eperm, spaces), refused("open_tree_attr", 467, 467, eperm, spaces),
		refused("sethostname", 170, 161, eperm, spaces), refused("setdomainname", 171, 162, eperm, spaces),

		refused("ptrace", 101, 117, eperm, traces), refused("process_vm_readv", 310, 270, eperm, traces),
		refused("process_vm_writev", 311, 271, eperm, traces), refused("process_madvise", 440, 440, eperm, traces),
		refused("kcmp", 312, 272, eperm, traces), refused("pidfd_getfd", 438, 438, eperm, traces),

		refused("add_key", 248, 217, eperm, never), refused("request_key", 249, 218, eperm, never), refused("keyctl", 250, 219, eperm, never),
		refused("bpf", 321, 280, eperm, never), refused("perf_event_open", 298, 241, eperm, never), refused("userfaultfd", 323, 282, eperm, never),
		refused("init_module", 175, 105, eperm, never), refused("finit_module", 313, 273, eperm, never), refused("delete_module", 176, 106, eperm, never),
		refused("kexec_load", 246, 104, eperm, never), refused("kexec_file_load", 320, 294, eperm, never),
		refused("open_by_handle_at", 304, 265, eperm, never), refused("fanotify_init", 300, 262, eperm, never),
		refused("reboot", 169, 142, eperm, never), refused("swapon", 167, 224, eperm, never), refused("swapoff", 168, 225, eperm, never),
		refused("acct", 163, 89, eperm, never), refused("quotactl", 179, 60, eperm, never), refused("quotactl_fd", 443, 443, eperm, never),
		refused("settimeofday", 164, 170, eperm, never), refused("clock_settime", 227, 112, eperm, never), refused("syslog", 103, 116, eperm, never),
		refused("vhangup", 153, 58, eperm, never), refused("iopl", 172, -1, eperm, never), refused("ioperm", 173, -1, eperm, never),
		refused("modify_ldt", 154, -1, eperm, never), refused("uselib", 134, -1, eperm, never), refused("_sysctl", 156, -1, eperm, never),
		refused("sysfs", 139, -1, eperm, never), refused("ustat", 136, -1, eperm, never), refused("lookup_dcookie", 212, 18, eperm, never),
		refused("nfsservctl", 180, 42, eperm, never), refused("create_module", 174, -1, eperm, never),
		refused("get_kernel_syms", 177, -1, eperm, never), refused("query_module", 178, -1, eperm, never),
	}
}

// TestAnswers runs the encoded programs over calls with hand-written numbers
// and answers.
func TestAnswers(t *testing.T) {
	t.Parallel()
	for _, r := range rows() {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			for _, on := range []struct {
				arch  seccomp.Arch
				audit uint32
				nr    int
			}{{seccomp.AMD64, archX86, r.amd64}, {seccomp.ARM64, archArm64, r.arm64}} {
				if on.nr < 0 {
					continue
				}
				c := seccomp.Call{Arch: on.audit, Nr: uint32(on.nr), Args: r.args}
				check(t, fmt.Sprintf("%s, closed", on.arch), on.arch, seccomp.Options{}, c, r.want)
				check(t, fmt.Sprintf("%s, %+v", on.arch, r.lifted), on.arch, r.lifted, c, r.wantLifted)
				others := seccomp.Options{
					UnixSockets: !r.lifted.UnixSockets, Ptrace: !r.lifted.Ptrace,
					Namespaces: !r.lifted.Namespaces, Terminal: !r.lifted.Terminal,
				}
				if r.lifted != (seccomp.Options{}) {
					check(t, fmt.Sprintf("%s, every other option", on.arch), on.arch, others, c, r.want)
				}
			}
		})
	}
}

func check(t *testing.T, name string, a seccomp.Arch, o seccomp.Options, c seccomp.Call, want uint32) {
	t.Helper()
	got, err := interpret(seccomp.Build(a, o).Encode(), c)
	if err != nil || got != want {
		t.Errorf("%s: program answers %v, %v; want %v", name, seccomp.Action(got), err, seccomp.Action(want))
	}
	if got := seccomp.Decide(a, o, c); uint32(got) != want {
		t.Errorf("%s: Decide answers %v, want %v", name, got, seccomp.Action(want))
	}
}

// TestEveryRuleHasARow: no call of the table goes without a hand-written answer.
func TestEveryRuleHasARow(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, r := range rows() {
		name, _, _ := strings.Cut(r.name, " ")
		seen[name] = true
	}
	for _, rule := range seccomp.Table() {
		for _, c := range rule.Calls {
			if !seen[c] {
				t.Errorf("rule %s: no row for %s", rule.Name, c)
			}
		}
	}
}

func TestForeignArch(t *testing.T) {
	t.Parallel()
	everything := seccomp.Options{UnixSockets: true, Ptrace: true, Namespaces: true, Terminal: true}
	for _, tc := range []struct {
		name  string
		built seccomp.Arch
		entry uint32
		want  uint32
	}{
		{"amd64", seccomp.AMD64, archX86, allow},
		{"i386 on amd64", seccomp.AMD64, archI386, kill},
		{"aarch64 on amd64", seccomp.AMD64, archArm64, kill},
		{"nothing on amd64", seccomp.AMD64, 0, kill},
		{"arm64", seccomp.ARM64, archArm64, allow},
		{"arm on arm64", seccomp.ARM64, archArm, kill},
		{"x86_64 on arm64", seccomp.ARM64, archX86, kill},
		{"no architecture", 0, archX86, kill},
		{"unknown architecture", 9, archX86, kill},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			// 63 is uname on amd64 and read on arm64: allowed on both.
			c := seccomp.Call{Arch: tc.entry, Nr: 63}
			check(t, "closed", tc.built, seccomp.Options{}, c, tc.want)
			check(t, "open", tc.built, everything, c, tc.want)
			if tc.want == kill {
				c.Nr = 0xffffffff
				check(t, "other number", tc.built, everything, c, kill)
			}
		})
	}
}

func TestArchOf(t *testing.T) {
	t.Parallel()
	type answer struct {
		Arch seccomp.Arch
		OK   bool
	}
	got := map[string]answer{}
	for _, s := range []string{"amd64", "arm64", "386", "arm", "x86_64", "aarch64", "riscv64", "", "Arch(0)"} {
		a, ok := seccomp.ArchOf(s)
		got[s] = answer{a, ok}
	}
	want := map[string]answer{
		"amd64": {seccomp.AMD64, true}, "arm64": {seccomp.ARM64, true},
		"386": {}, "arm": {}, "x86_64": {}, "aarch64": {}, "riscv64": {}, "": {}, "Arch(0)": {},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("ArchOf (-want +got):\n%s", diff)
	}
}

func TestEncode(t *testing.T) {
	t.Parallel()
	p := seccomp.Program{{Code: 0x20, K: 4}, {Code: 0x15, JT: 1, JF: 2, K: 0xc000003e}, {Code: 6, K: 0x80000000}}
	want := []byte{
		0x20, 0, 0, 0, 4, 0, 0, 0,
		0x15, 0, 1, 2, 0x3e, 0, 0, 0xc0,
		6, 0, 0, 0, 0, 0, 0, 0x80,
	}
	if diff := cmp.Diff(want, p.Encode()); diff != "" {
		t.Errorf("Encode (-want +got):\n%s", diff)
	}
	if got := len(seccomp.Program(nil).Encode()); got != 0 {
		t.Errorf("empty program: %d bytes, want 0", got)
	}
}

func BenchmarkBuild(b *testing.B) {
	for _, a := range seccomp.Arches() {
		b.Run(a.String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				seccomp.Build(a, seccomp.Options{}).Encode()
			}
		})
	}
}
