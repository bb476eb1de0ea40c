package cover

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"

	"golang.org/x/sys/unix"

	"github.com/sandboxc/sbc/enforce/recheck"
)

// protection is how covers are mounted.
const protection = unix.MOUNT_ATTR_RDONLY | unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV | unix.MOUNT_ATTR_NOEXEC

// help waits for the sandbox, covers what it is told to cover, and says so.
func help(o *order, socket int) error {
	runtime.LockOSThread()
	// The end of the socket ends a helper that waits; one that works takes no long.
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return os.NewSyscallError("prctl", err)
	}
	c := covers{}
	if err := c.prepare(o); err != nil {
		return err
	}
	if err := enter(socket); err != nil {
		return fmt.Errorf("enter the sandbox: %w", err)
	}
	for _, p := range o.Paths {
		if err := c.cover(p); err != nil {
			return err
		}
	}
	return send(socket, covered, nil)
}

// enter makes the sandbox's mounts those of this thread. They come from the
// launcher, as a descriptor (setns(2)); a thread that shares its root with others
// cannot exchange it.
func enter(socket int) error {
	_, control, err := receive(socket, 0)
	if err != nil {
		return err
	}
	messages, err := unix.ParseSocketControlMessage(control)
	if err != nil || len(messages) != 1 {
		return errors.Join(errors.New("there is none"), err)
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) != 1 {
		return errors.Join(errors.New("there is none"), err)
	}
	if err := unix.Unshare(unix.CLONE_FS); err != nil {
		return os.NewSyscallError("unshare", err)
	}
	return os.NewSyscallError("setns", unix.Setns(fds[0], unix.CLONE_NEWNS))
}

// sort tells covers apart: a file's, or those of directories with a mode.
type sort struct {
	dir  bool
	perm fs.FileMode
}

// covers are mounts to cover with (fsmount(2), open_tree(2)): at first they are
// nowhere. The first use of one puts it in place, and the others are copies of it,
// with its protection.
type covers map[sort]*mounted

type mounted struct {
	fd     int
	placed bool
}

// prepare makes a cover of each sort, outside of the sandbox.
func (c covers) prepare(o *order) error {
	for _, p := range o.Paths {
		s := sort{p.Dir, p.Perm.Perm()}
		if !p.Dir {
			s.perm = 0
		}
		if c[s] != nil {
			continue
		}
		fd, err := 0, error(nil)
		if p.Dir {
			fd, err = emptyDir(s.perm)
		} else {
			fd, err = emptyFile(o.MaskFile)
		}
		if err != nil {
			return err
		}
		c[s] = &mounted{fd: fd}
	}
	return nil
}

// emptyFile is the mask file.
func emptyFile(name string) (int, error) {
	var st unix.Stat_t
	fd, err := unix.OpenTree(unix.AT_FDCWD, name, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_SYMLINK_NOFOLLOW)
	if err != nil {
		return fd, &fs.PathError{Op: "open_tree", Path: name, Err: err}
	}
	if err := unix.Fstat(fd, &st); err != nil {
		return fd, &fs.PathError{Op: "fstat", Path: name, Err: err}
	}
	if st.Mode&unix.S_IFMT != unix.S_IFREG || st.Size != 0 {
		return fd, fmt.Errorf("%q is not an empty file", name)
	}
	err = unix.MountSetattr(fd, "", unix.AT_EMPTY_PATH, &unix.MountAttr{Attr_set: protection})
	return fd, os.NewSyscallError("mount_setattr", err)
}

// emptyDir is an empty file system.
func emptyDir(perm fs.FileMode) (int, error) {
	config, err := unix.Fsopen("tmpfs", unix.FSOPEN_CLOEXEC)
	if err != nil {
		return -1, os.NewSyscallError("fsopen", err)
	}
	defer func() { _ = unix.Close(config) }() // nothing was written
	err = errors.Join(unix.FsconfigSetString(config, "mode", fmt.Sprintf("%04o", perm)), unix.FsconfigCreate(config))
	if err != nil {
		return -1, os.NewSyscallError("fsconfig", err)
	}
	fd, err := unix.Fsmount(config, unix.FSMOUNT_CLOEXEC, protection)
	return fd, os.NewSyscallError("fsmount", err)
}

// cover covers one path, in the sandbox.
func (c covers) cover(p Path) error {
	f, now, err := recheck.Open(p.Name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &pathError{p.Name, "has vanished"}
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("look at %q: %w", p.Name, err)
	case err != nil:
		return &pathError{p.Name, err.Error()}
	}
	defer func() { _ = f.Close() }() // opened as a path
	if now.Dev != p.Dev || now.Ino != p.Ino {
		return &pathError{p.Name, "is not what it was"}
	}
	s := sort{dir: p.Dir}
	if p.Dir {
		s.perm = p.Perm.Perm()
	}
	if err := c[s].put(int(f.Fd())); err != nil {
		return fmt.Errorf("cover %q: %w", p.Name, err)
	}
	return nil
}

// put puts the cover on what a descriptor leads to (move_mount(2)).
func (m *mounted) put(on int) error {
	fd := m.fd
	if m.placed {
		var err error
		if fd, err = unix.OpenTree(m.fd, "", unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_EMPTY_PATH); err != nil {
			return os.NewSyscallError("open_tree", err)
		}
		defer func() { _ = unix.Close(fd) }() // it is in place, or was never
	}
	m.placed = true
	return os.NewSyscallError("move_mount", unix.MoveMount(fd, "", on, "", unix.MOVE_MOUNT_F_EMPTY_PATH|unix.MOVE_MOUNT_T_EMPTY_PATH))
}
