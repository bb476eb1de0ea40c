package grant

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/enforce/classify"
	"github.com/sandboxc/sbc/ir"
)

// maxRules bounds how many rules are taken off for one path.
const maxRules = 32

// trial is a policy on which changes are tried, with what they take in its text.
type trial struct {
	options *Options
	policy  ir.Policy
	out     Suggestion
}

// open changes the policy until it permits the question: it takes off what asks,
// and adds a root where nothing opens the path. It returns why that cannot be.
func (t *trial) open(q ir.Query) string {
	for range maxRules {
		d := t.policy.Decide(q)
		if d.Effect == ir.Allow {
			return ""
		}
		if !text(q.Path) {
			return fmt.Sprintf("%q cannot be written in a policy, which is UTF-8 text without a line break at the end of a path", q.Path)
		}
		if d.Rule < 0 || t.policy.Files[d.Rule].Group >= ir.GroupRequired {
			if reason := t.root(q, d.Rule); reason != "" {
				return reason
			}
			continue
		}
		r := t.policy.Files[d.Rule]
		if d.Effect == ir.Deny {
			return denied(t.rule(&r))
		}
		t.except(q, &r)
		t.policy.Files = slices.Delete(slices.Clone(t.policy.Files), d.Rule, d.Rule+1)
	}
	return "too many rules close it"
}

// root opens a path by a root. At the same path one that closes wins.
func (t *trial) root(q ir.Query, closing int) string {
	if closing >= 0 {
		r := &t.policy.Files[closing]
		if r.Match.Base() == q.Path && r.Group == ir.GroupRoot && (r.Read == ir.Deny || r.Private) {
			return fmt.Sprintf("%s is about the very path, and wins over an opening of it; change it there", r.Origin.Address)
		}
	}
	if t.options.broad(q.Path) {
		return fmt.Sprintf("it would take to open all of %s", q.Path)
	}
	r := ir.FileRule{Match: ir.Subtree(q.Path), Read: ir.Allow, Write: ir.Deny, Group: ir.GroupRoot, Layer: ir.LayerWorkspace}
	list := &t.out.Read
	if q.Op != ir.Read {
		r.Write, list = ir.Allow, &t.out.Write
	}
	if slices.Contains(*list, q.Path) {
		return "a root for the path would not open it"
	}
	*list = append(*list, q.Path)
	depth := func(p string) int { return strings.Count(strings.TrimSuffix(p, "/"), "/") }
	at := slices.IndexFunc(t.policy.Files, func(f ir.FileRule) bool {
		return f.Group > ir.GroupRoot || f.Group == ir.GroupRoot && depth(f.Match.Base()) <= depth(q.Path)
	})
	if at < 0 {
		at = len(t.policy.Files)
	}
	t.policy.Files = slices.Insert(slices.Clone(t.policy.Files), at, r)
	return ""
}

// except notes what lifts a rule that asks for one path.
func (t *trial) except(q ir.Query, r *ir.FileRule) {
	access := Write
	if q.Op == ir.Read {
		access = Read
	}
	if r.Guard != "" {
		if e := (Except{r.Guard, q.Path, access}); !slices.Contains(t.out.Excepts, e) {
			t.out.Excepts = append(t.out.Excepts, e)
		}
		return
	}
	line := fmt.Sprintf("except = [%s]", quoted(q.Path, t.options.Policy))
	if strings.HasPrefix(r.Origin.Address, "rules[") {
		line = fmt.Sprintf(`{ path = %s, access = %q, action = "allow" } before it`, quoted(q.Path, t.options.Policy), access)
	}
	if e := (Edit{t.rule(r), line}); !slices.ContainsFunc(t.out.Edits, func(old Edit) bool { return old.Rule.Address == e.Rule.Address && old.Line == line }) {
		t.out.Edits = append(t.out.Edits, e)
	}
}

// rule describes a rule by its place in the policy that is in force.
func (t *trial) rule(r *ir.FileRule) classify.Rule {
	at := slices.IndexFunc(t.options.Policy.Files, func(f ir.FileRule) bool {
		return f.Origin.Address == r.Origin.Address && f.Group == r.Group && f.Match.String() == r.Match.String()
	})
	return classify.Rule{Index: at, Address: r.Origin.Address, Guard: r.Guard, Reason: r.Reason, Position: r.Origin.Range}
}
