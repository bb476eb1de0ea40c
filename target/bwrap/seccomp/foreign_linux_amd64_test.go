package seccomp_test

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// foreignCase is a call through the 32-bit entry of an x86_64 kernel, which is
// there unless the kernel was built or started without it.
func foreignCase() []kernelCase {
	return []kernelCase{{probe: "int 0x80", control: []string{"ok"}, closed: "status 159"}} // 128 + SIGSYS
}

// foreignProbes makes that call: getpid, number 20 there.
func foreignProbes() map[string]func() error {
	return map[string]func() error{"int 0x80": func() error {
		page, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
		if err != nil {
			return fmt.Errorf("mmap: %v", err)
		}
		copy(page, []byte{
			0xb8, 20, 0, 0, 0, // mov eax, 20
			0xcd, 0x80, // int 0x80
			0xc3, // ret: the result of a Go function is in rax
		})
		if err := unix.Mprotect(page, unix.PROT_READ|unix.PROT_EXEC); err != nil {
			return fmt.Errorf("mprotect: %v", err)
		}
		code := uintptr(unsafe.Pointer(&page[0]))
		closure := &code // a Go function value points to the address of its code
		getpid := *(*func() uintptr)(unsafe.Pointer(&closure))
		if got := getpid(); got != uintptr(os.Getpid()) {
			return fmt.Errorf("getpid returned %d, want %d", got, os.Getpid())
		}
		return nil
	}}
}
