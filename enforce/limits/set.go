package limits

import (
	"math"
	"time"

	"github.com/sandboxc/sbc/target/bwrap"
)

// Set is the limits of a policy that are kept on processes. 0 means no limit.
type Set struct {
	CPU      time.Duration // processor time
	Memory   int64         // bytes
	Procs    int64         // processes and threads
	Open     int64         // open files
	FileSize int64         // bytes
}

// Of returns the limits of a plan.
func Of(p *bwrap.Plan) Set {
	return Set{CPU: p.CPU, Memory: p.Memory, Procs: p.Procs, Open: p.Open, FileSize: p.FileSize}
}

// Resource is a limit that the kernel keeps for a process.
type Resource string

// The resources, with the names of getrlimit(2).
const (
	Core     Resource = "RLIMIT_CORE"
	CPU      Resource = "RLIMIT_CPU"
	Memory   Resource = "RLIMIT_AS"
	Procs    Resource = "RLIMIT_NPROC"
	Open     Resource = "RLIMIT_NOFILE"
	FileSize Resource = "RLIMIT_FSIZE"
)

// Infinity is the value of a resource that has no limit.
const Infinity uint64 = math.MaxUint64

// Rlimit is a resource limit. What exceeds Soft fails, or gets a signal; a
// process may raise Soft up to Hard, and Hard never.
type Rlimit struct {
	Resource   Resource
	Soft, Hard uint64
}

// Rlimits returns the resource limits that keep the set. Core dumps are always
// off. With a control group, memory and processes are left to it: it counts what
// is used, and not what is mapped or who owns it.
func (s Set) Rlimits(group bool) []Rlimit {
	out := []Rlimit{{Core, 0, 0}}
	add := func(r Resource, n uint64) {
		if n > 0 {
			out = append(out, Rlimit{r, n, n})
		}
	}
	if n := s.seconds(); n > 0 {
		// SIGXCPU at the limit, and SIGKILL a second later.
		out = append(out, Rlimit{CPU, n, n + 1})
	}
	if !group {
		add(Memory, uint64(max(0, s.Memory)))
		add(Procs, s.procs())
	}
	add(Open, uint64(max(0, s.Open)))
	add(FileSize, uint64(max(0, s.FileSize)))
	return out
}

// seconds is the processor time, rounded up: the kernel counts whole seconds.
func (s Set) seconds() uint64 {
	return uint64(max(0, (s.CPU+time.Second-1)/time.Second))
}

// procs is what the kernel counts for the limit on processes: the command's own,
// and process 1 of the sandbox.
func (s Set) procs() uint64 {
	if s.Procs <= 0 {
		return 0
	}
	return uint64(s.Procs) + 1
}

// Lower returns the limits with none above the hard limit that is in force for
// this process: only root could raise it.
func Lower(lims []Rlimit, hard map[Resource]uint64) []Rlimit {
	out := make([]Rlimit, 0, len(lims))
	for _, l := range lims {
		if h, ok := hard[l.Resource]; ok {
			l.Soft, l.Hard = min(l.Soft, h), min(l.Hard, h)
		}
		out = append(out, l)
	}
	return out
}
