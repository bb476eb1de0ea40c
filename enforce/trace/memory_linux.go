package trace

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// maxPath is how long a path can be for the kernel, its final NUL included
// (PATH_MAX, linux/limits.h).
const maxPath = 4096

// maxPieces bounds the pages that one reading touches.
const maxPieces = maxPath/4096 + 1

var errUnread = errors.New("the memory cannot be read")

// readMemory reads up to len(buf) bytes of a process from an address on, up to
// the first page that is not there (process_vm_readv(2)).
func readMemory(tid int, addr uint64, buf []byte) (int, error) {
	page := uint64(os.Getpagesize())
	var pieces [maxPieces]unix.RemoteIovec
	n := 0
	for at, left := addr, uint64(len(buf)); left > 0 && n < len(pieces); n++ {
		size := min(page-at%page, left)
		pieces[n] = unix.RemoteIovec{Base: uintptr(at), Len: int(size)}
		at += size
		left -= size
	}
	local := unix.Iovec{Base: &buf[0]}
	local.SetLen(len(buf))
	return unix.ProcessVMReadv(tid, []unix.Iovec{local}, pieces[:n], 0)
}

// readExact reads a whole structure.
func readExact(tid int, addr uint64, buf []byte) error {
	n, err := readMemory(tid, addr, buf)
	if err == nil && n < len(buf) {
		err = errUnread
	}
	return err
}

// readString reads a path that ends with a NUL. The buffer is a scratch space of
// maxPath bytes.
func readString(tid int, addr uint64, buf []byte) (string, error) {
	n, err := readMemory(tid, addr, buf)
	if err != nil {
		return "", err
	}
	end := bytes.IndexByte(buf[:n], 0)
	if end < 0 {
		return "", errUnread
	}
	return string(buf[:end]), nil
}

// readWord reads eight bytes.
func readWord(tid int, addr uint64) (uint64, error) {
	var b [8]byte
	err := readExact(tid, addr, b[:])
	return binary.LittleEndian.Uint64(b[:]), err
}

// readAddress reads a socket address. ok is false if there is none.
func readAddress(tid int, addr, size uint64) (a address, ok bool, err error) {
	if addr == 0 || size == 0 {
		return a, false, nil
	}
	buf := make([]byte, min(size, maxAddress))
	if err := readExact(tid, addr, buf); err != nil {
		return a, false, err
	}
	a, ok = parseAddress(buf)
	return a, ok, nil
}

// readMessage reads the address in a struct msghdr: its first two fields are the
// pointer and a length of four bytes (linux/socket.h, struct user_msghdr).
func readMessage(tid int, addr uint64) (a address, ok bool, err error) {
	var b [12]byte
	if err := readExact(tid, addr, b[:]); err != nil {
		return a, false, err
	}
	return readAddress(tid, binary.LittleEndian.Uint64(b[:]), uint64(binary.LittleEndian.Uint32(b[8:])))
}
