package supervise

import "golang.org/x/sys/unix"

// spot is an object on a mount.
type spot struct {
	mount uint64
	dev   uint64
	ino   uint64
	mode  uint32
	top   bool // it is the root of the mount
}

func (s *spot) same(t *spot) bool { return s.mount == t.mount && s.dev == t.dev && s.ino == t.ino }

func (s *spot) dir() bool { return s.mode&unix.S_IFMT == unix.S_IFDIR }

// mountOf looks at a name in a directory, or at the descriptor itself, without
// following a link (statx(2)).
func mountOf(dir int, name string) (spot, error) {
	flags := unix.AT_SYMLINK_NOFOLLOW | unix.AT_NO_AUTOMOUNT
	if name == "" {
		flags |= unix.AT_EMPTY_PATH
	}
	var s unix.Statx_t
	err := unix.Statx(dir, name, flags, unix.STATX_TYPE|unix.STATX_INO|unix.STATX_MNT_ID, &s)
	if err != nil {
		return spot{}, err
	}
	return spot{
		mount: s.Mnt_id, dev: unix.Mkdev(s.Dev_major, s.Dev_minor), ino: s.Ino, mode: uint32(s.Mode),
		top: s.Attributes&unix.STATX_ATTR_MOUNT_ROOT != 0,
	}, nil
}

// readOnly reports whether nothing can be made on the mount of a descriptor: what
// the kernel then says is the right answer.
func readOnly(fd int) bool {
	var s unix.Statfs_t
	return unix.Fstatfs(fd, &s) == nil && s.Flags&unix.ST_RDONLY != 0
}
