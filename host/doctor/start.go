package doctor

import (
	"context"
	"encoding/binary"
	"fmt"
	"strings"
	"time"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir/diag"
)

// startTimeout is how long one start may take. It takes milliseconds.
const startTimeout = 10 * time.Second

// starter starts bubblewrap with itself inside.
type starter struct {
	run   host.Runner
	bwrap *host.Bwrap
}

// start runs a sandbox that sees the whole file system read-only, as every
// sandbox of sbc does without capabilities, and with more options.
func (s starter) start(ctx context.Context, files [][]byte, more ...string) (host.Output, error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	args := append([]string{"--unshare-user", "--cap-drop", "ALL", "--ro-bind", "/", "/"}, more...)
	args = append(args, "--", s.bwrap.Path, "--version")
	return s.run.Run(ctx, host.Command{Path: s.bwrap.Path, Args: args, Files: files})
}

// check makes a check of one start without files.
func (s starter) check(ctx context.Context, name, detail string, more ...string) Check {
	return s.checkWith(ctx, name, detail, nil, more...)
}

// checkWith makes a check of one start; detail is what is true if it succeeds.
func (s starter) checkWith(ctx context.Context, name, detail string, files [][]byte, more ...string) Check {
	out, err := s.start(ctx, files, more...)
	if err == nil && out.Code == 0 {
		return Check{Name: name, Status: OK, Detail: detail}
	}
	c := Check{Name: name, Status: Fail}
	if err != nil {
		c.Code, c.Detail = diag.CodeStartFailed, fmt.Sprintf("bubblewrap cannot be started: %v.", err)
		return c
	}
	f := classify(string(out.Stderr))
	c.Code, c.Detail, c.Remedy = f.code, f.meaning+" "+said(out), f.remedy
	return c
}

// said quotes what bubblewrap printed.
func said(out host.Output) string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(out.Stderr)), "\n")
	if line == "" {
		return fmt.Sprintf("It ended with status %d and said nothing.", out.Code)
	}
	return fmt.Sprintf("It said %q.", line)
}

// execve is the number of that system call, by GOARCH.
func execve(arch string) (uint32, bool) {
	switch arch {
	case "amd64":
		return 59, true
	case "arm64":
		return 221, true
	}
	return 0, false
}

// seccomp loads one program that permits everything, which must start, and one
// that refuses execve, which must not: a kernel that takes a program and does
// not run it would be worse than none.
func seccomp(ctx context.Context, s starter, arch string) Check {
	const (
		load, jumpEqual, ret = 0x20, 0x15, 0x06 // BPF_LD|BPF_W|BPF_ABS, BPF_JMP|BPF_JEQ|BPF_K, BPF_RET|BPF_K
		allow, refuse        = 0x7fff0000, 0x00050001
	)
	c := s.checkWith(ctx, "seccomp", "System calls can be filtered.", [][]byte{program(bpf{code: ret, k: allow})}, "--seccomp", "3")
	number, known := execve(arch)
	if c.Status != OK || !known {
		return c
	}
	// The first word of struct seccomp_data is the number of the call.
	refusing := program(bpf{code: load}, bpf{code: jumpEqual, jf: 1, k: number}, bpf{code: ret, k: refuse}, bpf{code: ret, k: allow})
	out, err := s.start(ctx, [][]byte{refusing}, "--seccomp", "3")
	if err == nil && out.Code == 0 {
		c.Status, c.Code = Fail, diag.CodeSeccompMissing
		c.Detail = "A seccomp program is taken but does nothing."
		c.Remedy = "Use a kernel that has seccomp filters (CONFIG_SECCOMP_FILTER)."
	}
	return c
}

// bpf is one instruction, struct sock_filter of linux/filter.h.
type bpf struct {
	code   uint16
	jt, jf uint8
	k      uint32
}

func program(instructions ...bpf) []byte {
	var out []byte
	for _, i := range instructions {
		out = binary.NativeEndian.AppendUint16(out, i.code)
		out = append(out, i.jt, i.jf)
		out = binary.NativeEndian.AppendUint32(out, i.k)
	}
	return out
}

// nested turns user namespaces off inside of the sandbox.
func nested(ctx context.Context, s starter) Check {
	if !s.bwrap.Has("--disable-userns") {
		return notMade("bubblewrap has no --disable-userns", "nested namespaces")[0]
	}
	return s.check(ctx, "nested namespaces", "User namespaces can be turned off inside.", "--disable-userns")
}
