package doctor

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sandboxc/sbc/host"
)

// LiveMachine is this machine, of which the sources are.
func LiveMachine(s host.Sources) Machine {
	return Machine{Sources: s, Landlock: landlockABI, Writable: writable, Plant: plant}
}

// plant is what [Machine] says of Plant.
func plant(temp string, try func(root string)) (outside, inside bool, err error) {
	made, err := os.MkdirTemp(temp, "sbc-doctor-")
	if err != nil {
		return false, false, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(made)) }()
	to, err := host.Resolve(host.Live{}, made) // /oldroot must be followed by no link
	if err != nil {
		return false, false, err
	}
	root, out := filepath.Join(to.Path, "root"), filepath.Join(to.Path, "out")
	err = errors.Join(os.Mkdir(root, 0o700), os.Mkdir(out, 0o700), os.Symlink("/oldroot"+out, filepath.Join(root, "evil")))
	if err != nil {
		return false, false, err
	}
	try(root)
	return exists(filepath.Join(out, "ghost")), exists(filepath.Join(root, "ghost")), nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
