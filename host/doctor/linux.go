package doctor

import (
	"context"

	"github.com/sandboxc/sbc/host"
)

// linux makes the checks of Linux.
func linux(ctx context.Context, f host.Facts, m Machine) []Check {
	checks := []Check{present(f.Bwrap)}
	if f.Bwrap != nil {
		checks = append(checks, version(f.Bwrap), flags(f.Bwrap), optionalFlags(f.Bwrap))
	}
	return append(append(checks, starts(ctx, f, m)...), supervise(f, m), landlock(m), cgroup(m))
}

// starts makes the checks that start bubblewrap. If it does not even start with
// a user namespace and nothing else, the others are not made.
func starts(ctx context.Context, f host.Facts, m Machine) []Check {
	if f.Bwrap == nil {
		return notMade("bubblewrap is missing", "user namespace", "namespaces", "proc", "dev", "network", "seccomp", "nested namespaces", "cve-2026-87766")
	}
	s := starter{run: m.Sources.Runner, bwrap: f.Bwrap}
	first := s.check(ctx, "user namespace", "A sandbox with a user namespace of its own starts.")
	first = explainSysctls(first, f.UID, m.Sources.ReadFile)
	if first.Status != OK {
		return append([]Check{first}, notMade("a user namespace is needed", "namespaces", "proc", "dev", "network", "seccomp", "nested namespaces", "cve-2026-87766")...)
	}
	return []Check{
		first,
		s.check(ctx, "namespaces", "It can have its own processes, IPC, host name and cgroup root.",
			"--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"),
		s.check(ctx, "proc", "It can have its own /proc.", "--unshare-pid", "--proc", "/proc"),
		s.check(ctx, "dev", "It can have its own /dev.", "--dev", "/dev"),
		s.check(ctx, "network", "It can have its own network.", "--unshare-net"),
		seccomp(ctx, s, f.Arch),
		nested(ctx, s),
		cve(ctx, s, f, m),
	}
}

// notMade lists checks that could not be made.
func notMade(why string, names ...string) []Check {
	checks := make([]Check, len(names))
	for i, name := range names {
		checks[i] = Check{Name: name, Status: Unknown, Detail: "Not asked: " + why + "."}
	}
	return checks
}
