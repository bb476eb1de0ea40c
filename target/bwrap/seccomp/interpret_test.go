package seccomp_test

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/sandboxc/sbc/target/bwrap/seccomp"
)

// interpret runs an encoded filter over a call as the kernel does. It is
// written from the kernel's description of classic BPF and shares nothing with
// the package but the layout of Call.
func interpret(code []byte, c seccomp.Call) (uint32, error) {
	if err := kernelAccepts(code); err != nil {
		return 0, err
	}
	var data [64]byte
	binary.LittleEndian.PutUint32(data[0:], c.Nr)
	binary.LittleEndian.PutUint32(data[4:], c.Arch)
	for i, v := range c.Args {
		binary.LittleEndian.PutUint64(data[16+8*i:], v)
	}
	var acc uint32
	for pc := 0; pc < len(code)/8; pc++ {
		in := code[8*pc : 8*pc+8]
		op, jt, jf := binary.LittleEndian.Uint16(in), int(in[2]), int(in[3])
		k := binary.LittleEndian.Uint32(in[4:])
		jump := func(yes bool) int {
			if yes {
				return jt
			}
			return jf
		}
		switch op {
		case 0x20:
			acc = binary.LittleEndian.Uint32(data[k:])
		case 0x54:
			acc &= k
		case 0x05:
			pc += int(k)
		case 0x15:
			pc += jump(acc == k)
		case 0x25:
			pc += jump(acc > k)
		case 0x35:
			pc += jump(acc >= k)
		case 0x06:
			return k, nil
		}
	}
	return 0, errors.New("ran off the end")
}

// kernelAccepts checks what the kernel checks before it takes a filter:
// bpf_check_classic and seccomp_check_filter, for the operations used here.
func kernelAccepts(code []byte) error {
	n := len(code) / 8
	if len(code)%8 != 0 || n == 0 || n > 4096 {
		return fmt.Errorf("length %d", len(code))
	}
	for pc := range n {
		in := code[8*pc : 8*pc+8]
		op, jt, jf := binary.LittleEndian.Uint16(in), int(in[2]), int(in[3])
		k := binary.LittleEndian.Uint32(in[4:])
		switch op {
		case 0x20:
			if k%4 != 0 || k >= 64 {
				return fmt.Errorf("%d: load at %d", pc, k)
			}
		case 0x54, 0x06:
		case 0x05:
			if uint64(pc)+1+uint64(k) >= uint64(n) {
				return fmt.Errorf("%d: jump outside", pc)
			}
		case 0x15, 0x25, 0x35:
			if pc+1+jt >= n || pc+1+jf >= n {
				return fmt.Errorf("%d: jump outside", pc)
			}
		default:
			return fmt.Errorf("%d: operation %#x", pc, op)
		}
	}
	if last := binary.LittleEndian.Uint16(code[8*(n-1):]); last != 0x06 {
		return fmt.Errorf("ends with %#x, not with a return", last)
	}
	return nil
}
