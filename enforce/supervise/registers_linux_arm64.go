package supervise

import (
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// ntPrstatus is NT_PRSTATUS (linux/elf.h).
const ntPrstatus = 1

// registers are those of a stopped process.
type registers struct{ unix.PtraceRegsArm64 }

func (r *registers) get(pid int) error {
	return unix.PtraceGetRegSetArm64(pid, ntPrstatus, &r.PtraceRegsArm64)
}

func (r *registers) set(pid int) error {
	return unix.PtraceSetRegSetArm64(pid, ntPrstatus, &r.PtraceRegsArm64)
}

func (r *registers) pc() uintptr { return uintptr(r.Pc) }

func (r *registers) sp() uintptr { return uintptr(r.Sp) }

// code loads the first argument, for the kernel may write to that register once
// more when it returns from the stop: mov x0, x9; svc #0; brk #0.
func (r *registers) code(uintptr) []byte {
	text := make([]byte, 0, 16)
	for _, word := range []uint32{0xaa0903e0, 0xd4000001, 0xd4200000, 0xd4200000} {
		text = binary.LittleEndian.AppendUint32(text, word)
	}
	return text
}

// prepare sets the number and the arguments (syscall(2)).
func (r *registers) prepare(nr uintptr, a, b, c uint64) {
	r.Regs[8], r.Regs[9], r.Regs[1], r.Regs[2] = uint64(nr), a, b, c
}

func (r *registers) result() int64 { return int64(r.Regs[0]) } //nolint:gosec // G115: it is signed
