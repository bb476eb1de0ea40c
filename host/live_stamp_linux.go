package host

import (
	"slices"
	"time"

	"golang.org/x/sys/unix"
)

// settling is how long after a change of a directory its stamp is settled.
const settling = 3 * time.Second

// Stamp implements [Stamper].
func (Live) Stamp(path string) (Stamp, bool) {
	now := time.Now()
	var s unix.Stat_t
	if err := unix.Stat(path, &s); err != nil || s.Mode&unix.S_IFMT != unix.S_IFDIR {
		return Stamp{}, false
	}
	changed := time.Unix(s.Ctim.Unix())
	return Stamp{Dev: s.Dev, Ino: s.Ino, Changed: changed.UnixNano()}, now.Sub(changed) > settling
}

// Steady implements [Stamper]. File systems of other machines and those of
// programs may keep the times of others, or none.
func (Live) Steady(path string) bool {
	local := []int64{
		unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC,
		unix.TMPFS_MAGIC, unix.OVERLAYFS_SUPER_MAGIC,
	}
	var s unix.Statfs_t
	return unix.Statfs(path, &s) == nil && slices.Contains(local, int64(s.Type)) //nolint:unconvert // it has another type elsewhere
}
