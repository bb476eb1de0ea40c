package recheck

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"golang.org/x/sys/unix"

	"github.com/sandboxc/sbc/host"
)

// types are the types by the bits of a mode (inode(7)).
var types = map[uint32]host.Type{
	unix.S_IFREG: host.File, unix.S_IFDIR: host.Dir, unix.S_IFLNK: host.Link, unix.S_IFSOCK: host.Socket, unix.S_IFIFO: host.FIFO,
	unix.S_IFCHR: host.Char, unix.S_IFBLK: host.Block,
}

// Look describes a path. It fails if a directory of it is a symbolic link: the
// kernel resolves the path in one step (openat2(2), RESOLVE_NO_SYMLINKS, Linux
// 5.6), so that nothing can be exchanged in the middle.
func Look(path string) (host.Node, error) {
	f, n, err := Open(path)
	if err == nil {
		_ = f.Close() // opened as a path: nothing can be lost
	}
	return n, err
}

// Open is Look with an open descriptor of what was looked at, as O_PATH
// (open(2)).
func Open(path string) (*os.File, host.Node, error) {
	fd, err := open(path)
	switch {
	case errors.Is(err, unix.ELOOP):
		return nil, host.Node{}, errors.New("leads through a symbolic link now")
	case errors.Is(err, unix.ENOTDIR):
		return nil, host.Node{}, fs.ErrNotExist
	case err != nil:
		return nil, host.Node{}, fmt.Errorf("cannot be looked at: %w", err)
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		_ = unix.Close(fd)
		return nil, host.Node{}, fmt.Errorf("cannot be looked at: %w", err)
	}
	return os.NewFile(uintptr(fd), path), host.Node{
		Type: types[st.Mode&unix.S_IFMT], Perm: fs.FileMode(st.Mode) & fs.ModePerm, Dev: st.Dev, Ino: st.Ino, Nlink: uint64(st.Nlink), // 32 bits on aarch64
	}, nil
}

func open(path string) (int, error) {
	how := unix.OpenHow{Flags: unix.O_PATH | unix.O_NOFOLLOW | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_SYMLINKS}
	for {
		fd, err := unix.Openat2(unix.AT_FDCWD, path, &how)
		if !errors.Is(err, unix.EINTR) && !errors.Is(err, unix.EAGAIN) {
			return fd, err
		}
	}
}
