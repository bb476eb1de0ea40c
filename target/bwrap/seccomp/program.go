package seccomp

import "encoding/binary"

// Instruction is one instruction of classic BPF, the kernel's struct
// sock_filter (linux/filter.h).
type Instruction struct {
	Code   uint16
	JT, JF uint8 // instructions to skip when a jump's comparison is true, false
	K      uint32
}

// Program is a filter. The kernel takes at most 4,096 instructions; the
// programs of this package have about a hundred.
type Program []Instruction

// The opcodes that the programs use, each a combination of the parts in
// linux/bpf_common.h.
const (
	opLoad uint16 = 0x20 // BPF_LD|BPF_W|BPF_ABS: the 32-bit word at offset K of seccomp_data
	opAnd  uint16 = 0x54 // BPF_ALU|BPF_AND|BPF_K
	opJump uint16 = 0x05 // BPF_JMP|BPF_JA: skip K instructions
	opJEQ  uint16 = 0x15 // BPF_JMP|BPF_JEQ|BPF_K
	opJGT  uint16 = 0x25 // BPF_JMP|BPF_JGT|BPF_K
	opJGE  uint16 = 0x35 // BPF_JMP|BPF_JGE|BPF_K
	opRet  uint16 = 0x06 // BPF_RET|BPF_K
)

// Offsets in struct seccomp_data (linux/seccomp.h).
const (
	offNr   = 0
	offArch = 4
	offArgs = 16 // six times eight bytes; the low word comes first
)

// Encode returns the program as the kernel and bwrap read it: eight bytes for
// each instruction, in the byte order of both architectures (little endian),
// nothing before and nothing after.
func (p Program) Encode() []byte {
	out := make([]byte, 0, 8*len(p))
	for _, in := range p {
		out = binary.LittleEndian.AppendUint16(out, in.Code)
		out = append(out, in.JT, in.JF)
		out = binary.LittleEndian.AppendUint32(out, in.K)
	}
	return out
}
