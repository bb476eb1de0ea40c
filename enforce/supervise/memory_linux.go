package supervise

import (
	"bytes"

	"golang.org/x/sys/unix"
)

// maxPath is how long a path can be for the kernel, its final NUL included
// (PATH_MAX, linux/limits.h).
const maxPath = 4096

const page = 4096

// copyPath reads a path of the caller, once. The errors are those of the kernel
// (getname, path_resolution(7)).
func (w *worker) copyPath(c *call, addr uint64) (string, error) {
	buf := w.path[:0]
	for len(buf) < maxPath {
		size := min(page-int(addr%page), maxPath-len(buf))
		part := w.path[len(buf) : len(buf)+size]
		n, err := c.read(addr, part)
		if err != nil || n == 0 {
			return "", unix.EFAULT
		}
		if end := bytes.IndexByte(part[:n], 0); end >= 0 {
			path := string(w.path[:len(buf)+end])
			if path == "" {
				return "", unix.ENOENT
			}
			return path, nil
		}
		if n < size {
			return "", unix.EFAULT
		}
		buf = w.path[:len(buf)+n]
		addr += uint64(n)
	}
	return "", unix.ENAMETOOLONG
}

// read copies memory of the caller (process_vm_readv(2)).
func (c *call) read(addr uint64, into []byte) (int, error) {
	local := unix.Iovec{Base: &into[0]}
	local.SetLen(len(into))
	return unix.ProcessVMReadv(c.tid, []unix.Iovec{local}, []unix.RemoteIovec{{Base: uintptr(addr), Len: len(into)}}, 0)
}
