package host

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"slices"
)

func readDir(p string) ([]Entry, error) {
	fd, err := openDir(p)
	if err != nil {
		return nil, pathError("readdir", p, err)
	}
	f := os.NewFile(uintptr(fd), p)
	defer func() { _ = f.Close() }() // opened for reading: nothing can be lost
	list, err := f.ReadDir(-1)
	if err != nil {
		return nil, pathError("readdir", p, err)
	}
	entries := make([]Entry, 0, len(list))
	for _, d := range list {
		t := entryType(d.Type())
		if t == 0 {
			return nil, pathError("readdir", p, fmt.Errorf("unknown type %v of %q", d.Type(), d.Name()))
		}
		entries = append(entries, Entry{Name: d.Name(), Type: t})
	}
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Name, b.Name) })
	return entries, nil
}

// entryType returns the type that the type bits of a mode stand for, or 0.
func entryType(m fs.FileMode) Type {
	switch m.Type() {
	case 0:
		return File
	case fs.ModeDir:
		return Dir
	case fs.ModeSymlink:
		return Link
	case fs.ModeSocket:
		return Socket
	case fs.ModeNamedPipe:
		return FIFO
	case fs.ModeDevice | fs.ModeCharDevice:
		return Char
	case fs.ModeDevice:
		return Block
	}
	return 0
}

func mounts() ([]Mount, error) { return nil, nil }
