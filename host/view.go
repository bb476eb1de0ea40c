package host

import "io/fs"

// View is what a policy may learn of a file system. Paths are absolute and
// clean. A path that does not exist gives an error that [fs.ErrNotExist]
// matches, one that may not be looked at an error that [fs.ErrPermission]
// matches. A View is safe for concurrent use.
type View interface {
	// Lstat describes the path itself; a symbolic link is not followed.
	Lstat(path string) (Node, error)
	// Readlink returns the text of a symbolic link.
	Readlink(path string) (string, error)
	// ReadDir lists a directory, sorted by name in byte order.
	ReadDir(path string) ([]Entry, error)
	// Mounts lists the mount table in mount order; nil if it is not known.
	Mounts() ([]Mount, error)
}

// Type is the type of a node.
type Type uint8

// The types.
const (
	File Type = iota + 1
	Dir
	Link
	Socket
	FIFO
	Char
	Block
)

// String returns "file", "dir", "link", "socket", "fifo", "char" or "block".
func (t Type) String() string {
	switch t {
	case File:
		return "file"
	case Dir:
		return "dir"
	case Link:
		return "link"
	case Socket:
		return "socket"
	case FIFO:
		return "fifo"
	case Char:
		return "char"
	case Block:
		return "block"
	}
	return "invalid type"
}

// Node is what lstat(2) tells.
type Node struct {
	Type  Type
	Perm  fs.FileMode // permission bits only
	Dev   uint64      // device number; (Dev, Ino) names the inode
	Ino   uint64
	Nlink uint64 // number of hard links; 0 if not known
}

// Entry is one name in a directory.
type Entry struct {
	Name string
	Type Type
}

// Mount is one line of /proc/self/mountinfo (proc(5)).
type Mount struct {
	Dev    string // "major:minor"
	Root   string // the directory of the file system that is mounted
	Point  string // where it is mounted
	FSType string
}

// Kernel reports whether the file system holds the kernel's own state and no
// one's files, or would be mounted or asked over a network by a look at it.
func (m Mount) Kernel() bool {
	switch m.FSType {
	case "autofs", "binfmt_misc", "bpf", "cgroup", "cgroup2", "configfs", "debugfs", "devpts", "efivarfs", "fusectl",
		"mqueue", "nsfs", "proc", "pstore", "securityfs", "selinuxfs", "sysfs", "tracefs":
		return true
	}
	return false
}
