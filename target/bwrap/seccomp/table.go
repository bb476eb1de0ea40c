package seccomp

// Table returns every rule for every architecture, in order. Rules selects the
// ones that are in force.
//
// What no rule names is allowed. The calls that do something with an argument
// that has to be looked at stand before the ones that are refused whole,
// because programs make them far more often.
func Table() []Rule {
	var t []Rule
	t = append(t, entryRules()...)
	t = append(t, argumentRules()...)
	t = append(t, refusedCalls()...)
	return t
}

// entryRules are about how a call enters the kernel, not about what it does.
func entryRules() []Rule {
	return []Rule{
		{
			Name:   "foreign-arch",
			Scope:  ScopeForeign,
			Action: KillProcess,
			Reason: "32-bit entries (int 0x80, a 32-bit ARM program) number their calls differently and offer socketcall and ipc, so nothing below would hold for them",
		},
		{
			Name:   "x32",
			Scope:  ScopeX32,
			Action: ENOSYS,
			Reason: "x32 calls are 64-bit calls with one more bit in the number, which every comparison below would miss",
		},
		{
			Name:   "unknown-call",
			Scope:  ScopeUnknown,
			Action: ENOSYS,
			Reason: "a call that this table does not know cannot be judged: it may be a new way to mount or to make a socket; also x32 entries 512 to 547, which kernels before 5.4 accept without the x32 bit",
		},
	}
}

// argumentRules refuse some uses of a call that programs need otherwise.
func argumentRules() []Rule {
	return []Rule{
		{
			Name:   "clone-namespaces",
			Scope:  ScopeCalls,
			Calls:  []string{"clone"},
			When:   []Test{{Arg: 0, Mask: cloneNew, Op: NoneOf, Values: []Value{noFlags}}},
			Unless: Namespaces,
			Action: EPERM,
			Reason: "a process is root in a user namespace of its own and reaches the mount, netfilter and packet code of the kernel from there",
		},
		{
			Name:   "terminal-input",
			Scope:  ScopeCalls,
			Calls:  []string{"ioctl"},
			When:   []Test{{Arg: 1, Op: OneOf, Values: []Value{tiocsti, tioclinux}}},
			Unless: Terminal,
			Action: EPERM,
			Reason: "text pushed into the terminal is run by the shell that reads it after the sandbox has ended",
		},
		{
			Name:   "line-discipline",
			Scope:  ScopeCalls,
			Calls:  []string{"ioctl"},
			When:   []Test{{Arg: 1, Op: OneOf, Values: []Value{tiocsetd}}},
			Action: EPERM,
			Reason: "choosing a line discipline loads kernel modules for modems and serial lines that had holes and that no program here needs",
		},
		{
			Name:   "socket-family",
			Scope:  ScopeCalls,
			Calls:  []string{"socket"},
			When:   []Test{{Arg: 0, Op: NoneOf, Values: []Value{afUnix, afInet, afInet6, afNetlink}}},
			Action: EAFNOSUPPORT,
			Reason: "packet, vsock, crypto, Bluetooth and other families reach the host or rarely used kernel code, and a network namespace does not hold vsock back",
		},
		{
			Name:   "socket-unix",
			Scope:  ScopeCalls,
			Calls:  []string{"socket"},
			When:   []Test{{Arg: 0, Op: OneOf, Values: []Value{afUnix}}},
			Unless: UnixSockets,
			Action: EAFNOSUPPORT,
			Reason: "a socket in the file system can be connected to across network namespaces and from a read-only mount: ssh-agent, docker, the session bus",
		},
		{
			Name:   "socket-packet",
			Scope:  ScopeCalls,
			Calls:  []string{"socket"},
			When:   []Test{{Arg: 0, Op: OneOf, Values: []Value{afInet}}, {Arg: 1, Mask: sockTypeMask, Op: OneOf, Values: []Value{sockPacket}}},
			Action: EAFNOSUPPORT,
			Reason: "the kernel turns this old form into a socket of family AF_PACKET",
		},
		{
			Name:   "socket-smc",
			Scope:  ScopeCalls,
			Calls:  []string{"socket"},
			When:   []Test{{Arg: 0, Op: OneOf, Values: []Value{afInet, afInet6}}, {Arg: 2, Op: OneOf, Values: []Value{ipprotoSMC}}},
			Action: EPROTONOSUPPORT,
			Reason: "since Linux 6.11 this makes the same socket as family AF_SMC",
		},
		{
			Name:   "socket-netlink",
			Scope:  ScopeCalls,
			Calls:  []string{"socket"},
			When:   []Test{{Arg: 0, Op: OneOf, Values: []Value{afNetlink}}, {Arg: 2, Op: NoneOf, Values: []Value{netlinkRoute}}},
			Action: EPROTONOSUPPORT,
			Reason: "name look-up and interface lists need routing netlink only; the other protocols reach netfilter, generic netlink, audit, socket lists, device and process events",
		},
		{
			Name:   "socketpair-family",
			Scope:  ScopeCalls,
			Calls:  []string{"socketpair"},
			When:   []Test{{Arg: 0, Op: NoneOf, Values: []Value{afUnix}}},
			Action: EAFNOSUPPORT,
			Reason: "socketpair makes a socket of the family before it asks whether the family has pairs, and TIPC has them",
		},
		{
			Name:   "socketpair-datagram",
			Scope:  ScopeCalls,
			Calls:  []string{"socketpair"},
			When:   []Test{{Arg: 1, Mask: sockTypeMask, Op: NoneOf, Values: []Value{sockStream, sockSeqpacket}}},
			Unless: UnixSockets,
			Action: EPERM,
			Reason: "one end of a datagram pair can be connected to a socket in the file system; SOCK_RAW is the same as SOCK_DGRAM here; stream and seqpacket ends stay connected to each other",
		},
	}
}

// refusedCalls are refused whatever their arguments are.
func refusedCalls() []Rule {
	return []Rule{
		{
			Name:   "io-uring",
			Scope:  ScopeCalls,
			Calls:  []string{"io_uring_setup", "io_uring_enter", "io_uring_register"},
			Action: ENOSYS,
			Reason: "a ring opens files and makes and connects sockets without system calls, so no rule about a call holds for it",
		},
		{
			Name:   "clone3",
			Scope:  ScopeCalls,
			Calls:  []string{"clone3"},
			Action: ENOSYS,
			Reason: "its flags lie in memory, where a filter cannot see them; C libraries fall back to clone",
		},
		{
			Name:  "namespaces",
			Scope: ScopeCalls,
			Calls: []string{
				"unshare", "setns", "listns",
				"mount", "umount2", "pivot_root", "chroot",
				"open_tree", "open_tree_attr", "move_mount", "mount_setattr",
				"fsopen", "fsconfig", "fsmount", "fspick",
				"sethostname", "setdomainname",
			},
			Unless: Namespaces,
			Action: EPERM,
			Reason: "they make another view of the file system, or take off the mounts that this one consists of",
		},
		{
			Name:  "ptrace",
			Scope: ScopeCalls,
			Calls: []string{
				"ptrace", "process_vm_readv", "process_vm_writev",
				"process_madvise", "kcmp", "pidfd_getfd",
			},
			Unless: Ptrace,
			Action: EPERM,
			Reason: "they read or change another process of the sandbox, or take descriptors from it (/proc/PID/mem is a file and not covered)",
		},
		{
			Name:   "keyrings",
			Scope:  ScopeCalls,
			Calls:  []string{"add_key", "request_key", "keyctl"},
			Action: EPERM,
			Reason: "the session and user keyrings belong to the user outside as well",
		},
		{
			Name:   "kernel-code",
			Scope:  ScopeCalls,
			Calls:  []string{"bpf", "perf_event_open", "userfaultfd", "init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load"},
			Action: EPERM,
			Reason: "they run code in the kernel, measure it, or hold it in the middle of a page fault, which is what exploits of kernel holes need",
		},
		{
			Name:   "file-handles",
			Scope:  ScopeCalls,
			Calls:  []string{"open_by_handle_at"},
			Action: EPERM,
			Reason: "it opens a file by its number in the file system, past the mounts that hide its path",
		},
		{
			Name:   "file-system-events",
			Scope:  ScopeCalls,
			Calls:  []string{"fanotify_init"},
			Action: EPERM,
			Reason: "it watches whole mounts and file systems; programs fall back to inotify",
		},
		{
			Name:  "host-control",
			Scope: ScopeCalls,
			Calls: []string{
				"reboot", "swapon", "swapoff", "acct", "quotactl", "quotactl_fd",
				"settimeofday", "clock_settime", "syslog", "vhangup", "iopl", "ioperm",
			},
			Action: EPERM,
			Reason: "they are about the clock, ports, swap, quotas, log and power of the whole machine",
		},
		{
			Name:  "obsolete",
			Scope: ScopeCalls,
			Calls: []string{
				"modify_ldt", "uselib", "_sysctl", "sysfs", "ustat", "lookup_dcookie", "nfsservctl",
				"create_module", "get_kernel_syms", "query_module",
			},
			Action: EPERM,
			Reason: "hardly any 64-bit program of today makes these calls (Wine makes modify_ldt), and each is kernel code less to trust",
		},
	}
}
