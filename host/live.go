package host

import (
	"errors"
	"io/fs"
	"path"
)

// Live is the view of this machine as it is at each call. What a symbolic link
// in the middle of a path leads to is followed by the kernel; the final
// component is never followed.
//
// A name beneath something that is no directory (ENOTDIR) does not exist. On
// systems other than Linux and macOS every method fails with
// [errors.ErrUnsupported].
type Live struct{}

var errRelative = errors.New("the path is not absolute")

// Lstat implements [View] by lstat(2).
func (Live) Lstat(p string) (Node, error) {
	if !path.IsAbs(p) {
		return Node{}, &fs.PathError{Op: "lstat", Path: p, Err: errRelative}
	}
	return lstat(p)
}

// Readlink implements [View] by readlink(2).
func (Live) Readlink(p string) (string, error) {
	if !path.IsAbs(p) {
		return "", &fs.PathError{Op: "readlink", Path: p, Err: errRelative}
	}
	return readlink(p)
}

// ReadDir implements [View]. The types come with the names, so that a walk need
// not look at each file; where a file system does not tell them, each name is
// looked at. A name that vanishes meanwhile is left out.
func (Live) ReadDir(p string) ([]Entry, error) {
	if !path.IsAbs(p) {
		return nil, &fs.PathError{Op: "readdir", Path: p, Err: errRelative}
	}
	return readDir(p)
}

// Mounts implements [View] by /proc/self/mountinfo (proc(5)); on macOS the
// table is not asked for.
func (Live) Mounts() ([]Mount, error) { return mounts() }
