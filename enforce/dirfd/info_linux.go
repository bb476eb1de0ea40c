package dirfd

import (
	"github.com/sandboxc/sbc/host"
	"golang.org/x/sys/unix"
)

// Info is what statx(2) tells of an object; a link is not followed.
type Info struct {
	Identity
	Mode  uint32 // type and permission bits, as in stat(2)
	UID   uint32
	Size  uint64
	Nlink uint32
	// Changed is when the inode last changed, in nanoseconds since 1970. A
	// rename changes it on the usual file systems; nobody can set it back.
	Changed int64
	// Mount is the number of the mount that the object was reached through
	// (since Linux 5.8), or 0.
	Mount uint64
}

// Identity tells an object from all others, also from a later one that got the
// number of its inode.
type Identity struct {
	Dev, Ino uint64
	// Born is when the inode was made, in nanoseconds since 1970, or 0 where
	// the file system does not say.
	Born int64
}

// Link reports whether the object is a symbolic link.
func (i Info) Link() bool { return i.Mode&unix.S_IFMT == unix.S_IFLNK }

// IsDir reports whether the object is a directory.
func (i Info) IsDir() bool { return i.Mode&unix.S_IFMT == unix.S_IFDIR }

// Perm returns the permission bits with set-user-ID, set-group-ID and sticky.
func (i Info) Perm() uint32 { return i.Mode & 0o7777 }

// Type returns the type of the object.
func (i Info) Type() host.Type {
	switch i.Mode & unix.S_IFMT {
	case unix.S_IFDIR:
		return host.Dir
	case unix.S_IFLNK:
		return host.Link
	case unix.S_IFSOCK:
		return host.Socket
	case unix.S_IFIFO:
		return host.FIFO
	case unix.S_IFCHR:
		return host.Char
	case unix.S_IFBLK:
		return host.Block
	}
	return host.File
}

const statMask = unix.STATX_BASIC_STATS | unix.STATX_BTIME | unix.STATX_MNT_ID

// Stat describes what the name in d is.
func (d Dir) Stat(name string) (Info, error) {
	return statx(d.fd, name, unix.AT_SYMLINK_NOFOLLOW)
}

// Stat describes what is at an absolute path. Unlike all else here it follows
// links above it: it is for what nobody can have changed yet.
func Stat(path string) (Info, error) { return statx(unix.AT_FDCWD, path, unix.AT_SYMLINK_NOFOLLOW) }

// Self describes the directory itself.
func (d Dir) Self() (Info, error) { return statx(d.fd, "", unix.AT_EMPTY_PATH) }

func statx(fd int, name string, flags int) (Info, error) {
	var st unix.Statx_t
	err := retry(func() error { return unix.Statx(fd, name, flags|unix.AT_NO_AUTOMOUNT, statMask, &st) })
	if err != nil {
		return Info{}, err
	}
	i := Info{
		Identity: Identity{Dev: unix.Mkdev(st.Dev_major, st.Dev_minor), Ino: st.Ino},
		Mode:     uint32(st.Mode), UID: st.Uid, Size: st.Size, Nlink: st.Nlink,
		Changed: nanoseconds(st.Ctime),
	}
	if st.Mask&unix.STATX_BTIME != 0 {
		i.Born = nanoseconds(st.Btime)
	}
	if st.Mask&unix.STATX_MNT_ID != 0 {
		i.Mount = st.Mnt_id
	}
	return i, nil
}

func nanoseconds(t unix.StatxTimestamp) int64 { return t.Sec*1e9 + int64(t.Nsec) }
