package recheck

import (
	"errors"
	"fmt"

	"golang.org/x/sys/unix"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/target/bwrap"
)

// Mounted looks at a sandbox from outside when its mounts are made and the
// command has not started: everything that is bound must be what it was when the
// plan was made, and everything that is closed must be covered. Bubblewrap mounts
// by paths, one after the other, so a directory that was exchanged for another
// one in between could have been left out; from now on mounts stay with what
// they are on. Pid is a process in the sandbox.
func Mounted(pid int, p *bwrap.Plan, was host.View) error {
	root, err := unix.Open(fmt.Sprintf("/proc/%d/root", pid), unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("look at the sandbox: %w", err)
	}
	defer func() { _ = unix.Close(root) }()
	var out []Change
	for _, m := range p.Mounts {
		if text := inside(root, m, was); text != "" {
			out = append(out, Change{Path: m.Path, Text: text})
		}
	}
	if len(out) > 0 {
		return &ChangedError{out}
	}
	return nil
}

// inside says what is wrong with a mount, or nothing.
func inside(root int, m bwrap.Mount, was host.View) string {
	before, err := was.Lstat(m.Path)
	known := err == nil
	st, top, err := statIn(root, m.Path)
	covered := !known || st.Dev != before.Dev || st.Ino != before.Ino
	switch m.Kind {
	case bwrap.ReadOnlyBind, bwrap.WritableBind, bwrap.PinBind, bwrap.DeviceBind:
		if known && (err != nil || covered) {
			return "was exchanged while the sandbox was made"
		}
	case bwrap.ClosedDir, bwrap.EmptyDir, bwrap.ClosedFile:
		want := uint32(unix.S_IFDIR)
		if m.Kind == bwrap.ClosedFile {
			want = unix.S_IFREG
		}
		if err != nil || !covered || !top || st.Mode&unix.S_IFMT != want {
			return "was exchanged while the sandbox was made, and is not covered"
		}
	case bwrap.MadeDir, bwrap.MadeLink, bwrap.PrivateTmp, bwrap.PrivateDev, bwrap.PrivateProc:
	}
	return ""
}

// statIn describes a path in the sandbox, no component of which may be a link, and
// reports whether something is mounted there: two masks that were meant for two
// directories can lie on one of them, and the other one has its place. Before Linux
// 5.8 that is not known, and taken to be so.
func statIn(root int, path string) (st unix.Stat_t, top bool, err error) {
	how := unix.OpenHow{Flags: unix.O_PATH | unix.O_NOFOLLOW | unix.O_CLOEXEC, Resolve: unix.RESOLVE_IN_ROOT | unix.RESOLVE_NO_SYMLINKS}
	for {
		fd, err := unix.Openat2(root, path, &how)
		if errors.Is(err, unix.EINTR) || errors.Is(err, unix.EAGAIN) {
			continue
		}
		if err != nil {
			return st, false, err
		}
		var x unix.Statx_t
		err = errors.Join(unix.Fstat(fd, &st), unix.Statx(fd, "", unix.AT_EMPTY_PATH, 0, &x))
		_ = unix.Close(fd)
		const mounted = unix.STATX_ATTR_MOUNT_ROOT
		return st, x.Attributes&mounted != 0 || x.Attributes_mask&mounted == 0, err
	}
}
