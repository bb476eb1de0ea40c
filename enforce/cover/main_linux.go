package cover

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// name is argument zero of the stage and of the helper. It gives nobody anything:
// they have the rights of whoever starts them.
const name = "sbc: cover what is closed"

// self is the program to start, whatever has become of its file.
const self = "/proc/self/exe"

// The roles. The first descriptor is the order, sealed; the next is the socket for
// the answers.
const (
	asStage  = "stage"
	asHelper = "helper"
)

// Main does nothing unless this process was started as a stage or as a helper,
// which it then is, and never returns.
func Main() {
	const arguments = 3
	if len(os.Args) != arguments || os.Args[0] != name {
		return
	}
	err := errors.New("only sbc starts this")
	if fd, nerr := strconv.Atoi(os.Args[2]); nerr == nil && sealed(fd) {
		err = work(os.Args[1], fd)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, name+":", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// sealed reports whether a descriptor is that of a memory file that nobody can
// change any more.
func sealed(fd int) bool {
	seals, err := unix.FcntlInt(uintptr(fd), unix.F_GET_SEALS, 0)
	return err == nil && seals&unix.F_SEAL_WRITE != 0
}

// work does what a role has to do, and answers if it fails. The error is one of
// the answer itself.
func work(role string, fd int) error {
	socket := fd + 1
	unix.CloseOnExec(fd)
	unix.CloseOnExec(socket)
	data, err := io.ReadAll(io.NewSectionReader(os.NewFile(uintptr(fd), "order"), 0, 1<<30))
	var o *order
	if err == nil {
		o, err = decode(data)
	}
	switch {
	case err != nil:
		err = fmt.Errorf("the order: %w", err)
	case role == asStage:
		err = onMainThread(func() error { return stage(o, fd, socket) })
	default:
		err = help(o, socket)
	}
	if err == nil {
		return nil
	}
	return send(socket, failure(err), nil)
}

// send writes one message; one that nobody waits for is none to die of.
func send(socket int, text string, rights []byte) error {
	for {
		err := unix.Sendmsg(socket, []byte(text), rights, nil, unix.MSG_NOSIGNAL)
		if !errors.Is(err, unix.EINTR) {
			return os.NewSyscallError("sendmsg", err)
		}
	}
}

// receive reads one message; it is empty when the other side has ended.
func receive(socket, flags int) (string, []byte, error) {
	const most, rights = 8 << 10, 64
	text, control := make([]byte, most), make([]byte, rights)
	for {
		n, c, _, _, err := unix.Recvmsg(socket, text, control, flags|unix.MSG_CMSG_CLOEXEC)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return "", nil, os.NewSyscallError("recvmsg", err)
		}
		return string(text[:n]), control[:c], nil
	}
}
