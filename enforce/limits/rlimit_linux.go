package limits

import (
	"fmt"

	"golang.org/x/sys/unix"
)

var numbers = map[Resource]int{
	Core:     unix.RLIMIT_CORE,
	CPU:      unix.RLIMIT_CPU,
	Memory:   unix.RLIMIT_AS,
	Procs:    unix.RLIMIT_NPROC,
	Open:     unix.RLIMIT_NOFILE,
	FileSize: unix.RLIMIT_FSIZE,
}

// Hard returns the hard limits that are in force for this process.
func Hard() (map[Resource]uint64, error) {
	hard := make(map[Resource]uint64, len(numbers))
	for r, n := range numbers {
		var old unix.Rlimit
		if err := unix.Prlimit(0, n, nil, &old); err != nil {
			return nil, fmt.Errorf("read %s: %w", r, err)
		}
		hard[r] = old.Max
	}
	return hard, nil
}

// Apply sets limits on a process (prlimit(2)). A limit above the hard limit in
// force for it is lowered to that.
func Apply(pid int, lims []Rlimit) error {
	for _, l := range lims {
		n, ok := numbers[l.Resource]
		if !ok {
			return fmt.Errorf("no limit is called %q", l.Resource)
		}
		var old unix.Rlimit
		if err := unix.Prlimit(pid, n, nil, &old); err != nil {
			return fmt.Errorf("read %s: %w", l.Resource, err)
		}
		now := unix.Rlimit{Cur: min(l.Soft, old.Max), Max: min(l.Hard, old.Max)}
		if err := unix.Prlimit(pid, n, &now, nil); err != nil {
			return fmt.Errorf("set %s to %d: %w", l.Resource, now.Cur, err)
		}
	}
	return nil
}

// PerSandbox reports whether the kernel counts the processes of each user
// namespace by themselves for RLIMIT_NPROC, as Linux 5.14 and later do: then the
// limit of a sandbox, which has its own, binds that sandbox alone.
func PerSandbox() bool {
	var u unix.Utsname
	if err := unix.Uname(&u); err != nil {
		return false
	}
	return Newer(unix.ByteSliceToString(u.Release[:]), 5, 14)
}
