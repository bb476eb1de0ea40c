package grant

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/enforce/classify"
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/verify"
)

// Access is what a grant opens.
type Access string

// The accesses. Write includes reading.
const (
	Read  Access = "read"
	Write Access = "write"
)

// Grant opens one path for one run, with all beneath.
type Grant struct {
	Access Access `json:"access"`
	Path   string `json:"path"` // absolute and clean
	// Rule is the rule that closes the path now.
	Rule classify.Rule `json:"rule"`
	// Request is the hash of the request that the grant is for.
	Request string `json:"request,omitzero"`
	// Violations are the violations that it answers, as indices of what was given.
	Violations []int `json:"violations"`
}

// Flag returns the grant as the command line has it, in two words.
func (g Grant) Flag() [2]string { return [2]string{"--" + string(g.Access), g.Path} }

// Closed is a violation that nothing here opens.
type Closed struct {
	Violation int `json:"violation"` // its index in what was given
	// Reason is one sentence for people.
	Reason string `json:"reason"`
}

// Options say against what grants are tried. Policy and Target are required, and
// Apply for grants.
type Options struct {
	// Policy was in force when the violations happened.
	Policy *ir.Policy
	// Target is ir.Linux or ir.Darwin.
	Target string
	// Request is the hash of the request, carried by every grant.
	Request string
	// Apply returns the policy with one more grant, loaded as it would be for the
	// next run.
	Apply func(Grant) (*ir.Policy, error)
	// Exists reports whether the host has a path. Nil takes every path to exist.
	Exists func(path string) bool
	// MaxStates bounds the proof that denies are kept; 0 is the bound of package
	// automata.
	MaxStates int
}

// found is a grant with what it was tried with.
type found struct {
	Grant
	policy *ir.Policy
}

// For returns the grants that answer the violations, the smallest first, and the
// violations that none answers. What one grant answers gets no second one.
func For(vs []classify.Violation, o Options) ([]Grant, []Closed) {
	var list []found
	var closed []Closed
	for i, v := range vs {
		g, reason := o.smallest(v)
		if reason != "" {
			closed = append(closed, Closed{i, reason})
			continue
		}
		g.Violations = []int{i}
		list = append(list, g)
	}
	list = o.merge(list, vs)
	slices.SortStableFunc(list, func(a, b found) int { return compare(a.Access, a.Path, b.Access, b.Path) })
	var out []Grant
	for _, g := range list {
		slices.Sort(g.Violations)
		out = append(out, g.Grant)
	}
	return out, closed
}

// compare orders by how much is opened: reading before writing, deeper paths
// before others.
func compare(a Access, pa string, b Access, pb string) int {
	return cmp.Or(cmp.Compare(a, b), cmp.Compare(strings.Count(pb, "/"), strings.Count(pa, "/")), cmp.Compare(pa, pb))
}

// merge leaves out every grant whose violations another one answers too, the
// wider one staying.
func (o *Options) merge(list []found, vs []classify.Violation) []found {
	slices.SortStableFunc(list, func(a, b found) int { return compare(b.Access, b.Path, a.Access, a.Path) })
	var out []found
	for _, g := range list {
		i := slices.IndexFunc(out, func(wider found) bool {
			return !slices.ContainsFunc(g.Violations, func(n int) bool { return !o.permits(wider.policy, vs[n]) })
		})
		if i < 0 {
			out = append(out, g)
			continue
		}
		out[i].Violations = append(out[i].Violations, g.Violations...)
	}
	return out
}

// smallest returns the smallest grant that answers a violation, or the reason why
// there is none.
func (o *Options) smallest(v classify.Violation) (found, string) {
	if reason := ungrantable(v); reason != "" {
		return found{}, reason
	}
	op, ok := v.Op.File()
	if !ok {
		return found{}, networkReason(v)
	}
	reason := ""
	list, tooBroad := o.candidates(op, v)
	for _, g := range list {
		p, why := o.try(g, v)
		if why == "" {
			return found{Grant: g, policy: p}, ""
		}
		if reason == "" { // that of the smallest one says most
			reason = why
		}
	}
	if reason == "" || tooBroad != "" {
		reason = fmt.Sprintf("it would take a grant for all of %s", tooBroad)
	}
	return found{}, reason
}

// ungrantable returns why a violation gets no grant and no lines, whatever it is
// about.
func ungrantable(v classify.Violation) string {
	switch {
	case v.Confidence == classify.Possible:
		return "it is only possible that the policy was the cause: " + v.Text
	case v.Op == classify.Syscall:
		return "no policy opens a system call that the filter answers with SIGSYS"
	case v.Pinned && v.Effect == classify.Deny:
		return "it holds something that is closed, which would move away with it"
	case v.Effect == classify.Deny:
		return denied(v.Rule)
	}
	return ""
}

func denied(r classify.Rule) string {
	s := r.Address + " denies it, and a deny is absolute: no grant opens it"
	if r.Reason != "" {
		s += " (" + r.Reason + ")"
	}
	return s
}

func networkReason(v classify.Violation) string {
	if v.Path != "" {
		return "no grant opens a socket: the policy must list it in network.unix_sockets"
	}
	return "no grant opens the network: the policy's network block must"
}

// try applies a grant, and holds the result against the violation and against
// all denies.
func (o *Options) try(g Grant, v classify.Violation) (*ir.Policy, string) {
	if o.Apply == nil {
		return nil, "there is nothing to try a grant with"
	}
	p, err := o.Apply(g)
	if err != nil {
		return nil, fmt.Sprintf("--%s %s: %v", g.Access, g.Path, err)
	}
	if !o.permits(p, v) {
		return nil, fmt.Sprintf("--%s %s would not open it", g.Access, g.Path)
	}
	breach, err := verify.GrantsKeepDenies(p, o.Target, o.MaxStates)
	switch {
	case err != nil:
		return nil, fmt.Sprintf("--%s %s: it is not proved that every deny is kept: %v", g.Access, g.Path, err)
	case breach != nil:
		return nil, fmt.Sprintf("--%s %s would open %s of %s, which %s denies", g.Access, g.Path, breach.Op, breach.Path, p.Files[breach.Promise].Origin.Address)
	}
	return p, ""
}

// permits reports whether a policy permits what was refused.
func (o *Options) permits(p *ir.Policy, v classify.Violation) bool {
	op, ok := v.Op.File()
	return ok && p.Decide(ir.Query{Target: o.Target, Op: op, Path: v.Path, Dir: v.Dir}).Effect == ir.Allow
}
