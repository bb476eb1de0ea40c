package supervise

import (
	"golang.org/x/sys/unix"

	"github.com/sandboxc/sbc/target/bwrap/seccomp"
)

// Offsets in struct seccomp_data (linux/seccomp.h).
const (
	atNumber = 0
	atArch   = 4
	atArgs   = 16
)

// x32 is the bit in the numbers of x32 (asm/unistd.h).
const x32 = 0x40000000

// filter is the program that answers the calls of a configuration with an action:
// most often that they are held. Calls that could bring a name into being in another
// way do not exist (ENOSYS), as on an older kernel: programs then take one that
// does.
func filter(arch seccomp.Arch, cfg *Config, action uint32) []unix.SockFilter {
	const missing = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	p := program{
		load(atArch),
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: 1, K: arch.Audit().N},
		ret(missing),
		load(atNumber),
		{Code: unix.BPF_JMP | unix.BPF_JGE | unix.BPF_K, Jf: 1, K: x32},
		ret(missing),
	}
	for _, name := range []string{"openat2", "io_uring_setup", "io_uring_enter", "io_uring_register"} {
		p.on(arch, name, ret(missing))
	}
	p.on(arch, "ioctl", subvolumes()...)
	for i := range calls {
		k := &calls[i]
		if !k.wanted(cfg) {
			continue
		}
		if k.flags == 0 {
			p.on(arch, k.name, ret(action))
			continue
		}
		held := unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, Jt: 0, Jf: 1, K: unix.O_CREAT}
		if cfg.Opens {
			held = unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JA, K: 0}
		}
		p.on(arch, k.name,
			load(uint32(atArgs+8*k.flags)),
			unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, Jt: 2, Jf: 0, K: unix.O_PATH}, // opens nothing
			held,
			ret(action),
			ret(unix.SECCOMP_RET_ALLOW),
		)
	}
	return append(p, ret(unix.SECCOMP_RET_ALLOW))
}

// subvolumes refuses the requests that make, or take away, a directory on btrfs and
// bcachefs (linux/btrfs.h; bcachefs_ioctl.h): they carry its name.
func subvolumes() []unix.SockFilter {
	requests := []uint32{
		0x50009401, 0x5000940e, 0x5000940f, // SNAP_CREATE, SUBVOL_CREATE, SNAP_DESTROY
		0x50009417, 0x50009418, 0x5000943f, // SNAP_CREATE_V2, SUBVOL_CREATE_V2, SNAP_DESTROY_V2
		0x4020bc10, 0x4020bc11, // SUBVOLUME_CREATE, SUBVOLUME_DESTROY
	}
	out := []unix.SockFilter{load(atArgs + 8)}
	for i, r := range requests {
		out = append(out, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jt: uint8(len(requests) - i), K: r})
	}
	return append(out, ret(unix.SECCOMP_RET_ALLOW), ret(unix.SECCOMP_RET_ERRNO|uint32(unix.EPERM)))
}

type program []unix.SockFilter

// on adds what is done about a call; the number is loaded, and is not after it.
func (p *program) on(arch seccomp.Arch, name string, do ...unix.SockFilter) {
	if nr, ok := seccomp.Number(arch, name); ok {
		*p = append(*p, unix.SockFilter{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, Jf: uint8(len(do)), K: nr})
		*p = append(*p, do...)
	}
}

func ret(action uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: action}
}

func load(offset uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
}
