package supervise

import "golang.org/x/sys/unix"

// kind is a system call that is held, and what performs it. The arguments are
// those of the kernel, with the number of flags for an open: it decides in the
// filter whether the call is held.
type kind struct {
	name    string
	flags   int // the argument with the flags of an open; 0 for none
	when    func(*Config) bool
	perform func(w *worker, c *call, a *[6]uint64) outcome
}

func (k *kind) wanted(cfg *Config) bool { return k.when == nil || k.when(cfg) }

func removals(cfg *Config) bool { return cfg.Removals }
func sockets(cfg *Config) bool  { return cfg.Sockets }

const cwd = uint64(1<<64 + unix.AT_FDCWD)

// calls are all of them. Those of x86_64 without a directory descriptor do not
// exist elsewhere.
var calls = [...]kind{
	{name: "open", flags: 1, perform: func(w *worker, c *call, a *[6]uint64) outcome { return w.open(c, cwd, a[0], a[1], a[2]) }},
	{name: "openat", flags: 2, perform: func(w *worker, c *call, a *[6]uint64) outcome { return w.open(c, a[0], a[1], a[2], a[3]) }},
	{name: "creat", perform: func(w *worker, c *call, a *[6]uint64) outcome {
		return w.open(c, cwd, a[0], unix.O_CREAT|unix.O_WRONLY|unix.O_TRUNC, a[1])
	}},
	{name: "mkdir", perform: func(w *worker, c *call, a *[6]uint64) outcome { return w.mkdir(c, cwd, a[0], a[1]) }},
	{name: "mkdirat", perform: func(w *worker, c *call, a *[6]uint64) outcome { return w.mkdir(c, a[0], a[1], a[2]) }},
	{name: "mknod", perform: func(w *worker, c *call, a *[6]uint64) outcome { return w.mknod(c, cwd, a[0], a[1], a[2]) }},
	{name: "mknodat", perform: func(w *worker, c *call, a *[6]uint64) outcome { return w.mknod(c, a[0], a[1], a[2], a[3]) }},
	{name: "symlink", perform: func(w *worker, c *call, a *[6]uint64) outcome { return w.symlink(c, a[0], cwd, a[1]) }},
	{name: "symlinkat", perform: func(w *worker, c *call, a *[6]uint64) outcome { return w.symlink(c, a[0], a[1], a[2]) }},
	{name: "link", perform: func(w *worker, c *call, a *[6]uint64) outcome { return w.link(c, cwd, a[0], cwd, a[1], 0) }},
	{name: "linkat", perform: func(w *worker, c *call, a *[6]uint64) outcome { return w.link(c, a[0], a[1], a[2], a[3], a[4]) }},
	{name: "rename", perform: func(w *worker, c *call, a *[6]uint64) outcome { return w.rename(c, cwd, a[0], cwd, a[1], 0) }},
	{name: "renameat", perform: func(w *worker, c *call, a *[6]uint64) outcome { return w.rename(c, a[0], a[1], a[2], a[3], 0) }},
	{name: "renameat2", perform: func(w *worker, c *call, a *[6]uint64) outcome { return w.rename(c, a[0], a[1], a[2], a[3], a[4]) }},
	{name: "unlink", when: removals, perform: func(w *worker, c *call, a *[6]uint64) outcome { return w.unlink(c, cwd, a[0], 0) }},
	{name: "unlinkat", when: removals, perform: func(w *worker, c *call, a *[6]uint64) outcome { return w.unlink(c, a[0], a[1], a[2]) }},
	{name: "rmdir", when: removals, perform: func(w *worker, c *call, a *[6]uint64) outcome {
		return w.unlink(c, cwd, a[0], unix.AT_REMOVEDIR)
	}},
	{name: "bind", when: sockets, perform: func(w *worker, c *call, a *[6]uint64) outcome { return w.bind(c, a[0], a[1], a[2]) }},
}

// outcome is what the caller gets: an error, a descriptor, or success.
type outcome struct {
	errno  unix.Errno
	fd     int // what the caller gets a descriptor of, if opened is set
	flags  uint32
	opened bool
	none   bool // no answer is due: the caller is gone, or somebody else answers
}

func fails(err error) outcome {
	if err == errGone { //nolint:errorlint // it is never wrapped
		return outcome{none: true}
	}
	errno, ok := err.(unix.Errno) //nolint:errorlint // system calls return nothing else
	if !ok {
		errno = unix.EACCES
	}
	return outcome{errno: errno}
}

// done is the outcome of a call that returns nothing but an error.
func done(err error) outcome {
	if err == nil {
		return outcome{}
	}
	return fails(err)
}
