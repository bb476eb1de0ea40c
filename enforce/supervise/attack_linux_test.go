package supervise_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// TestAttacks holds: whatever is tried to get a closed name, there is none in the
// end. Without a supervisor each of the attempts makes it.
func TestAttacks(t *testing.T) {
	t.Parallel()
	asUsers(t, func(t *testing.T, uid int) {
		for _, tt := range []struct {
			name   string
			made   string   // what the attack makes
			closed []string // last components
			within string   // closed with all beneath
		}{
			{"rewrite", ".env", []string{".env"}, ""},
			{"swap", "shut/x", nil, "shut"},
			{"parent", "t/key", nil, "t/key"},
			{"carry", "t/key", nil, "t/key"},
			{"proc", ".env", []string{".env"}, ""},
			{"exchange", ".env", []string{".env"}, ""},
			{"link", ".env", []string{".env"}, ""},
			{"child", ".env", []string{".env"}, ""},
			{"descriptor", ".env", []string{".env"}, ""},
		} {
			t.Run(tt.name, func(t *testing.T) {
				t.Parallel()
				for _, supervised := range []bool{true, false} {
					dir := workDir(t, uid)
					for _, d := range []string{"shut", "d"} {
						must(t, os.Mkdir(filepath.Join(dir, d), 0o777))
						must(t, os.Chown(filepath.Join(dir, d), uid, uid))
					}
					j := probing(dir, "attack", tt.name)
					j.Supervised, j.Closed, j.Permit = supervised, tt.closed, true
					if tt.within != "" {
						j.Beneath = []string{filepath.Join(dir, tt.within)}
					}
					text, res := run(t, uid, j)
					_, err := os.Lstat(filepath.Join(dir, tt.made))
					if made := err == nil; made == supervised || strings.Contains(text, "MADE") == supervised {
						t.Errorf("supervised: %t, made: %t, status %d:\n%s", supervised, made, res.Code, text)
					}
					if supervised && (len(res.Records) == 0 || !res.Records[0].Decided || res.Records[0].PID == 0) {
						t.Errorf("records: %+v", res.Records)
					}
				}
			})
		}
	})
}

// attack tries to make what is closed, and says MADE when it was.
func attack(name string, _ []string) int {
	dir, err := os.Getwd()
	if err != nil {
		return 2
	}
	a := &attacker{dir: dir, until: time.Now().Add(600 * time.Millisecond)}
	attacks := map[string]func(){
		"rewrite": a.rewrite, "swap": a.swap, "parent": a.parent, "carry": a.carry, "proc": a.proc, "exchange": a.exchange, "link": a.link,
		"child": a.child, "descriptor": a.descriptor,
	}
	attacks[name]()
	return 0
}

type attacker struct {
	dir   string
	until time.Time
}

func (a *attacker) made(name string) bool {
	_, err := os.Lstat(filepath.Join(a.dir, name))
	if err == nil {
		fmt.Println("MADE", name)
	}
	return err == nil
}

func (a *attacker) over(name string) bool { return a.made(name) || time.Now().After(a.until) }

// rewrite changes the path while the call is under way.
func (a *attacker) rewrite() {
	buf := append([]byte(a.dir+"/okay"), 0)
	last := buf[len(buf)-5:]
	var stop atomic.Bool
	go func() {
		runtime.LockOSThread()
		for !stop.Load() {
			copy(last, ".env")
			copy(last, "okay")
		}
	}()
	for !a.over(".env") {
		fd, _, errno := unix.Syscall6(unix.SYS_OPENAT, uintptr(0xffffff9c), uintptr(unsafe.Pointer(&buf[0])), unix.O_CREAT|unix.O_WRONLY|unix.O_EXCL, 0o644, 0, 0) //nolint:gosec // G103: the call takes an address
		if errno == 0 {
			_ = unix.Close(int(fd))
		}
		_ = unix.Unlink(a.dir + "/okay")
	}
	stop.Store(true)
}

// swap exchanges a directory for a link to a closed one.
func (a *attacker) swap() {
	_ = unix.Symlink("shut", "s")
	var stop atomic.Bool
	go func() {
		for !stop.Load() {
			_ = unix.Renameat2(unix.AT_FDCWD, "s", unix.AT_FDCWD, "d", unix.RENAME_EXCHANGE)
		}
	}()
	for !a.over("shut/x") {
		if fd, err := unix.Open("d/x", unix.O_CREAT|unix.O_WRONLY, 0o644); err == nil {
			_ = unix.Close(fd)
		}
		_ = unix.Unlink("d/x")
	}
	stop.Store(true)
}

// parent moves the directory in which a name is made to where it is closed.
func (a *attacker) parent() {
	var stop atomic.Bool
	go func() {
		for !stop.Load() {
			_ = unix.Rename("u", "t")
			_ = unix.Rmdir("t")
		}
	}()
	for !a.over("t/key") {
		_ = unix.Mkdir("u", 0o777)
		if fd, err := unix.Open("u/key", unix.O_CREAT|unix.O_WRONLY, 0o644); err == nil {
			_ = unix.Close(fd)
		}
		if !a.made("t/key") {
			_ = unix.Unlink("u/key")
		}
	}
	stop.Store(true)
}

// carry moves a directory that has the name already.
func (a *attacker) carry() {
	_ = unix.Mkdir("u", 0o777)
	_ = os.WriteFile("u/key", nil, 0o600)
	_ = unix.Rename("u", "t")
	a.made("t/key")
}

// proc goes through the links of /proc.
func (a *attacker) proc() {
	fd, err := unix.Open(a.dir, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return
	}
	for _, way := range []string{
		"/proc/self/root" + a.dir, "/proc/self/cwd", "/proc/thread-self/cwd", fmt.Sprintf("/proc/self/fd/%d", fd), fmt.Sprintf("/proc/%d/cwd", os.Getpid()),
		fmt.Sprintf("/dev/fd/%d", fd), "/proc/self/task/../cwd",
	} {
		if f, err := unix.Open(way+"/.env", unix.O_CREAT|unix.O_WRONLY, 0o644); err == nil {
			_ = unix.Close(f)
		}
	}
	a.made(".env")
}

// exchange gives a file the name of another one.
func (a *attacker) exchange() {
	_ = os.WriteFile("a", nil, 0o600)
	_ = os.WriteFile(".env", nil, 0o600)
	_ = unix.Renameat2(unix.AT_FDCWD, "a", unix.AT_FDCWD, ".env", unix.RENAME_EXCHANGE)
	_ = unix.Renameat2(unix.AT_FDCWD, "a", unix.AT_FDCWD, ".env", unix.RENAME_NOREPLACE)
	_ = unix.Rename("a", ".env")
	a.made(".env")
}

// link gives a file that has another name, or none, the closed one.
func (a *attacker) link() {
	_ = os.WriteFile("a", nil, 0o600)
	_ = unix.Link("a", ".env")
	_ = unix.Symlink("a", ".env")
	if fd, err := unix.Open(".", unix.O_TMPFILE|unix.O_RDWR, 0o600); err == nil {
		_ = unix.Linkat(fd, "", unix.AT_FDCWD, ".env", unix.AT_EMPTY_PATH)
		_ = unix.Linkat(unix.AT_FDCWD, fmt.Sprintf("/proc/self/fd/%d", fd), unix.AT_FDCWD, ".env", unix.AT_SYMLINK_FOLLOW)
	}
	a.made(".env")
}

// child lets many processes try, which end in the middle of it.
func (a *attacker) child() {
	for range 20 {
		cmd := again("attack", "exchange")
		cmd.Dir = a.dir
		if cmd.Start() == nil {
			time.Sleep(3 * time.Millisecond)
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
		}
	}
	_ = os.WriteFile(".env", nil, 0o600)
	a.made(".env")
}

// descriptor looks for the listener, and wants one of its own.
func (a *attacker) descriptor() {
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return
	}
	for _, e := range list {
		if to, err := os.Readlink("/proc/self/fd/" + e.Name()); err == nil && strings.Contains(to, "seccomp") {
			fmt.Println("MADE: there is a listener at", e.Name())
		}
	}
	allow := []unix.SockFilter{{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW}}
	prog := unix.SockFprog{Len: 1, Filter: &allow[0]}
	runtime.LockOSThread()
	_ = unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
	_, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_NEW_LISTENER, uintptr(unsafe.Pointer(&prog))) //nolint:gosec // G103: as above
	if errno == 0 {
		fmt.Println("MADE: a listener of its own")
	} else if !errors.Is(errno, unix.EBUSY) {
		fmt.Println("another error:", errno)
	}
	_ = os.WriteFile(".env", nil, 0o600)
	a.made(".env")
}
