package seccomp

import "slices"

// Call is a system call as a filter sees it: the kernel's struct seccomp_data
// without the instruction pointer.
type Call struct {
	Arch uint32 // AUDIT_ARCH_*
	Nr   uint32
	Args [6]uint64
}

// Decide returns what the rules say about a call on an architecture. It reads
// them one by one; Build makes a program of them that answers the same.
func Decide(a Arch, o Options, c Call) Action {
	if len(a.spans()) == 0 {
		return KillProcess
	}
	for _, r := range Rules(a, o) {
		if r.applies(a, c) {
			return r.Action
		}
	}
	return Allow
}

// applies reports whether the rule is about the call and its tests hold.
func (r Rule) applies(a Arch, c Call) bool {
	switch r.Scope {
	case ScopeForeign:
		return c.Arch != a.Audit().N
	case ScopeX32:
		return c.Nr >= x32Bit
	case ScopeUnknown:
		return !slices.ContainsFunc(a.spans(), func(s span) bool { return s.first <= c.Nr && c.Nr <= s.last })
	case ScopeCalls:
		named := slices.ContainsFunc(r.Calls, func(name string) bool {
			nr, ok := Number(a, name)
			return ok && nr == c.Nr
		})
		return named && !slices.ContainsFunc(r.When, func(t Test) bool { return !t.holds(c) })
	default:
		return true // a rule that cannot be read refuses
	}
}

// holds reports whether the test is true of the call's arguments.
func (t Test) holds(c Call) bool {
	word := uint32(c.Args[t.Arg])
	if t.Mask.N != 0 {
		word &= t.Mask.N
	}
	found := slices.ContainsFunc(t.Values, func(v Value) bool { return v.N == word })
	return found == (t.Op == OneOf)
}
