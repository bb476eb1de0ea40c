package seccomp

import "fmt"

// Arch is a processor architecture that a filter can be built for. The zero
// value is no architecture.
type Arch uint8

// The architectures: 64-bit, little endian.
const (
	AMD64 Arch = iota + 1 // x86_64
	ARM64                 // aarch64
)

// Arches returns every architecture, in the order of their constants.
func Arches() []Arch { return []Arch{AMD64, ARM64} }

// ArchOf returns the architecture that Go calls goarch ("amd64", "arm64"); ok
// is false for every other name.
func ArchOf(goarch string) (a Arch, ok bool) {
	for _, a := range Arches() {
		if a.String() == goarch {
			return a, true
		}
	}
	return 0, false
}

// String returns Go's name for the architecture.
func (a Arch) String() string {
	switch a {
	case AMD64:
		return "amd64"
	case ARM64:
		return "arm64"
	default:
		return fmt.Sprintf("Arch(%d)", uint8(a))
	}
}

// Audit returns the AUDIT_ARCH_* value that the kernel puts into seccomp_data
// for a native call of the architecture (linux/audit.h), or 0 if a is not one
// of the constants.
func (a Arch) Audit() Value {
	switch a {
	case AMD64:
		return Value{"AUDIT_ARCH_X86_64", 0xc000003e}
	case ARM64:
		return Value{"AUDIT_ARCH_AARCH64", 0xc00000b7}
	default:
		return Value{}
	}
}

// span is a run of system call numbers, both ends included.
type span struct{ first, last uint32 }

// spans returns the numbers that mean something on the architecture up to
// Linux 7.2. The gaps are numbers that no kernel has given out: on x86_64 those
// between its own calls and the ones that all architectures number alike, on
// aarch64 those of calls that only 32-bit or other processors have.
func (a Arch) spans() []span {
	switch a {
	case AMD64:
		return []span{{0, 336}, {424, 471}}
	case ARM64:
		return []span{{0, 243}, {260, 294}, {424, 471}}
	default:
		return nil
	}
}

// x32Bit marks a call of the x32 ABI on x86_64: such calls carry the same
// AUDIT_ARCH value as 64-bit ones and differ in this bit only (asm/unistd.h,
// __X32_SYSCALL_BIT).
const x32Bit = 0x40000000
