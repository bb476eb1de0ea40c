package supervise

import (
	"errors"
	"fmt"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/sandboxc/sbc/enforce/trace"
	"github.com/sandboxc/sbc/target/bwrap/seccomp"
)

// Install puts the filter into a process and begins to supervise it and all that
// it will start. The process must be traced by the calling thread and be stopped,
// with no_new_privs set; it is as it was afterwards, and still stopped.
func Install(pid int, cfg Config) (*Supervisor, error) {
	arch, ok := seccomp.ArchOf(runtime.GOARCH)
	if !ok {
		return nil, fmt.Errorf("cannot supervise on %s: its system calls are not known", runtime.GOARCH)
	}
	s := &Supervisor{cfg: cfg, kinds: map[int32]*kind{}, store: trace.NewStore(cfg.Max)}
	for i := range calls {
		if nr, ok := seccomp.Number(arch, calls[i].name); ok {
			s.kinds[int32(nr)] = &calls[i]
		}
	}
	var err error
	if s.listener, err = listen(pid, filter(arch, &cfg, unix.SECCOMP_RET_USER_NOTIF)); err != nil {
		return nil, err
	}
	s.root, err = unix.Open("/proc/"+itoa(pid)+"/root", unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		_ = unix.Close(s.listener)
		return nil, fmt.Errorf("open the root of the sandbox: %w", err)
	}
	if err := s.begin(); err != nil {
		s.Close()
		return nil, fmt.Errorf("prepare a thread: %w", err)
	}
	return s, nil
}

// Confine makes a process unable to make a name at all: the first one of the
// sandbox, which waits for the others and makes none, but which they may write to
// (/proc/1/mem, proc_pid_mem(5)), so that it would make names for them. It must be
// traced by the calling thread and be stopped since it has forked; it is still
// stopped afterwards.
func Confine(pid int, cfg Config) error {
	arch, ok := seccomp.ArchOf(runtime.GOARCH)
	if !ok {
		return fmt.Errorf("cannot supervise on %s: its system calls are not known", runtime.GOARCH)
	}
	cfg.Removals, cfg.Sockets = true, true
	// The call that it is in gives it a result yet.
	if err := unix.PtraceSyscall(pid, 0); err != nil {
		return err
	}
	if err := (&injection{pid: pid}).trap(); err != nil {
		return err
	}
	in, err := inject(pid)
	if err != nil {
		return err
	}
	defer in.close()
	addr, err := in.program(filter(arch, &cfg, unix.SECCOMP_RET_ERRNO|uint32(unix.EPERM)))
	if err != nil {
		return err
	}
	if _, err := in.call(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, addr); err != nil {
		return fmt.Errorf("refuse its system calls: %w", err)
	}
	return in.restore()
}

// Flags of SECCOMP_SET_MODE_FILTER (linux/seccomp.h).
const (
	newListener      = 1 << 3
	waitKillableRecv = 1 << 5 // Linux 5.19
)

// listen makes a process load a filter, and takes its listener away from it.
func listen(pid int, prog []unix.SockFilter) (int, error) {
	in, err := inject(pid)
	if err != nil {
		return -1, err
	}
	defer in.close()
	addr, err := in.program(prog)
	if err != nil {
		return -1, err
	}
	fd, err := in.call(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, newListener|waitKillableRecv, addr)
	if err != nil {
		return -1, fmt.Errorf("hold its system calls: %w", err)
	}
	pidfd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return -1, err
	}
	defer func() { _ = unix.Close(pidfd) }()
	listener, err := unix.PidfdGetfd(pidfd, int(fd), 0)
	if err != nil {
		return -1, fmt.Errorf("take the listener: %w", err)
	}
	if _, err := in.call(unix.SYS_CLOSE, fd, 0, 0); err != nil {
		_ = unix.Close(listener)
		return -1, fmt.Errorf("close the listener inside: %w", err)
	}
	if err := in.restore(); err != nil {
		_ = unix.Close(listener)
		return -1, err
	}
	return listener, nil
}

// injection is a process that makes system calls on behalf of this one.
type injection struct {
	pid  int
	regs registers
	at   uintptr
	text []byte // what stood there
	sigs []unix.Signal
	live bool
}

func inject(pid int) (*injection, error) {
	in := &injection{pid: pid}
	if err := in.regs.get(pid); err != nil {
		return nil, fmt.Errorf("read its registers: %w", err)
	}
	in.at = in.regs.pc()
	in.text = make([]byte, len(in.regs.code(0)))
	if _, err := unix.PtracePeekData(pid, in.at, in.text); err != nil {
		return nil, fmt.Errorf("read its program: %w", err)
	}
	in.live = true
	return in, nil
}

// program writes a filter beneath the stack pointer, where nothing is kept, and
// returns where its struct sock_fprog is.
func (in *injection) program(prog []unix.SockFilter) (uint64, error) {
	const red = 512 // more than any red zone
	const each = int(unsafe.Sizeof(unix.SockFilter{}))
	size := len(prog) * each
	sp := (in.regs.sp() - uintptr(red+size+16)) &^ 15
	data := make([]byte, 16, 16+size)
	*(*uint16)(unsafe.Pointer(&data[0])) = uint16(len(prog))                      //nolint:gosec // G103: struct sock_fprog
	*(*uint64)(unsafe.Pointer(&data[8])) = uint64(sp) + 16                        //nolint:gosec // G103: struct sock_fprog
	data = append(data, unsafe.Slice((*byte)(unsafe.Pointer(&prog[0])), size)...) //nolint:gosec // G103: struct sock_filter
	if _, err := unix.PtracePokeData(in.pid, sp, data); err != nil {
		return 0, fmt.Errorf("write a filter: %w", err)
	}
	return uint64(sp), nil
}

// call makes the process call the kernel.
func (in *injection) call(nr uintptr, a, b, c uint64) (uint64, error) {
	if _, err := unix.PtracePokeText(in.pid, in.at, in.regs.code(nr)); err != nil {
		return 0, fmt.Errorf("write to its program: %w", err)
	}
	regs := in.regs
	regs.prepare(nr, a, b, c)
	if err := regs.set(in.pid); err != nil {
		return 0, fmt.Errorf("set its registers: %w", err)
	}
	if err := unix.PtraceCont(in.pid, 0); err != nil {
		return 0, err
	}
	if err := in.trap(); err != nil {
		return 0, err
	}
	if err := regs.get(in.pid); err != nil {
		return 0, err
	}
	if out := regs.result(); out < 0 && out > -4096 {
		return 0, unix.Errno(-out)
	}
	return uint64(regs.result()), nil
}

// errEnded says that the process has been killed meanwhile.
var errEnded = errors.New("it has been killed")

// trap waits for the trap after the call. Signals come later.
func (in *injection) trap() error {
	for {
		var status unix.WaitStatus
		_, err := unix.Wait4(in.pid, &status, unix.WALL, nil)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return err
		case !status.Stopped():
			in.live = false
			return errEnded
		case status.StopSignal() == unix.SIGTRAP:
			return nil
		}
		in.sigs = append(in.sigs, status.StopSignal())
		if err := unix.PtraceCont(in.pid, 0); err != nil {
			return err
		}
	}
}

// restore makes the process what it was.
func (in *injection) restore() error {
	in.live = false
	if _, err := unix.PtracePokeText(in.pid, in.at, in.text); err != nil {
		return fmt.Errorf("restore its program: %w", err)
	}
	if err := in.regs.set(in.pid); err != nil {
		return fmt.Errorf("restore its registers: %w", err)
	}
	for _, sig := range in.sigs {
		_ = unix.Kill(in.pid, sig)
	}
	return nil
}

func (in *injection) close() {
	if in.live {
		_ = in.restore()
	}
}
