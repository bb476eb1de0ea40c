package seccomp

// Numbers from the kernel's headers. They are the same on both architectures;
// files are named as in the kernel's include/uapi or include.
var (
	// From asm-generic/ioctls.h.
	tiocsti   = Value{"TIOCSTI", 0x5412}
	tioclinux = Value{"TIOCLINUX", 0x541c}
	tiocsetd  = Value{"TIOCSETD", 0x5423}

	// From linux/socket.h.
	afUnix    = Value{"AF_UNIX", 1}
	afInet    = Value{"AF_INET", 2}
	afInet6   = Value{"AF_INET6", 10}
	afNetlink = Value{"AF_NETLINK", 16}

	// linux/net.h; the bits above the low four are SOCK_NONBLOCK and
	// SOCK_CLOEXEC.
	sockTypeMask  = Value{"SOCK_TYPE_MASK", 0xf}
	sockStream    = Value{"SOCK_STREAM", 1}
	sockSeqpacket = Value{"SOCK_SEQPACKET", 5}
	sockPacket    = Value{"SOCK_PACKET", 10}

	// From linux/netlink.h and linux/in.h.
	netlinkRoute = Value{"NETLINK_ROUTE", 0}
	ipprotoSMC   = Value{"IPPROTO_SMC", 256}

	// linux/sched.h: CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and
	// NEWNET. CLONE_NEWTIME (0x80) is not among them, because clone reads the
	// low byte as the signal that the child sends when it ends.
	cloneNew = Value{"CLONE_NEW*", 0x7e020000}
	noFlags  = Value{"0", 0}

	// From linux/fcntl.h: the call is about the descriptor, not about a path.
	atEmptyPath = Value{"AT_EMPTY_PATH", 0x1000}
	nullAddress = Value{"NULL", 0}
)
