package supervise

import (
	"bytes"
	"encoding/binary"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/sandboxc/sbc/ir"
)

// bind gives a socket its name. All of them are performed here, on a copy of the
// caller's descriptor: the family of what is bound cannot be seen by a filter.
func (w *worker) bind(c *call, fd, addr, size uint64) outcome {
	const most = 128 // sizeof(struct sockaddr_storage)
	length := int(int32(size))
	if length < 0 || length > most {
		return fails(unix.EINVAL)
	}
	sock, err := w.socket(c, int(int32(fd)))
	if err != nil {
		return fails(err)
	}
	defer func() { _ = unix.Close(sock) }()
	buf := make([]byte, most)
	if length > 0 {
		if n, err := c.read(addr, buf[:length]); err != nil || n < length {
			return fails(unix.EFAULT)
		}
	}
	domain, err := unix.GetsockoptInt(sock, unix.SOL_SOCKET, unix.SO_DOMAIN)
	if err != nil {
		return fails(err)
	}
	const path = 2 // offsetof(struct sockaddr_un, sun_path)
	switch {
	case domain == unix.AF_INET || domain == unix.AF_INET6:
		// This process may have more rights over the sandbox's network than it.
		if port := binary.BigEndian.Uint16(buf[2:]); length >= 4 && port > 0 && port < 1024 {
			return fails(unix.EACCES)
		}
	case domain == unix.AF_UNIX && length > path && binary.LittleEndian.Uint16(buf) == unix.AF_UNIX && buf[path] != 0:
		name := buf[path:length]
		if end := bytes.IndexByte(name, 0); end >= 0 {
			name = name[:end]
		}
		return w.bindPath(c, sock, string(name))
	}
	return done(rawBind(sock, buf[:length]))
}

// bindPath binds from the directory that the name is to be in.
func (w *worker) bindPath(c *call, sock int, name string) outcome {
	if err := w.mask(c); err != nil {
		return outcome{none: true}
	}
	w.s.moving.RLock()
	defer w.s.moving.RUnlock()
	p, err := w.find(c, cwd, name)
	if err != nil {
		return fails(err)
	}
	defer p.close()
	perform := func() error {
		dir, err := unix.Open("/proc/self/fd/"+itoa(p.dir), unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			return err
		}
		defer func() { _ = unix.Close(dir) }()
		if err := unix.Fchdir(dir); err != nil {
			return err
		}
		return unix.Bind(sock, &unix.SockaddrUnix{Name: p.last})
	}
	if p.plain() {
		if denied := w.ask(c, &p, ir.Write, false); denied != nil {
			if there(&p) {
				return fails(unix.EADDRINUSE)
			}
			return denied.refuse(w, perform)
		}
	}
	return done(perform())
}

// socket copies a descriptor of the caller (pidfd_getfd(2)).
func (w *worker) socket(c *call, fd int) (int, error) {
	pid, err := w.group(c)
	if err != nil {
		return -1, err
	}
	pidfd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return -1, errGone
	}
	defer func() { _ = unix.Close(pidfd) }()
	sock, err := unix.PidfdGetfd(pidfd, fd, 0)
	if err != nil {
		return -1, err
	}
	if !c.valid() {
		_ = unix.Close(sock)
		return -1, errGone
	}
	var s unix.Stat_t
	if err := unix.Fstat(sock, &s); err != nil || s.Mode&unix.S_IFMT != unix.S_IFSOCK {
		_ = unix.Close(sock)
		return -1, unix.ENOTSOCK
	}
	return sock, nil
}

// group is the process of the calling thread, by its number here.
func (w *worker) group(c *call) (int, error) {
	text, err := w.status(c)
	if err != nil {
		return 0, err
	}
	if pid := last(text, "\nTgid:"); pid > 0 {
		return pid, nil
	}
	return 0, errGone
}

func rawBind(sock int, addr []byte) error {
	var at unsafe.Pointer
	if len(addr) > 0 {
		at = unsafe.Pointer(&addr[0]) //nolint:gosec // G103: struct sockaddr
	}
	_, _, errno := unix.Syscall(unix.SYS_BIND, uintptr(sock), uintptr(at), uintptr(len(addr)))
	if errno != 0 {
		return errno
	}
	return nil
}
