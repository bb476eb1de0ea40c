package launch_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"
)

// escapeVariable names the directory of closed files; with it the test executable
// tries to read one.
const escapeVariable = "SBC_LAUNCH_ESCAPE"

// escape tries to get at a closed file by mounts, with the capabilities that the
// command has, and with all that a namespace of its own gives.
func escape(dir string) int {
	inner := len(os.Args) > 1
	if inner {
		fmt.Println("in a namespace of its own:")
	}
	attempts(dir)
	if inner {
		return 0
	}
	cmd := exec.Command("/proc/self/exe", "inner")
	cmd.Env, cmd.Stdout, cmd.Stderr = os.Environ(), os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  unix.CLONE_NEWUSER | unix.CLONE_NEWNS,
		AmbientCaps: []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_DAC_OVERRIDE},
	}
	if err := cmd.Run(); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// attempts prints what each attempt comes to, and what can be read then.
func attempts(dir string) {
	file, other, control := dir+"/f000", dir+"/m", dir+"/open"
	for _, a := range []struct {
		name, read string
		do         func() error
	}{
		{"unmount", file, func() error { return unix.Unmount(file, unix.MNT_DETACH) }},
		{"make it writable", file, func() error { return unix.Mount("", file, "", unix.MS_REMOUNT|unix.MS_BIND, "") }},
		{"move", file, func() error { return unix.Mount(file, dir+"/open", "", unix.MS_MOVE, "") }},
		{"bind the directory", other + "/f000", func() error { return unix.Mount(dir, other, "", unix.MS_BIND, "") }},
		{"bind with what lies in it", other + "/f000", func() error { return unix.Mount(dir, other, "", unix.MS_BIND|unix.MS_REC, "") }},
		{"unmount there", other + "/f000", func() error { return unix.Unmount(other+"/f000", unix.MNT_DETACH) }},
		{"unmount above", file, func() error { return unix.Unmount(dir, unix.MNT_DETACH) }},
		{"write", file, func() error { return os.WriteFile(file, []byte("x"), 0o600) }},
		{"cover the control", control, func() error { return unix.Mount(dir+"/f001", control, "", unix.MS_BIND, "") }},
		{"uncover the control", control, func() error { return unix.Unmount(control, 0) }},
	} {
		err := a.do()
		reason := "done"
		if errno := syscall.Errno(0); errors.As(err, &errno) {
			reason = unix.ErrnoName(errno)
		}
		text, err := os.ReadFile(a.read)
		if err != nil {
			text = []byte("nothing")
		}
		fmt.Printf("%s: %s, reads %q\n", a.name, reason, text)
	}
}

// TestCoverEscape holds that nothing inside takes a cover away or gets around it,
// even if it may do everything that the kernel permits; and, as the control, that
// the attempts work on what is not closed.
func TestCoverEscape(t *testing.T) {
	t.Parallel()
	const want = `unmount: EPERM, reads "nothing"
make it writable: EPERM, reads "nothing"
move: EPERM, reads "nothing"
bind the directory: EPERM, reads "nothing"
bind with what lies in it: EPERM, reads "nothing"
unmount there: ENOENT, reads "nothing"
unmount above: EPERM, reads "nothing"
write: EROFS, reads "nothing"
cover the control: EPERM, reads "open"
uncover the control: EPERM, reads "open"
in a namespace of its own:
unmount: EINVAL, reads "nothing"
make it writable: EPERM, reads "nothing"
move: EINVAL, reads "nothing"
bind the directory: EINVAL, reads "nothing"
bind with what lies in it: done, reads "nothing"
unmount there: EINVAL, reads "nothing"
unmount above: EINVAL, reads "nothing"
write: EROFS, reads "nothing"
cover the control: done, reads "nothing"
uncover the control: done, reads "open"
`
	asUsers(t, func(t *testing.T, uid int) {
		dir, e := closed(t, uid, 60, 0)
		e.Nested = true
		if err := os.WriteFile(dir+"/open", []byte("open"), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(dir+"/m", 0o777); err != nil {
			t.Fatal(err)
		}
		text, out := run(t, uid, job{
			Command: []string{filepath.Join(scratch, "launcher")}, Env: []string{escapeVariable + "=" + dir},
			Writable: []string{dir}, Closing: e, NoSeccomp: true,
		})
		if diff := cmp.Diff(want, text); diff != "" || out.Error != "" {
			t.Errorf("%+v (-want +got):\n%s", out, diff)
		}
		text, _ = run(t, uid, job{Command: sh(steps), Closing: e})
		if !strings.HasPrefix(text, "60 by the helper") {
			t.Errorf("covered: %s", text)
		}
	})
}
