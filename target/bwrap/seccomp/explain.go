package seccomp

import (
	"fmt"
	"strings"
)

// Explain returns the rules that are in force as text for people: for each the
// action and the name, the calls with the test of their arguments, and the
// reason.
func Explain(a Arch, o Options) string {
	var b strings.Builder
	for _, r := range Rules(a, o) {
		fmt.Fprintf(&b, "%s: %s\n", r.Name, r.Action)
		fmt.Fprintf(&b, "    calls:  %s\n", r.subject(a))
		if len(r.When) > 0 {
			tests := make([]string, len(r.When))
			for i, t := range r.When {
				tests[i] = t.String()
			}
			fmt.Fprintf(&b, "    if:     %s\n", strings.Join(tests, " and "))
		}
		if r.Unless != None {
			fmt.Fprintf(&b, "    unless: %s\n", r.Unless)
		}
		fmt.Fprintf(&b, "    reason: %s\n", r.Reason)
	}
	b.WriteString("everything else: " + Allow.String() + "\n")
	return b.String()
}

// subject returns the calls that the rule is about, in words.
func (r Rule) subject(a Arch) string {
	switch r.Scope {
	case ScopeForeign:
		return "every call that does not come in as " + a.Audit().Name
	case ScopeX32:
		return fmt.Sprintf("numbers from %#x", x32Bit)
	case ScopeUnknown:
		spans := make([]string, len(a.spans()))
		for i, s := range a.spans() {
			spans[i] = fmt.Sprintf("%d-%d", s.first, s.last)
		}
		return "numbers other than " + strings.Join(spans, ", ")
	case ScopeCalls:
		return strings.Join(r.Calls, ", ")
	default:
		return fmt.Sprintf("Scope(%d)", uint8(r.Scope))
	}
}
