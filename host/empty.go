package host

import "io/fs"

// Empty is the view of a machine of which nothing is known.
type Empty struct{}

// Lstat implements [View]: nothing exists.
func (Empty) Lstat(path string) (Node, error) { return Node{}, notExist("lstat", path) }

// Readlink implements [View]: nothing exists.
func (Empty) Readlink(path string) (string, error) { return "", notExist("readlink", path) }

// ReadDir implements [View]: nothing exists.
func (Empty) ReadDir(path string) ([]Entry, error) { return nil, notExist("readdir", path) }

// Mounts implements [View]: the table is not known.
func (Empty) Mounts() ([]Mount, error) { return nil, nil }

func notExist(op, path string) error {
	return &fs.PathError{Op: op, Path: path, Err: fs.ErrNotExist}
}
