package supervise

import (
	"bytes"
	"os"
	"path"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// procRootInode is the inode number of the root of every /proc (PROC_ROOT_INO,
// linux/proc_ns.h).
const procRootInode = 1

func onProc(fd int) bool {
	var s unix.Statfs_t
	return unix.Fstatfs(fd, &s) == nil && s.Type == unix.PROC_SUPER_MAGIC
}

func isProcRoot(fd int) bool {
	s, err := stat(fd)
	return err == nil && s.Ino == procRootInode && onProc(fd)
}

// selfLink is the text of /proc/self or /proc/thread-self for the caller.
func (w *worker) selfLink(c *call, _ int, name string) (object, string, error) {
	group, thread, err := w.numbers(c)
	if err != nil {
		return object{}, "", err
	}
	if name == "self" {
		return object{}, strconv.Itoa(group), nil
	}
	return object{}, strconv.Itoa(group) + "/task/" + strconv.Itoa(thread), nil
}

// numbers are the caller's process and thread number in its own namespace.
func (w *worker) numbers(c *call) (group, thread int, err error) {
	text, err := w.status(c)
	if err != nil {
		return 0, 0, err
	}
	group, thread = last(text, "\nNStgid:"), last(text, "\nNSpid:")
	if group == 0 || thread == 0 {
		return 0, 0, unix.ENOENT
	}
	return group, thread, nil
}

// last is the last number of a line.
func last(text []byte, key string) int {
	_, line, _ := bytes.Cut(text, []byte(key))
	line, _, _ = bytes.Cut(line, []byte("\n"))
	fields := bytes.Fields(line)
	if len(fields) == 0 {
		return 0
	}
	n, err := strconv.Atoi(string(fields[len(fields)-1]))
	if err != nil {
		return 0
	}
	return n
}

// status reads what /proc says of the calling thread. The file stays open, for
// the next call is the same thread's mostly: it is of that thread alone, and
// cannot be read any more when the thread has ended.
func (w *worker) status(c *call) ([]byte, error) {
	if w.thread.tid == c.tid {
		if n, err := unix.Pread(w.thread.fd, w.info[:], 0); err == nil && n > 0 {
			return w.info[:n], nil
		}
	}
	w.forget()
	fd, err := unix.Open("/proc/"+itoa(c.tid)+"/status", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, errGone
	}
	w.thread.tid, w.thread.fd = c.tid, fd
	n, err := unix.Pread(fd, w.info[:], 0)
	if err != nil || !c.valid() {
		w.forget()
		return nil, errGone
	}
	return w.info[:n], nil
}

// forget closes the file of the last thread.
func (w *worker) forget() {
	if w.thread.tid != 0 {
		_ = unix.Close(w.thread.fd)
		w.thread.tid = 0
	}
}

// jump follows a link of /proc/PID that is no text, such as cwd or fd/1.
func (w *worker) jump(c *call, dir int, name string) (object, string, error) {
	own, err := w.isOwn(c, dir)
	if err != nil {
		return object{}, "", err
	}
	if !own {
		return object{}, "", unix.EACCES
	}
	fd, err := unix.Openat(dir, name, unix.O_PATH|unix.O_CLOEXEC, 0)
	return object{fd: fd, magic: true}, "", err
}

// isOwn reports whether a directory of /proc is about the caller's own process,
// or about another of the same user that the caller could trace. Nobody has more
// rights over its own process than it has; over others this process may have.
func (w *worker) isOwn(c *call, dir int) (bool, error) {
	at, err := w.pathOf(dir)
	if err != nil {
		return false, err
	}
	group, thread, err := w.numbers(c)
	if err != nil {
		return false, err
	}
	for name := range strings.SplitSeq(at, "/") {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if pid == group || pid == thread {
			return true, nil
		}
		s, err := stat(dir)
		// What may not be traced belongs to root (proc(5)).
		return err == nil && s.Uid != 0 && int(s.Uid) == os.Geteuid(), nil
	}
	return false, nil
}

// mayOpenProc reports whether something of /proc may be opened for the caller by
// this process.
func (w *worker) mayOpenProc(c *call, dir int, name string) bool {
	own, err := w.isOwn(c, dir)
	if err != nil || own {
		return err == nil
	}
	at, err := w.pathOf(dir)
	if err != nil {
		return false
	}
	about := false
	for part := range strings.SplitSeq(at, "/") {
		if _, err := strconv.Atoi(part); err == nil {
			about = true
		}
	}
	if about {
		switch name {
		case "stat", "statm", "status", "cmdline", "comm", "cgroup":
			return true // anybody may read these
		}
		return false
	}
	return path.Base(at) != "sysvipc" // of the namespace of whoever opens it
}

// protectedSymlinks reports whether fs.protected_symlinks is set.
func protectedSymlinks() bool {
	text, err := os.ReadFile("/proc/sys/fs/protected_symlinks")
	return err != nil || strings.TrimSpace(string(text)) != "0"
}

func itoa(n int) string { return strconv.Itoa(n) }
