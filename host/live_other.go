//go:build !linux && !darwin

package host

import (
	"errors"
	"io/fs"
)

func lstat(p string) (Node, error) { return Node{}, unsupported("lstat", p) }

func readlink(p string) (string, error) { return "", unsupported("readlink", p) }

func readDir(p string) ([]Entry, error) { return nil, unsupported("readdir", p) }

func mounts() ([]Mount, error) { return nil, errors.ErrUnsupported }

func unsupported(op, p string) error {
	return &fs.PathError{Op: op, Path: p, Err: errors.ErrUnsupported}
}
