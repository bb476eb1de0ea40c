package trace

import (
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/sandboxc/sbc/ir"
)

// maxAbsent bounds how many missing paths are remembered as not worth a record.
const maxAbsent = 8192

// failed records a call that returned an error, if that is worth it. The thread
// still is in its stop, so its memory is as it left it.
func (t *tracer) failed(tid int, c *call, args *[6]uint64, e unix.Errno) {
	verdict := c.judge(e)
	if verdict == ignored || verdict == missing && t.missing == nil {
		return
	}
	if c.name == "openat2" { // its flags are the first word of a structure
		flags, err := readWord(tid, args[2])
		if err != nil {
			t.store.unread()
			return
		}
		args[2] = flags
	}
	r := Record{Call: c.name, Errno: unix.ErrnoName(e)}
	var ok bool
	switch {
	case c.family:
		r.Family, ok = familyName(uint16(args[0])), true
	case c.addr != 0 || c.message:
		ok = t.address(tid, c, args, &r)
	default:
		ok = t.pathsOf(tid, c, args, &r, verdict)
	}
	if !ok || verdict == missing && len(c.paths) != 1 && !t.worth(r.Path, r.To) {
		return
	}
	t.store.Add(r, verdict == missing, func() (int, string) { return process(tid) })
}

// address fills in where a call wanted to connect. Without an address, as on a
// connected socket, there is nothing to record.
func (t *tracer) address(tid int, c *call, args *[6]uint64, r *Record) bool {
	var a address
	var ok bool
	var err error
	if c.message {
		a, ok, err = readMessage(tid, args[1])
	} else {
		a, ok, err = readAddress(tid, args[c.addr], args[c.size])
	}
	if err != nil {
		t.store.unread()
	}
	if err != nil || !ok {
		return false
	}
	r.Family, r.Addr = a.family, a.text
	if a.path != "" {
		at, ok := absolute(tid, unix.AT_FDCWD, a.path)
		if !ok {
			t.store.unread()
			return false
		}
		from := openRoot(tid)
		defer from.close()
		r.Path = from.resolve(at, true)
		if c.name == "bind" {
			r.Op = ir.Write
		}
	}
	return true
}

// pathsOf fills in the paths of a call. What is known to be missing and not worth
// a record is not resolved again.
func (t *tracer) pathsOf(tid int, c *call, args *[6]uint64, r *Record, verdict outcome) bool {
	var from root
	for i, p := range c.paths {
		dirfd := int32(unix.AT_FDCWD)
		if p.dirfd >= 0 {
			dirfd = int32(args[p.dirfd])
		}
		text, err := "", error(nil)
		if args[p.path] != 0 { // utimensat without a path is about the descriptor
			text, err = readString(tid, args[p.path], t.scratch[:])
		}
		at, ok := "", false
		if err == nil {
			at, ok = absolute(tid, dirfd, text)
		}
		if !ok {
			t.store.unread()
			return false
		}
		if verdict == missing && len(c.paths) == 1 && t.absent[at] {
			return false
		}
		if i == 0 {
			from = openRoot(tid)
			defer from.close()
		}
		h := p.how(args)
		resolved := from.resolve(at, h.follow)
		if i > 0 {
			r.To = resolved
			continue
		}
		r.Path, r.Op, r.Dir = resolved, h.op, h.dir
		if verdict == missing && len(c.paths) == 1 && !t.missing(resolved) {
			t.forget(at)
			return false
		}
	}
	return true
}

// worth reports whether a missing socket, or one of the two paths of a call, is
// worth a record.
func (t *tracer) worth(first, second string) bool {
	return t.missing(first) || second != "" && t.missing(second)
}

// forget remembers that a missing path is not worth a record.
func (t *tracer) forget(at string) {
	if len(t.absent) >= maxAbsent {
		clear(t.absent)
	}
	t.absent[strings.Clone(at)] = true
}

// absolute returns a path from the root of the sandbox on. It may still hold
// links and dots.
func absolute(tid int, dirfd int32, text string) (string, bool) {
	if strings.HasPrefix(text, "/") {
		return text, true
	}
	dir, ok := directory(tid, dirfd)
	if !ok || text == "" {
		return dir, ok
	}
	return dir + "/" + text, true
}

// process returns the process of a thread, and its program.
func process(tid int) (pid int, exe string) {
	exe, _ = readlink(proc(tid, "exe"))
	status, err := os.ReadFile(proc(tid, "status"))
	if err != nil {
		return tid, exe
	}
	for line := range strings.Lines(string(status)) {
		if text, ok := strings.CutPrefix(line, "Tgid:"); ok {
			if n, err := strconv.Atoi(strings.TrimSpace(text)); err == nil {
				return n, exe
			}
		}
	}
	return tid, exe
}
