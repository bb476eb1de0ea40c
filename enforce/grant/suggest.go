package grant

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/enforce/classify"
	"github.com/sandboxc/sbc/ir"
)

// Suggestion is what a policy would have to say so that violations do not happen.
type Suggestion struct {
	// Read and Write are roots: absolute paths.
	Read  []string `json:"read,omitempty"`
	Write []string `json:"write,omitempty"`
	// Excepts are exceptions of built-in guards.
	Excepts []Except `json:"excepts,omitempty"`
	// Edits are what has to change within blocks that exist.
	Edits []Edit `json:"edits,omitempty"`
	// Mode, Host and Socket are for the network block: "proxy" or "full", a host
	// with a port if that is known, the path of a unix socket.
	Mode   string `json:"mode,omitzero"`
	Host   string `json:"host,omitzero"`
	Socket string `json:"socket,omitzero"`
	// Violations are the violations that it answers, as indices of what was given.
	Violations []int `json:"violations"`
}

// Except is an exception of a guard for one path.
type Except struct {
	Guard  string `json:"guard"`
	Path   string `json:"path"`
	Access Access `json:"access"`
}

// Edit is a change of a block that exists.
type Edit struct {
	Rule classify.Rule `json:"rule"`
	// Line is the attribute to set or to extend: except = ["/x"].
	Line string `json:"line"`
}

// Suggest returns what a policy would have to say, the smallest first, and the
// violations that no lines answer: what a deny closes stays closed. It does not
// use [Options.Apply]; that the policy with the lines permits what was refused is
// computed on the decision list.
func Suggest(vs []classify.Violation, o Options) ([]Suggestion, []Closed) {
	var out []Suggestion
	var closed []Closed
	for i, v := range vs {
		s, reason := o.suggestion(v)
		if reason != "" {
			closed = append(closed, Closed{i, reason})
			continue
		}
		if k := slices.IndexFunc(out, func(t Suggestion) bool { return t.key() == s.key() }); k >= 0 {
			out[k].Violations = append(out[k].Violations, i)
			continue
		}
		s.Violations = []int{i}
		out = append(out, s)
	}
	slices.SortStableFunc(out, func(a, b Suggestion) int {
		if d := a.weight() - b.weight(); d != 0 {
			return d
		}
		if a.weight() == 0 {
			accessA, pathA := a.opened()
			accessB, pathB := b.opened()
			return compare(accessA, pathA, accessB, pathB)
		}
		return strings.Compare(a.key(), b.key())
	})
	return out, closed
}

// key is equal for suggestions that say the same.
func (s Suggestion) key() string {
	return fmt.Sprintf("%q %q %v %v %q %q %q", s.Read, s.Write, s.Excepts, s.Edits, s.Mode, s.Host, s.Socket)
}

// weight orders kinds: files, a socket, one host, the whole network.
func (s Suggestion) weight() int {
	switch {
	case s.Mode == ir.NetFull.String():
		return 3
	case s.Host != "":
		return 2
	case s.Socket != "":
		return 1
	}
	return 0
}

// opened returns what a suggestion about files opens at most.
func (s Suggestion) opened() (Access, string) {
	switch {
	case len(s.Write) > 0:
		return Write, s.Write[0]
	case len(s.Read) > 0:
		return Read, s.Read[0]
	case len(s.Excepts) > 0:
		return s.Excepts[0].Access, s.Excepts[0].Path
	case len(s.Edits) > 0:
		return Read, s.Edits[0].Line
	}
	return Read, ""
}

func (o *Options) suggestion(v classify.Violation) (Suggestion, string) {
	if reason := ungrantable(v); reason != "" {
		return Suggestion{}, reason
	}
	op, ok := v.Op.File()
	if !ok {
		return o.network(v)
	}
	t := &trial{options: o, policy: *o.Policy}
	for _, q := range o.needs(op, v) {
		if reason := t.open(q); reason != "" {
			return Suggestion{}, reason
		}
	}
	if !o.permits(&t.policy, v) {
		return Suggestion{}, "no lines for this path would open it"
	}
	return t.out, ""
}

// needs returns the questions that a policy must permit for a violation not to
// happen, those about directories first.
func (o *Options) needs(op ir.Op, v classify.Violation) []ir.Query {
	at := func(op ir.Op, path string, dir bool) ir.Query {
		return ir.Query{Target: o.Target, Op: op, Path: path, Dir: dir}
	}
	if op == ir.Read {
		return []ir.Query{at(ir.Read, v.Path, v.Dir)}
	}
	self := at(ir.Write, v.Path, v.Dir)
	if dir, ok := o.place(v.Path); ok {
		return []ir.Query{at(ir.Write, dir, true), self}
	}
	if op == ir.Unlink { // a name is removed from its directory
		return []ir.Query{at(ir.Write, ir.Parent(v.Path), true), self}
	}
	return []ir.Query{self}
}
