package limits

import (
	"fmt"
	"strconv"
)

// Mechanism is what keeps a limit.
type Mechanism string

// The mechanisms, besides the resources of getrlimit(2), which are called by
// their names.
const (
	None   Mechanism = "none"
	Cgroup Mechanism = "cgroup"
)

// Enforced says how a limit of a policy is kept.
type Enforced struct {
	// Limit is its name in the policy's language: "memory".
	Limit string
	// Mechanism keeps it; None if nothing does.
	Mechanism Mechanism
	// Value is what is really in force, which a smaller hard limit of the caller
	// may have lowered: seconds, bytes or a number.
	Value uint64
	// Covers says in a sentence what the mechanism counts, and what it does not.
	Covers string
}

// Conditions are what a limit's meaning depends on besides the policy.
type Conditions struct {
	Group bool                // a control group was made
	Root  bool                // the command runs with root's user id on the host
	Hard  map[Resource]uint64 // the hard limits in force; see [Hard]
	// PerSandbox is set if the kernel counts the processes of each user
	// namespace by themselves; see [PerSandbox].
	PerSandbox bool
}

// Enforced lists the limits that are set, in the order of the language's
// reference.
func (s Set) Enforced(c Conditions) []Enforced {
	var out []Enforced
	add := func(limit string, n int64, e Enforced) {
		if n <= 0 {
			return
		}
		e.Limit = limit
		if hard, ok := c.Hard[Resource(e.Mechanism)]; ok && hard < e.Value {
			e.Value = hard
			e.Covers += "; the hard limit that was in force already is smaller: " + strconv.FormatUint(hard, 10)
		}
		out = append(out, e)
	}
	add("cpu", int64(s.CPU), Enforced{
		Mechanism: Mechanism(CPU), Value: s.seconds(),
		Covers: "each process by itself, in whole seconds; the sum over processes is not limited",
	})
	add("memory", s.Memory, s.memory(c))
	add("processes", s.Procs, s.processes(c))
	add("open_files", s.Open, Enforced{
		Mechanism: Mechanism(Open), Value: uint64(max(0, s.Open)),
		Covers: "each process by itself",
	})
	add("file_size", s.FileSize, Enforced{
		Mechanism: Mechanism(FileSize), Value: uint64(max(0, s.FileSize)),
		Covers: "each file by itself; how many are written is not limited",
	})
	return out
}

func (s Set) memory(c Conditions) Enforced {
	e := Enforced{
		Mechanism: Mechanism(Memory), Value: uint64(max(0, s.Memory)),
		Covers: "the address space of each process by itself, used or not; the sum over processes, and files in private storage, are not limited",
	}
	if c.Group {
		e.Mechanism, e.Covers = Cgroup, "what all processes of the command use together, page cache and private storage included"
	}
	return e
}

func (s Set) processes(c Conditions) Enforced {
	e := Enforced{Value: uint64(max(0, s.Procs))}
	switch {
	case c.Group:
		e.Mechanism, e.Covers = Cgroup, "processes and threads of the command together"
	case c.Root:
		e.Mechanism, e.Value = None, 0
		e.Covers = fmt.Sprintf("nothing: %s does not bind root, and there is no control group", Procs)
	case c.PerSandbox:
		e.Mechanism, e.Covers = Mechanism(Procs), "processes and threads of the command together"
	default:
		e.Mechanism = Mechanism(Procs)
		e.Covers = "processes and threads of the user together, those outside of the sandbox included"
	}
	return e
}
