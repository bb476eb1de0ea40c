package supervise_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"

	"golang.org/x/sys/unix"
)

// again is the test executable as a probe once more.
func again(args ...string) *exec.Cmd {
	cmd := exec.Command(self2())
	cmd.Env = []string{"PATH=/usr/bin:/bin", probeVariable + "=" + strings.Join(args, " ")}
	return cmd
}

// self2 is this executable, from within.
func self2() string {
	name, err := os.Executable()
	if err != nil {
		return "/proc/self/exe"
	}
	return name
}

// roller calls the kernel at random in a directory of its own.
type roller struct {
	*rand.Rand
	log *strings.Builder
	dir string
	fd  int   // of the directory
	fds []int // files and directories that are open

	opens bool // the next call opens its path, or looks at it
}

func pick[T any](r *roller, of ...T) T { return of[r.IntN(len(of))] }

func (r *roller) name() string {
	one := func() string {
		return pick(r, "a", "b", "c", "d", "e", "f", "g", "l", "m", "a", "b", "d", "e", "ro", "pin", "mask", "closed", ".", "..", strings.Repeat("x", 256))
	}
	name := one()
	for range pick(r, 0, 0, 0, 1, 1, 2) {
		name += pick(r, "/", "/", "/", "//") + one()
	}
	switch r.IntN(16) {
	case 0:
		name += "/"
	case 1:
		name = "./" + name
	case 2:
		name = "d/../" + name
	}
	return name
}

// path is a path with what it starts from.
func (r *roller) path() (int, string) {
	switch r.IntN(24) {
	case 0, 1, 2, 3:
		return unix.AT_FDCWD, r.dir + "/" + r.name()
	case 4:
		if len(r.fds) > 0 {
			return pick(r, r.fds...), r.name()
		}
	case 5:
		return r.fd, ""
	case 6:
		return 999, r.name()
	case 7:
		return unix.AT_FDCWD, fmt.Sprintf("/proc/self/fd/%d/%s", r.fd, r.name())
	case 8:
		return unix.AT_FDCWD, "/proc/thread-self/root" + r.dir + "/" + r.name()
	case 9:
		return unix.AT_FDCWD, pick(r, "/proc/thread-self/cwd/", "") + r.name()
	case 10:
		return unix.AT_FDCWD, pick(r, "/", "/usr/x", "/usr/bin/env", "/dev/null", "/dev/full", "/proc/x", "/proc/self/x", "/sys/x", "/dev/fd/x", "/nowhere/x", "/proc/self/comm", "/dev/pts/77")
	case 11:
		if len(r.fds) > 0 && r.opens {
			return unix.AT_FDCWD, fmt.Sprintf("/proc/self/fd/%d", pick(r, r.fds...))
		}
	}
	return r.fd, r.name()
}

// roll makes calls and notes what came of them.
func (r *roller) roll(times int) {
	if err := errors.Join(unix.Unshare(unix.CLONE_FS), unix.Chdir(r.dir)); err != nil {
		_, _ = fmt.Fprintln(r.log, "own directory", err)
		return
	}
	fd, err := unix.Open(r.dir, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		_, _ = fmt.Fprintln(r.log, "open", err)
		return
	}
	r.fd = fd
	for range times {
		what, err := r.one()
		var errno unix.Errno
		if err != nil && !errors.As(err, &errno) {
			what += " " + err.Error()
		}
		_, _ = fmt.Fprintf(r.log, "%s: %s\n", r.own(what), unix.ErrnoName(errno))
	}
}

// own takes out of a line what differs from one run to the next.
func (r *roller) own(line string) string {
	if len(line) > 200 {
		line = strings.ReplaceAll(line, strings.Repeat("x", 256), "LONG")
	}
	return line
}

func (r *roller) mode() uint32 {
	return pick(r, uint32(0o644), 0o600, 0o777, 0o755, 0, 0o7777, 0o2755, 0o1777, 0o444)
}

func (r *roller) one() (string, error) {
	what := r.IntN(20)
	r.opens = what < 5 || what == 11 || what == 12 || what == 17
	at, name := r.path()
	r.opens = false
	where := name
	if at >= 0 && at != r.fd && at != 999 {
		where = "FD:" + name
	}
	if strings.HasPrefix(where, "/proc/self/fd/") {
		where = "/proc/self/fd/N" + strings.TrimLeft(strings.TrimPrefix(where, "/proc/self/fd/"), "0123456789")
	}
	switch what {
	case 0, 1, 2, 3, 4:
		return r.open(at, name, where)
	case 5, 6, 7:
		return "mkdir " + where, unix.Mkdirat(at, name, r.mode())
	case 8:
		mode := r.mode()&0o777 | pick(r, uint32(unix.S_IFIFO), unix.S_IFREG, 0, unix.S_IFSOCK, unix.S_IFCHR, unix.S_IFBLK, unix.S_IFDIR)
		return fmt.Sprintf("mknod %s %o", where, mode), unix.Mknodat(at, name, mode, pick(r, 0, 0x103))
	case 9, 10:
		to := pick(r, r.name(), r.name(), "/dev/null", "/proc/self/fd/1x", "/proc/self/root", "/proc/thread-self/cwd", "/proc/thread-self/cwd/d", "/proc/self", r.dir, r.dir+"/"+r.name(), "", "l")
		return "symlink " + to + " " + where, unix.Symlinkat(to, at, name)
	case 11, 12:
		to, second := r.path()
		flags := pick(r, 0, 0, unix.AT_SYMLINK_FOLLOW, 1)
		return fmt.Sprintf("link %s %s %x", where, r.where(to, second), flags), unix.Linkat(at, name, to, second, flags)
	case 13, 14, 15:
		to, second := r.path()
		flags := pick(r, uint(0), 0, 0, unix.RENAME_NOREPLACE, unix.RENAME_EXCHANGE, unix.RENAME_WHITEOUT, unix.RENAME_NOREPLACE|unix.RENAME_EXCHANGE, 8)
		return fmt.Sprintf("rename %s %s %x", where, r.where(to, second), flags), unix.Renameat2(at, name, to, second, flags)
	case 16:
		flags := pick(r, 0, unix.AT_REMOVEDIR, 1)
		return fmt.Sprintf("unlink %s %x", where, flags), unix.Unlinkat(at, name, flags)
	case 17:
		if r.IntN(3) > 0 {
			return "look " + where, r.look(at, name)
		}
		mode := pick(r, uint32(0o755), 0o755, 0o555, 0o1777, 0o2775, 0)
		return fmt.Sprintf("chmod %s %o", where, mode), r.chmod(at, name, mode)
	case 18:
		return r.temporary(at, name, where)
	}
	if r.IntN(4) == 0 {
		mask := pick(r, 0o022, 0o077, 0, 0o027, 0o777)
		return fmt.Sprintf("umask %o = %o", mask, unix.Umask(mask)), nil
	}
	if r.IntN(6) == 0 {
		return "chdir " + where, r.chdir(at, name)
	}
	if len(r.fds) > 4 {
		i := r.IntN(len(r.fds))
		fd := r.fds[i]
		r.fds = append(r.fds[:i], r.fds[i+1:]...)
		return "close", unix.Close(fd)
	}
	return "nothing", nil
}

// chdir goes somewhere in the directory, or back.
func (r *roller) chdir(at int, name string) error {
	if at != r.fd || strings.Contains(name, "..") || name == "" {
		return unix.Chdir(r.dir)
	}
	return unix.Chdir(r.dir + "/" + name)
}

func (r *roller) where(at int, name string) string {
	if strings.HasPrefix(name, "/proc/self/fd/") {
		return "/proc/self/fd/N" + strings.TrimLeft(strings.TrimPrefix(name, "/proc/self/fd/"), "0123456789")
	}
	if at >= 0 && at != r.fd && at != 999 {
		return "FD:" + name
	}
	return name
}

// chmod changes the mode of a file or directory that lies in the directory itself:
// a link could lead to a device of the host.
func (r *roller) chmod(at int, name string, mode uint32) error {
	var s unix.Stat_t
	if at != r.fd || strings.Contains(name, "/") || name == "" || name[0] == '.' ||
		unix.Fstatat(at, name, &s, unix.AT_SYMLINK_NOFOLLOW) != nil || s.Mode&unix.S_IFMT == unix.S_IFLNK || s.Nlink > 1 && s.Mode&unix.S_IFMT != unix.S_IFDIR {
		return nil
	}
	return unix.Fchmodat(at, name, mode, 0)
}

func (r *roller) look(at int, name string) error {
	var s unix.Stat_t
	err := unix.Fstatat(at, name, &s, unix.AT_SYMLINK_NOFOLLOW)
	if err == nil && s.Dev == r.device() {
		_, _ = fmt.Fprintf(r.log, "  %o %d\n", s.Mode, s.Nlink)
	}
	return err
}

// open opens, never to wait, and writes a byte.
func (r *roller) open(at int, name, where string) (string, error) {
	flags := pick(r, unix.O_RDONLY, unix.O_WRONLY, unix.O_RDWR, unix.O_RDWR) | unix.O_NONBLOCK
	for _, f := range []int{unix.O_CREAT, unix.O_CREAT, unix.O_EXCL, unix.O_TRUNC, unix.O_NOFOLLOW, unix.O_APPEND, unix.O_CLOEXEC} {
		if r.IntN(3) == 0 {
			flags |= f
		}
	}
	if r.IntN(12) == 0 {
		flags |= pick(r, unix.O_DIRECTORY, unix.O_PATH, unix.O_NOCTTY, unix.O_SYNC)
	}
	what := fmt.Sprintf("open %s %x", where, flags)
	fd, err := unix.Openat(at, name, flags, r.mode())
	if err != nil {
		return what, err
	}
	var s unix.Stat_t
	_ = unix.Fstat(fd, &s)
	state, _ := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
	own, _ := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0)
	what += fmt.Sprintf(" = %x %x", state&^unix.O_NOFOLLOW, own) // a link of /proc is opened without it
	if s.Mode&unix.S_IFMT == unix.S_IFREG && s.Dev == r.device() {
		what += fmt.Sprintf(" %o %d", s.Mode, s.Size)
	}
	if flags&unix.O_ACCMODE != unix.O_RDONLY && s.Mode&unix.S_IFMT == unix.S_IFREG && s.Dev == r.device() {
		_, werr := unix.Write(fd, []byte("x"))
		if werr != nil {
			what += " " + werr.Error()
		}
	}
	if r.IntN(3) > 0 || len(r.fds) > 8 {
		_ = unix.Close(fd)
	} else {
		r.fds = append(r.fds, fd)
	}
	return what, nil
}

func (r *roller) device() uint64 {
	var s unix.Stat_t
	_ = unix.Fstat(r.fd, &s)
	return s.Dev
}

// temporary makes a file without a name and gives it one.
func (r *roller) temporary(at int, name, where string) (string, error) {
	fd, err := unix.Openat(at, name, unix.O_TMPFILE|unix.O_RDWR|pick(r, 0, unix.O_EXCL), r.mode())
	what := "temporary " + where
	if err != nil {
		return what, err
	}
	defer func() { _ = unix.Close(fd) }()
	to, second := r.path()
	what += " to " + r.where(to, second)
	if r.IntN(2) == 0 {
		return what, unix.Linkat(fd, "", to, second, unix.AT_EMPTY_PATH)
	}
	return what, unix.Linkat(unix.AT_FDCWD, fmt.Sprintf("/proc/self/fd/%d", fd), to, second, unix.AT_SYMLINK_FOLLOW)
}

// probe is what runs inside.
func probe(text string) int {
	args := strings.Fields(text)
	switch args[0] {
	case "random":
		return random(args[1:])
	case "calls":
		return timeCalls(args[1:])
	case "init":
		return usurp()
	case "special":
		return special(args[1])
	case "attack":
		return attack(args[1], args[2:])
	}
	fmt.Println("no such probe:", args[0])
	return 2
}
