package seatbelt_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sandboxc/sbc/host"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
	"github.com/sandboxc/sbc/ir/irtest"
	"github.com/sandboxc/sbc/target"
)

// has reports whether the report names a loss of a rule.
func (s subject) has(rule int, code diag.Code) bool {
	return slices.ContainsFunc(s.report.Entries, func(e target.Entry) bool { return e.Index == rule && e.Code == code })
}

// A rename of a directory that the profile permits neither takes what a rule
// closes to where it is open, nor brings anything to where a rule closes it,
// unless the report says so of that rule. What was moved in comes from a place
// where it could be written.
func TestRenamesKeepClosings(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := irtest.Policies().Draw(t, "policy")
		// A path alone that may be written is a device, never a directory.
		p.Files = slices.DeleteFunc(p.Files, func(r ir.FileRule) bool {
			_, tree := r.Match.(ir.Subtree)
			return r.Private || (r.Write == ir.Allow && !tree)
		})
		s := lower(t, p, host.Empty{})
		for range 12 {
			from, to := drawPath(t, p), drawPath(t, p)
			tail := strings.TrimPrefix(rapid.OneOf(irtest.AnyPath(), rapid.Custom(func(t *rapid.T) string { return drawPath(t, p) })).Draw(t, "tail"), "/")
			for _, above := range append(ir.Ancestors(from), from) {
				s.rename(t, above, to, tail)
				s.rename(t, above, to, strings.TrimPrefix(strings.TrimPrefix(from, above), "/"))
			}
			for _, above := range append(ir.Ancestors(to), to) {
				s.rename(t, from, above, strings.TrimPrefix(strings.TrimPrefix(to, above), "/"))
			}
		}
	})
}

// rename tries one rename and looks at one path within.
func (s subject) rename(t *rapid.T, from, to, tail string) {
	if tail == "" || from == "/" || to == "/" || ir.Beneath(to, from) || ir.Beneath(from, to) {
		return
	}
	if !s.allows("file-write-unlink", from, true) || !s.allows("file-write-create", to, true) {
		return
	}
	for _, op := range []ir.Op{ir.Read, ir.Write} {
		for _, dir := range []bool{true, false} {
			before := s.decider.Decide(op, from+"/"+tail, dir)
			after := s.decider.Decide(op, to+"/"+tail, dir)
			if before.Effect != ir.Allow && after.Effect == ir.Allow && before.Rule >= 0 && !s.has(before.Rule, diag.CodeMovable) {
				t.Fatalf("%s of %q is open after a rename of %q to %q, and rule %d does not say so\n%s", op, from+"/"+tail, from, to, before.Rule, s.dump())
			}
			if op == ir.Write && before.Effect == ir.Allow && after.Effect != ir.Allow && after.Rule >= 0 && !s.has(after.Rule, diag.CodePlantable) {
				t.Fatalf("a rename of %q to %q brings %q to a closed place, and rule %d does not say so\n%s", from, to, to+"/"+tail, after.Rule, s.dump())
			}
		}
	}
}
