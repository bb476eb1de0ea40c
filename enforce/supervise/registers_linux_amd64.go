package supervise

import (
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// registers are those of a stopped process.
type registers struct{ unix.PtraceRegs }

func (r *registers) get(pid int) error { return unix.PtraceGetRegs(pid, &r.PtraceRegs) }

func (r *registers) set(pid int) error { return unix.PtraceSetRegs(pid, &r.PtraceRegs) }

func (r *registers) pc() uintptr { return uintptr(r.Rip) }

func (r *registers) sp() uintptr { return uintptr(r.Rsp) }

// code loads the number, for the kernel may write to that register once more when
// it returns from the stop: mov eax, nr; syscall; int3.
func (r *registers) code(nr uintptr) []byte {
	text := []byte{0xb8, 0, 0, 0, 0, 0x0f, 0x05, 0xcc}
	binary.LittleEndian.PutUint32(text[1:], uint32(nr))
	return text
}

// prepare sets the arguments (syscall(2)).
func (r *registers) prepare(_ uintptr, a, b, c uint64) {
	r.Rdi, r.Rsi, r.Rdx = a, b, c
	r.Orig_rax = ^uint64(0) // no call is to be begun again
}

func (r *registers) result() int64 { return int64(r.Rax) }
