package launch

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/sandboxc/sbc/target/bwrap"
)

// MaxArgs is how many arguments bubblewrap takes, options and command together.
const MaxArgs = 9000

// check refuses what could only fail later, or mean something else than it says.
func (s *Spec) check() error {
	switch {
	case s.Artifact == nil:
		return errors.New("no artifact to run a command under")
	case !path.IsAbs(s.Bwrap):
		return fmt.Errorf("the path of bubblewrap must be absolute, not %q", s.Bwrap)
	case len(s.Command) == 0 || !path.IsAbs(s.Command[0]):
		return fmt.Errorf("the command must begin with an absolute path, not %q", s.Command)
	case s.Dir != "" && !path.IsAbs(s.Dir):
		return fmt.Errorf("the working directory must be absolute, not %q", s.Dir)
	case s.Terminal != nil && s.Artifact.Plan.NewSession:
		return errors.New("the policy gives the command no terminal")
	}
	return nil
}

// argv is bubblewrap's own command line. Everything but the command stands in
// the options on the descriptor.
func (s *Spec) argv() []string {
	return append([]string{"bwrap", "--args", strconv.Itoa(bwrap.ArgsFD), "--"}, s.Command...)
}

// options are bubblewrap's options, NUL after each.
func (s *Spec) options() ([]byte, error) {
	dir := s.Dir
	if dir == "" {
		dir = "/"
	}
	front := []string{"--chdir", dir}
	if s.Terminal == nil && !s.Artifact.Plan.NewSession {
		front = append(front, "--new-session")
	}
	front = append(front, s.reportOptions()...)
	descriptors := map[string]int{}
	for i, path := range s.sources() {
		descriptors[path] = bwrap.MaskFD + s.Artifact.Plan.Masks + i
	}
	plan := s.Artifact.Plan.ArgsHeld(descriptors)
	const own = 3 // --args, its value, and --
	if n := len(front) + len(plan) + len(s.Command) + own; n > MaxArgs {
		return nil, fmt.Errorf("%d arguments; bubblewrap takes %d", n, MaxArgs)
	}
	var b strings.Builder
	for _, list := range [][]string{front, plan} {
		for _, a := range list {
			if strings.IndexByte(a, 0) >= 0 {
				return nil, fmt.Errorf("the option %q has a NUL byte", a)
			}
			b.WriteString(a)
			b.WriteByte(0)
		}
	}
	return []byte(b.String()), nil
}

// sealed returns a memory file that holds data, can be read from its beginning,
// and can be changed by nobody (memfd_create(2)).
func sealed(name string, data []byte) (int, error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return -1, os.NewSyscallError("memfd_create", err)
	}
	for off := 0; off < len(data); {
		n, err := unix.Pwrite(fd, data[off:], int64(off))
		if err != nil {
			_ = unix.Close(fd)
			return -1, os.NewSyscallError("write", err)
		}
		off += n
	}
	const seals = unix.F_SEAL_SEAL | unix.F_SEAL_SHRINK | unix.F_SEAL_GROW | unix.F_SEAL_WRITE
	if _, err := unix.FcntlInt(uintptr(fd), unix.F_ADD_SEALS, seals); err != nil {
		_ = unix.Close(fd)
		return -1, os.NewSyscallError("fcntl", err)
	}
	return fd, nil
}

// inputs are the descriptors of bubblewrap in order, the standard streams first.
type inputs struct {
	files []uintptr
	own   []int
}

func (in *inputs) close() {
	for _, fd := range in.own {
		_ = unix.Close(fd)
	}
}

// inputs opens everything that bubblewrap reads. All masks are the same empty
// file: reading it does not move it, and each gets a descriptor of its own in
// the child.
func (s *Spec) inputs() (*inputs, error) {
	in := &inputs{}
	if err := s.open(in); err != nil {
		in.close()
		return nil, err
	}
	return in, nil
}

func (s *Spec) open(in *inputs) error {
	options, err := s.options()
	if err != nil {
		return err
	}
	null := -1
	for _, f := range []*os.File{s.Stdin, s.Stdout, s.Stderr} {
		if f != nil {
			in.files = append(in.files, f.Fd())
			continue
		}
		if null < 0 {
			if null, err = unix.Open("/dev/null", unix.O_RDWR|unix.O_CLOEXEC, 0); err != nil {
				return &os.PathError{Op: "open", Path: "/dev/null", Err: err}
			}
			in.own = append(in.own, null)
		}
		in.files = append(in.files, uintptr(null))
	}
	contents := [][]byte{s.Artifact.Seccomp, options}
	if s.Artifact.Plan.Masks > 0 {
		contents = append(contents, nil)
	}
	for _, data := range contents {
		fd, err := sealed("sbc", data)
		if err != nil {
			return err
		}
		in.own = append(in.own, fd)
		in.files = append(in.files, uintptr(fd))
	}
	for range s.Artifact.Plan.Masks - 1 {
		in.files = append(in.files, in.files[bwrap.MaskFD])
	}
	for _, path := range s.sources() {
		in.files = append(in.files, s.Sources[path].Fd())
	}
	return nil
}

// sources are the paths of the sources that are passed by descriptor, in the
// order of the descriptors.
func (s *Spec) sources() []string { return slices.Sorted(maps.Keys(s.Sources)) }

// closeInherited makes the kernel close, in whatever this process executes,
// every descriptor that it was itself started with. Go opens all others that
// way. CLOSE_RANGE_CLOEXEC is of Linux 5.11.
func closeInherited() error {
	const first = 3
	err := unix.CloseRange(first, ^uint(0)>>1&0x7fffffff, unix.CLOSE_RANGE_CLOEXEC)
	if err == nil {
		return nil
	}
	dir, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return err
	}
	for _, e := range dir {
		if fd, err := strconv.Atoi(e.Name()); err == nil && fd >= first {
			unix.CloseOnExec(fd)
		}
	}
	return nil
}
