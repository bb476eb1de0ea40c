package host

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"

	"golang.org/x/sys/unix"
)

// dirBlock is how much of a directory one system call reads, in bytes.
const dirBlock = 32 << 10

func readDir(p string) ([]Entry, error) {
	fd, err := openDir(p)
	if err != nil {
		return nil, pathError("readdir", p, err)
	}
	defer func() { _ = unix.Close(fd) }() // opened for reading: nothing can be lost

	var entries []Entry
	var buf [dirBlock]byte
	for {
		n, err := unix.Getdents(fd, buf[:])
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return nil, pathError("readdir", p, err)
		case n == 0:
			slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Name, b.Name) })
			return entries, nil
		}
		if entries, err = appendEntries(entries, buf[:n], p); err != nil {
			return nil, err
		}
	}
}

// appendEntries reads a block of struct linux_dirent64 (getdents(2)): inode
// number 8 bytes, offset 8, length of the record 2, type 1, then the name up to
// a NUL.
func appendEntries(entries []Entry, block []byte, dir string) ([]Entry, error) {
	const lengthAt, typeAt, nameAt = 16, 18, 19
	const usual = 32       // bytes of a record with a name of 8 to 12 bytes
	names := string(block) // one allocation for all names of the block
	entries = slices.Grow(entries, len(block)/usual)
	for len(block) > nameAt {
		length := int(binary.NativeEndian.Uint16(block[lengthAt:]))
		if length <= nameAt || length > len(block) {
			return nil, pathError("readdir", dir, errors.New("the kernel returned a malformed directory entry"))
		}
		end := nameAt + max(bytes.IndexByte(block[nameAt:length], 0), 0)
		name, kind := names[nameAt:end], block[typeAt]
		block, names = block[length:], names[length:]
		if name == "." || name == ".." || name == "" {
			continue
		}
		t := typeOf(uint32(kind) << 12) // DT_x is S_IFx >> 12
		if t == 0 {
			n, err := lstat(path.Join(dir, name))
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return nil, err
			}
			t = n.Type
		}
		entries = append(entries, Entry{Name: name, Type: t})
	}
	return entries, nil
}

func mounts() ([]Mount, error) {
	data, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil, err
	}
	return ParseMountInfo(data)
}
