package placeholder

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/sandboxc/sbc/enforce/dirfd"
	"golang.org/x/sys/unix"
)

// perm is the mode that marks a placeholder.
const perm = 0o500

// setgid is what a directory gets by itself where the one above has the bit
// (inode(7)).
const setgid = 0o2000

// looksLike reports whether a directory may be a placeholder that this user may
// remove: by type, mode and owner.
func looksLike(i dirfd.Info) bool {
	uid := os.Geteuid()
	return i.IsDir() && i.Perm()&^setgid == perm && (uid == 0 || int(i.UID) == uid)
}

// maxRecord bounds what is read of one record, in bytes.
const maxRecord = 16 << 20

// entries reads every record but the one of the given name. Those that cannot
// be read prove nothing.
func (s *state) entries(own string) []entry {
	names, err := s.names()
	if err != nil {
		return nil
	}
	var out []entry
	for _, name := range names {
		if name == own {
			continue
		}
		f, err := s.openRecord(name, unix.O_RDONLY)
		if err != nil {
			continue
		}
		if text, err := readRecord(f); err == nil {
			if es, err := parseRecord(text); err == nil {
				out = append(out, es...)
			}
		}
		_ = f.Close()
	}
	return out
}

func readRecord(f *os.File) ([]byte, error) {
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", f.Name())
	}
	text, err := io.ReadAll(io.LimitReader(f, maxRecord+1))
	if err == nil && len(text) > maxRecord {
		err = fmt.Errorf("%s is longer than any record", f.Name())
	}
	return text, err
}

// names reports whether the entry speaks of the directory at the path.
func (e entry) names(path string, id dirfd.Identity) bool {
	return e.Path == path && (e.Ino == 0 || e.same(id))
}

// same reports whether the directory is the one that was recorded. The numbers
// of devices may change when the machine starts anew; then the time of birth
// tells.
func (e entry) same(id dirfd.Identity) bool {
	return e.Ino == id.Ino && e.Born == id.Born && (e.Dev == id.Dev || e.Born != 0)
}

// proved reports whether a record, or a lock that somebody holds, shows the
// directory to be a placeholder.
func (s *state) proved(path string, id dirfd.Identity, own string) bool {
	for _, e := range s.entries(own) {
		if e.names(path, id) {
			return true
		}
	}
	return locked(id)
}

// locked reports whether /proc/locks (proc(5)) has a shared flock on the inode.
// To try for a lock would tell as well, and for that moment keep the last holder
// from removing what is his. Lines are like
//
//	1: FLOCK  ADVISORY  READ 1234 08:01:5678 0 EOF
//
// The device in it is not always the one that stat(2) tells (btrfs), so the
// inode must do.
func locked(id dirfd.Identity) bool {
	f, err := os.Open("/proc/locks")
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }() // opened for reading
	inode := fmt.Sprintf(":%d", id.Ino)
	for lines := bufio.NewScanner(f); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) == 8 && fields[1] == "FLOCK" && fields[3] == "READ" && strings.HasSuffix(fields[5], inode) {
			return true
		}
	}
	return false
}
