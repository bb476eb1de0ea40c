package trace

import (
	"slices"

	"golang.org/x/sys/unix"

	"github.com/sandboxc/sbc/ir"
)

// call is a traced system call: where its paths and addresses are.
type call struct {
	name  string
	paths []pathArg
	// addr and size are the places of a socket address and of its length, or
	// both 0.
	addr, size int
	// message says that argument 1 is a struct msghdr, or an array that begins
	// with one.
	message bool
	// family says that argument 0 is an address family.
	family bool
}

// pathArg is an argument that is a path.
type pathArg struct {
	dirfd int // the place of the descriptor that it is relative to; -1 for none
	path  int
	how   func(args *[6]uint64) how
}

// how is what a call wants of a path.
type how struct {
	op     ir.Op
	follow bool // a final symbolic link is followed
	dir    bool
}

// fixed is a call that always wants the same.
func fixed(h how) func(*[6]uint64) how { return func(*[6]uint64) how { return h } }

// opening is the meaning of open's flags at a place, see open(2).
func opening(at int) func(*[6]uint64) how {
	return func(args *[6]uint64) how {
		flags := args[at]
		h := how{op: ir.Read, follow: flags&unix.O_NOFOLLOW == 0, dir: flags&unix.O_DIRECTORY != 0}
		switch {
		case flags&unix.O_PATH != 0:
			return h
		case flags&unix.O_ACCMODE != unix.O_RDONLY || flags&(unix.O_CREAT|unix.O_TRUNC) != 0:
			h.op = ir.Write
		}
		if flags&unix.O_CREAT != 0 && flags&unix.O_EXCL != 0 {
			h.follow = false
		}
		return h
	}
}

// asking is the meaning of access's mode, and of its flags if flags is not 0.
func asking(mode, flags int) func(*[6]uint64) how {
	return func(args *[6]uint64) how {
		h := how{op: ir.Read, follow: flags == 0 || args[flags]&unix.AT_SYMLINK_NOFOLLOW == 0}
		if args[mode]&unix.W_OK != 0 {
			h.op = ir.Write
		}
		return h
	}
}

// unlessNoFollow follows a link unless the flags at a place say
// AT_SYMLINK_NOFOLLOW.
func unlessNoFollow(op ir.Op, flags int) func(*[6]uint64) how {
	return func(args *[6]uint64) how {
		return how{op: op, follow: args[flags]&unix.AT_SYMLINK_NOFOLLOW == 0}
	}
}

// one makes a call of one path.
func one(name string, dirfd, path int, h func(*[6]uint64) how) call {
	return call{name: name, paths: []pathArg{{dirfd, path, h}}}
}

// two makes a call of two paths.
func two(name string, first, second pathArg) call {
	return call{name: name, paths: []pathArg{first, second}}
}

// calls describes every call of [seccomp.Traced]. openat2 is one whose flags have
// been put in the place of the structure that holds them.
func calls() []call {
	var (
		look   = fixed(how{op: ir.Read, follow: true})
		lookAt = fixed(how{op: ir.Read})
		enter  = fixed(how{op: ir.Read, follow: true, dir: true})
		change = fixed(how{op: ir.Write, follow: true})
		make1  = fixed(how{op: ir.Write})
		makeD  = fixed(how{op: ir.Write, dir: true})
		remove = fixed(how{op: ir.Unlink})
		rmdir  = fixed(how{op: ir.Unlink, dir: true})
	)
	return []call{
		one("open", -1, 0, opening(1)),
		one("openat", 0, 1, opening(2)),
		one("openat2", 0, 1, opening(2)),
		one("creat", -1, 0, change),
		one("truncate", -1, 0, change),
		one("chdir", -1, 0, enter),
		one("access", -1, 0, asking(1, 0)),
		one("faccessat", 0, 1, asking(2, 0)),
		one("faccessat2", 0, 1, asking(2, 3)),
		one("stat", -1, 0, look),
		one("lstat", -1, 0, lookAt),
		one("newfstatat", 0, 1, unlessNoFollow(ir.Read, 3)),
		one("statx", 0, 1, unlessNoFollow(ir.Read, 2)),
		one("execve", -1, 0, look),
		one("execveat", 0, 1, unlessNoFollow(ir.Read, 4)),

		one("mkdir", -1, 0, makeD),
		one("mkdirat", 0, 1, makeD),
		one("mknod", -1, 0, make1),
		one("mknodat", 0, 1, make1),
		one("symlink", -1, 1, make1),
		one("symlinkat", 1, 2, make1),
		two("link", pathArg{-1, 0, make1}, pathArg{-1, 1, make1}),
		two("linkat", pathArg{0, 1, make1}, pathArg{2, 3, make1}),
		one("unlink", -1, 0, remove),
		one("unlinkat", 0, 1, func(args *[6]uint64) how {
			return how{op: ir.Unlink, dir: args[2]&unix.AT_REMOVEDIR != 0}
		}),
		one("rmdir", -1, 0, rmdir),
		two("rename", pathArg{-1, 0, remove}, pathArg{-1, 1, make1}),
		two("renameat", pathArg{0, 1, remove}, pathArg{2, 3, make1}),
		two("renameat2", pathArg{0, 1, remove}, pathArg{2, 3, make1}),

		one("chmod", -1, 0, change),
		one("fchmodat", 0, 1, change),
		one("fchmodat2", 0, 1, unlessNoFollow(ir.Write, 3)),
		one("chown", -1, 0, change),
		one("lchown", -1, 0, make1),
		one("fchownat", 0, 1, unlessNoFollow(ir.Write, 4)),
		one("utime", -1, 0, change),
		one("utimes", -1, 0, change),
		one("futimesat", 0, 1, change),
		one("utimensat", 0, 1, unlessNoFollow(ir.Write, 3)),
		one("setxattr", -1, 0, change),
		one("lsetxattr", -1, 0, make1),
		one("removexattr", -1, 0, change),
		one("lremovexattr", -1, 0, make1),

		{name: "socket", family: true},
		{name: "connect", addr: 1, size: 2},
		{name: "bind", addr: 1, size: 2},
		{name: "sendto", addr: 4, size: 5},
		{name: "sendmsg", message: true},
		{name: "sendmmsg", message: true},
	}
}

// outcome says what an error means for a record.
type outcome uint8

const (
	ignored outcome = iota // it says nothing about permission
	refused
	missing // the name is not there, or is hidden
)

// judge returns what an error of the call means.
func (c *call) judge(e unix.Errno) outcome {
	switch {
	case c.family:
		if slices.Contains(socketErrors(), e) {
			return refused
		}
		return ignored
	case c.addr != 0 || c.message:
		if slices.Contains(reachErrors(), e) {
			return refused
		}
	case slices.Contains(pathErrors(), e):
		return refused
	}
	if e == unix.ENOENT || e == unix.ENOTDIR {
		return missing
	}
	return ignored
}

// The errors that tell of a refusal. EXDEV and EBUSY are what a mount at a path
// answers to rename, link and unlink; ECONNREFUSED is what a masked socket and a
// loopback of the sandbox's own answer.

func pathErrors() []unix.Errno {
	return []unix.Errno{unix.EACCES, unix.EPERM, unix.EROFS, unix.EXDEV, unix.EBUSY}
}

func socketErrors() []unix.Errno {
	return []unix.Errno{unix.EAFNOSUPPORT, unix.EPROTONOSUPPORT, unix.ESOCKTNOSUPPORT, unix.EPERM, unix.EACCES}
}

func reachErrors() []unix.Errno {
	return []unix.Errno{
		unix.ENETUNREACH, unix.EHOSTUNREACH, unix.ENETDOWN, unix.ETIMEDOUT, unix.EADDRNOTAVAIL, unix.EAFNOSUPPORT,
		unix.ECONNREFUSED, unix.EPERM, unix.EACCES, unix.EROFS,
	}
}
