package seccomp

// none stands for a call that an architecture does not have.
const none = -1

// numbers is a row for each system call that the rules name, sorted by
// name: arch/x86/entry/syscalls/syscall_64.tbl and
// include/uapi/asm-generic/unistd.h in the kernel's source. From 424 on both
// architectures number their calls alike.
var numbers = []struct {
	name         string
	amd64, arm64 int
}{
	{"_sysctl", 156, none},
	{"access", 21, none},
	{"acct", 163, 89},
	{"add_key", 248, 217},
	{"bind", 49, 200},
	{"bpf", 321, 280},
	{"chdir", 80, 49},
	{"chmod", 90, none},
	{"chown", 92, none},
	{"chroot", 161, 51},
	{"clock_settime", 227, 112},
	{"clone", 56, 220},
	{"clone3", 435, 435},
	{"connect", 42, 203},
	{"creat", 85, none},
	{"create_module", 174, none},
	{"delete_module", 176, 106},
	{"execve", 59, 221},
	{"execveat", 322, 281},
	{"faccessat", 269, 48},
	{"faccessat2", 439, 439},
	{"fanotify_init", 300, 262},
	{"fchmodat", 268, 53},
	{"fchmodat2", 452, 452},
	{"fchownat", 260, 54},
	{"finit_module", 313, 273},
	{"fsconfig", 431, 431},
	{"fsmount", 432, 432},
	{"fsopen", 430, 430},
	{"fspick", 433, 433},
	{"futimesat", 261, none},
	{"get_kernel_syms", 177, none},
	{"init_module", 175, 105},
	{"io_uring_enter", 426, 426},
	{"io_uring_register", 427, 427},
	{"io_uring_setup", 425, 425},
	{"ioctl", 16, 29},
	{"ioperm", 173, none},
	{"iopl", 172, none},
	{"kcmp", 312, 272},
	{"kexec_file_load", 320, 294},
	{"kexec_load", 246, 104},
	{"keyctl", 250, 219},
	{"lchown", 94, none},
	{"link", 86, none},
	{"linkat", 265, 37},
	{"listns", 470, 470},
	{"lookup_dcookie", 212, 18},
	{"lremovexattr", 198, 15},
	{"lsetxattr", 189, 6},
	{"lstat", 6, none},
	{"mkdir", 83, none},
	{"mkdirat", 258, 34},
	{"mknod", 133, none},
	{"mknodat", 259, 33},
	{"modify_ldt", 154, none},
	{"mount", 165, 40},
	{"mount_setattr", 442, 442},
	{"move_mount", 429, 429},
	{"newfstatat", 262, 79},
	{"nfsservctl", 180, 42},
	{"open", 2, none},
	{"open_by_handle_at", 304, 265},
	{"open_tree", 428, 428},
	{"open_tree_attr", 467, 467},
	{"openat", 257, 56},
	{"openat2", 437, 437},
	{"perf_event_open", 298, 241},
	{"pidfd_getfd", 438, 438},
	{"pivot_root", 155, 41},
	{"process_madvise", 440, 440},
	{"process_vm_readv", 310, 270},
	{"process_vm_writev", 311, 271},
	{"ptrace", 101, 117},
	{"query_module", 178, none},
	{"quotactl", 179, 60},
	{"quotactl_fd", 443, 443},
	{"reboot", 169, 142},
	{"removexattr", 197, 14},
	{"rename", 82, none},
	{"renameat", 264, 38},
	{"renameat2", 316, 276},
	{"request_key", 249, 218},
	{"rmdir", 84, none},
	{"sendmmsg", 307, 269},
	{"sendmsg", 46, 211},
	{"sendto", 44, 206},
	{"setdomainname", 171, 162},
	{"sethostname", 170, 161},
	{"setns", 308, 268},
	{"settimeofday", 164, 170},
	{"setxattr", 188, 5},
	{"socket", 41, 198},
	{"socketpair", 53, 199},
	{"stat", 4, none},
	{"statx", 332, 291},
	{"swapoff", 168, 225},
	{"swapon", 167, 224},
	{"symlink", 88, none},
	{"symlinkat", 266, 36},
	{"sysfs", 139, none},
	{"syslog", 103, 116},
	{"truncate", 76, 45},
	{"umount2", 166, 39},
	{"unlink", 87, none},
	{"unlinkat", 263, 35},
	{"unshare", 272, 97},
	{"uselib", 134, none},
	{"userfaultfd", 323, 282},
	{"ustat", 136, none},
	{"utime", 132, none},
	{"utimensat", 280, 88},
	{"utimes", 235, none},
	{"vhangup", 153, 58},
}

// Number returns the number of a system call on an architecture; ok is false if
// the architecture does not have it, or if no rule names it.
func Number(a Arch, name string) (nr uint32, ok bool) {
	for _, row := range numbers {
		if row.name != name {
			continue
		}
		switch {
		case a == AMD64 && row.amd64 != none:
			return uint32(row.amd64), true
		case a == ARM64 && row.arm64 != none:
			return uint32(row.arm64), true
		}
	}
	return 0, false
}

// callName returns the name of a number, "" if no rule names it.
func callName(a Arch, nr uint32) string {
	for _, row := range numbers {
		if n, ok := Number(a, row.name); ok && n == nr {
			return row.name
		}
	}
	return ""
}
