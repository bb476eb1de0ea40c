package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/verify/automata"
	"github.com/sandboxc/sbc/verify/sbpl"
)

// Disagreement is a question that two profiles answer differently.
type Disagreement struct {
	Op      string
	Subject sbpl.Subject
	Second  bool // what the second says; the first says the opposite
}

// Profiles returns where two profiles disagree: for each operation at most one
// question about a file and one about anything else, for each way. Without any
// the two decide everything alike, on all paths that can reach the kernel of
// macOS.
//
// It fails if it cannot tell: a filter is about something that the text of a
// profile does not say, or a bound is met.
func Profiles(a, b *sbpl.Profile) ([]Disagreement, error) {
	return disagreements(a, b, sbpl.Operations())
}

func disagreements(a, b *sbpl.Profile, ops []string) ([]Disagreement, error) {
	var out []Disagreement
	same := map[string]bool{} // pairs of chains that decide alike
	for _, op := range ops {
		first, err := a.Chain(op)
		if err != nil {
			return nil, err
		}
		second, err := b.Chain(op)
		if err != nil {
			return nil, err
		}
		c := chains{op: op, a: a, b: b, first: first, second: second}
		key, differ := c.strip()
		if !differ || same[key] {
			continue
		}
		before := len(out)
		if c.aboutFiles() {
			found, err := c.files()
			if err != nil {
				return nil, err
			}
			out = append(out, found...)
		}
		if !c.aboutFiles() || strings.HasPrefix(op, "network") {
			found, err := c.others()
			if err != nil {
				return nil, err
			}
			out = append(out, found...)
		}
		same[key] = len(out) == before
	}
	return out, nil
}

// chains are those of one operation in two profiles.
type chains struct {
	op            string
	a, b          *sbpl.Profile
	first, second []sbpl.Step
	// only are the filters that one of them has where the other has others. A
	// question that none of them matches is answered alike.
	only []sbpl.Filter
}

// strip finds what differs between the chains, and reports whether anything
// does. The key is equal for equal pairs of chains.
func (c *chains) strip() (key string, differ bool) {
	var keys [2][]string
	var steps [2][]sbpl.Step
	for i, chain := range [][]sbpl.Step{c.first, c.second} {
		for _, s := range chain {
			for _, f := range alternatives(s.Filter) {
				keys[i] = append(keys[i], s.Action.String()+" "+text(f))
				steps[i] = append(steps[i], sbpl.Step{Filter: f, Action: s.Action})
			}
		}
	}
	start := 0
	for start < min(len(keys[0]), len(keys[1])) && keys[0][start] == keys[1][start] {
		start++
	}
	end := 0
	for end < min(len(keys[0]), len(keys[1]))-start && keys[0][len(keys[0])-1-end] == keys[1][len(keys[1])-1-end] {
		end++
	}
	for i := range steps {
		for _, s := range steps[i][start : len(steps[i])-end] {
			c.only = append(c.only, s.Filter)
		}
	}
	key = fmt.Sprintf("%t %t\n%q\n%q", c.aboutFiles(), strings.HasPrefix(c.op, "network"), keys[0], keys[1])
	return key, len(c.only) > 0
}

// aboutFiles reports whether the operation is asked about files.
func (c *chains) aboutFiles() bool {
	return strings.HasPrefix(c.op, "file") || strings.HasPrefix(c.op, "process-exec") || strings.HasPrefix(c.op, "network")
}

// alternatives are the filters of which one has to match; nil always matches.
func alternatives(f sbpl.Filter) []sbpl.Filter {
	if any, ok := f.(sbpl.Any); ok {
		return any
	}
	return []sbpl.Filter{f}
}

func text(f sbpl.Filter) string {
	if f == nil {
		return "always"
	}
	return f.String()
}

// files compares the answers about files.
func (c *chains) files() ([]Disagreement, error) {
	kinds := vnodes[1:2]
	if slices.ContainsFunc(c.filters(), asksKind) {
		kinds = vnodes
	}
	var out []Disagreement
	seen := map[bool]bool{}
	for _, vnode := range kinds {
		var where automata.Or
		for _, f := range c.only {
			if f == nil {
				where = append(where, automata.Const(true))
				continue
			}
			if e := filterExpr(f, vnode); e != automata.Const(false) {
				where = append(where, e)
			}
		}
		if len(where) == 0 {
			continue
		}
		lists := []automata.List{listOf(c.first, vnode), listOf(c.second, vnode)}
		res, err := automata.Explore(automata.And{domain(), where}, lists, automata.Options{})
		if err != nil {
			return nil, err
		}
		for _, class := range res.Classes {
			allows := class.Labels[1] == allowed
			if class.Labels[0] == class.Labels[1] || seen[allows] {
				continue
			}
			seen[allows] = true
			d, differ, err := c.ask(sbpl.Subject{Path: class.Cases[0].Path, Vnode: vnode})
			if err != nil {
				return nil, err
			}
			if !differ {
				return nil, fmt.Errorf("internal error: the automata find that two profiles differ on %s of %q, and their models do not; please report", c.op, d.Subject.Path)
			}
			out = append(out, d)
		}
	}
	return out, nil
}

// listOf is a chain as it decides about a kind of file.
func listOf(chain []sbpl.Step, vnode string) automata.List {
	var out automata.List
	for _, s := range chain {
		r := automata.Rule{When: automata.Const(true), Label: denied}
		if s.Filter != nil {
			r.When = filterExpr(s.Filter, vnode)
		}
		if s.Action == sbpl.Allow {
			r.Label = allowed
		}
		if r.When != automata.Const(false) {
			out.Rules = append(out.Rules, r)
		}
	}
	return out
}

// ask puts a question to both.
func (c *chains) ask(s sbpl.Subject) (d Disagreement, differ bool, err error) {
	first, err := c.a.Decide(c.op, s)
	if err != nil {
		return d, false, err
	}
	second, err := c.b.Decide(c.op, s)
	return Disagreement{Op: c.op, Subject: s, Second: second.Allow}, first.Allow != second.Allow, err
}

// filters are all filters of both, with those within others.
func (c *chains) filters() []sbpl.Filter {
	var out []sbpl.Filter
	for _, chain := range [][]sbpl.Step{c.first, c.second} {
		for _, s := range chain {
			if s.Filter != nil {
				out = append(out, inner(s.Filter)...)
			}
		}
	}
	return out
}

// inner returns a filter and those within it.
func inner(f sbpl.Filter) []sbpl.Filter {
	out := []sbpl.Filter{f}
	var within []sbpl.Filter
	switch f := f.(type) {
	case sbpl.All:
		within = f
	case sbpl.Any:
		within = f
	case sbpl.Not:
		within = []sbpl.Filter{f.Filter}
	case sbpl.Literal, sbpl.Subpath, sbpl.Prefix, sbpl.Regex, sbpl.VnodeType, sbpl.Address, sbpl.UnixSocket, sbpl.Socket, sbpl.Name, sbpl.Target, sbpl.Opaque:
	}
	for _, x := range within {
		out = append(out, inner(x)...)
	}
	return out
}

// others compares the answers about what is no file: names, addresses, sockets
// and processes. Only a few of each differ to the filters.
func (c *chains) others() ([]Disagreement, error) {
	subjects, err := subjectsFor(c.filters())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", c.op, err)
	}
	var out []Disagreement
	seen := map[bool]bool{}
	for _, s := range subjects {
		d, differ, err := c.ask(s)
		if err != nil {
			return nil, err
		}
		if differ && !seen[d.Second] {
			seen[d.Second] = true
			out = append(out, d)
		}
	}
	return out, nil
}
