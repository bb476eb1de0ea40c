package seccomp

// Traced returns the names of the calls that stop for a tracer under
// [Options.Trace], on any architecture, in the order of the rules.
func Traced() []string {
	var out []string
	for _, r := range tracedCalls() {
		out = append(out, r.Calls...)
	}
	return out
}

// tracedCalls are the rules that [Options.Trace] adds. They stand below all
// others, so what is refused stays refused whether anybody traces or not.
//
// A traced call is a record and no decision. So a test here may look at the low
// half of a pointer: what it misses is run without being recorded.
func tracedCalls() []Rule {
	return []Rule{
		{
			Name:  "trace-open",
			Scope: ScopeCalls,
			Calls: []string{
				"open", "openat", "openat2", "creat", "truncate", "chdir",
				"access", "faccessat", "faccessat2", "stat", "lstat",
			},
			Action: Trace,
			Reason: "the launcher records which paths could not be opened or looked at",
		},
		{
			Name:   "trace-newfstatat",
			Scope:  ScopeCalls,
			Calls:  []string{"newfstatat"},
			When:   []Test{{Arg: 3, Mask: atEmptyPath, Op: NoneOf, Values: []Value{atEmptyPath}}},
			Action: Trace,
			Reason: "the same for a look at a path; fstat is this call with an empty path, and every program makes it often",
		},
		{
			Name:   "trace-statx",
			Scope:  ScopeCalls,
			Calls:  []string{"statx"},
			When:   []Test{{Arg: 2, Mask: atEmptyPath, Op: NoneOf, Values: []Value{atEmptyPath}}},
			Action: Trace,
			Reason: "the same for a look at a path, and not for one at a descriptor",
		},
		{
			Name:   "trace-exec",
			Scope:  ScopeCalls,
			Calls:  []string{"execve", "execveat"},
			Action: Trace,
			Reason: "the launcher records which programs could not be started",
		},
		{
			Name:  "trace-change",
			Scope: ScopeCalls,
			Calls: []string{
				"mkdir", "mkdirat", "mknod", "mknodat", "symlink", "symlinkat", "link", "linkat",
				"unlink", "unlinkat", "rmdir", "rename", "renameat", "renameat2",
				"chmod", "fchmodat", "fchmodat2", "chown", "lchown", "fchownat",
				"utime", "utimes", "futimesat", "utimensat",
				"setxattr", "lsetxattr", "removexattr", "lremovexattr",
			},
			Action: Trace,
			Reason: "the launcher records which names could not be made, removed or changed",
		},
		{
			Name:   "trace-connect",
			Scope:  ScopeCalls,
			Calls:  []string{"socket", "connect", "bind", "sendmsg", "sendmmsg"},
			Action: Trace,
			Reason: "the launcher records which addresses could not be reached",
		},
		{
			Name:   "trace-sendto",
			Scope:  ScopeCalls,
			Calls:  []string{"sendto"},
			When:   []Test{{Arg: 4, Op: NoneOf, Values: []Value{nullAddress}}},
			Action: Trace,
			Reason: "the same for a datagram to an address; without an address this call is an ordinary write",
		},
	}
}
