package seccomp

import (
	"fmt"
	"strings"
)

// Rule is one row of the table: calls, what is done with them, and why.
//
// A rule applies to a call if its scope covers it, its options do not lift it
// and every test holds. The first rule that applies decides; if none does, the
// call is allowed.
type Rule struct {
	Name   string
	Scope  Scope
	Calls  []string // the system calls by name; only with ScopeCalls
	When   []Test   // all must hold; none means always
	Unless Option   // the option that lifts the rule
	Action Action
	Reason string // one sentence: what goes wrong without the rule
}

// Scope says which calls a rule looks at.
type Scope uint8

// The scopes, in the order in which a filter asks for them.
const (
	ScopeForeign Scope = iota + 1 // calls through another architecture's entry
	ScopeX32                      // calls of the x32 ABI, on x86_64 only
	ScopeUnknown                  // numbers that stand in no table of the architecture
	ScopeCalls                    // the calls that the rule names
)

// Op is how a test compares.
type Op uint8

// The comparisons.
const (
	OneOf  Op = iota + 1 // the argument is one of the values
	NoneOf               // the argument is none of the values
)

// Test compares the low 32 bits of an argument. The kernel declares every
// argument that is tested here as int or unsigned int, or cuts it to that, so
// the upper half does not reach it and must not hide a value from the test.
type Test struct {
	Arg    int   // 0 to 5
	Mask   Value // bits to keep before comparing; all if its number is 0
	Op     Op
	Values []Value // at least one
}

// Value is a number with the name that the kernel's headers give it.
type Value struct {
	Name string
	N    uint32
}

// String returns the test in the form "arg1&0xf not in SOCK_STREAM,
// SOCK_SEQPACKET".
func (t Test) String() string {
	names := make([]string, len(t.Values))
	for i, v := range t.Values {
		names[i] = v.Name
	}
	arg := fmt.Sprintf("arg%d", t.Arg)
	if t.Mask.N != 0 {
		arg += "&" + t.Mask.Name
	}
	switch t.Op {
	case OneOf:
		return arg + " in " + strings.Join(names, ", ")
	case NoneOf:
		return arg + " not in " + strings.Join(names, ", ")
	default:
		return fmt.Sprintf("%s Op(%d) %s", arg, t.Op, strings.Join(names, ", "))
	}
}

// Rules returns the rules that are in force on an architecture under the
// options, in the order in which they are asked. Calls that the architecture
// does not have are left out.
func Rules(a Arch, o Options) []Rule {
	var out []Rule
	table := Table()
	if o.Trace {
		table = append(table, tracedCalls()...)
	}
	for _, r := range table {
		if o.has(r.Unless) || (r.Scope == ScopeX32 && a != AMD64) {
			continue
		}
		if r.Scope == ScopeCalls {
			if r.Calls = present(a, r.Calls); len(r.Calls) == 0 {
				continue
			}
		}
		out = append(out, r)
	}
	return out
}

// present returns the names that are system calls of the architecture.
func present(a Arch, names []string) []string {
	var out []string
	for _, n := range names {
		if _, ok := Number(a, n); ok {
			out = append(out, n)
		}
	}
	return out
}
