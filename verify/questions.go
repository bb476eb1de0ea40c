package verify

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/sandboxc/sbc/verify/automata"
	"github.com/sandboxc/sbc/verify/sbpl"
)

// question is a chain of the profile and the policy's answer to it, for one
// kind of file.
type question struct {
	operation
	vnode string
	dir   bool
	want  entries // of the policy
	got   entries // of the profile
}

// vnodes are the kinds of file, a directory first.
var vnodes = []string{"DIRECTORY", "REGULAR-FILE", "SYMLINK", "FIFO", "SOCKET", "CHARACTER-DEVICE", "BLOCK-DEVICE"}

// questions are all operations on all kinds of file, those apart that are
// decided by other rules.
func (v *profileProof) questions() ([]question, error) {
	var out []question
	seen := map[string]bool{}
	policy := map[string]entries{}
	for _, op := range operations() {
		chain, err := v.profile.Chain(op.name)
		if err != nil {
			return nil, err
		}
		for _, s := range chain {
			if s.Rule != nil && s.Filter != nil {
				v.assume(s.Rule.Op, s.Filter)
			}
		}
		steps := chainKey(chain)
		for _, vnode := range v.kindsOfFile() {
			x := question{operation: op, vnode: vnode, dir: vnode == vnodes[0]}
			if x.dir && op.files {
				continue
			}
			answers := fmt.Sprint(op.op, op.creates, op.closed, op.sockets, x.dir)
			key := fmt.Sprint(answers, op.closed, vnode, steps)
			if seen[key] {
				continue
			}
			seen[key] = true
			if _, ok := policy[answers]; !ok {
				policy[answers] = v.policyEntries(op, x.dir)
			}
			x.got = v.profileEntries(chain, vnode)
			if x.dir && x.closed && x.got.shut() {
				continue // nothing is open, and nothing need be
			}
			x.want = policy[answers]
			out = append(out, x)
		}
	}
	return out, nil
}

// chainKey is equal for chains of the same forms in the text.
func chainKey(chain []sbpl.Step) string {
	var key []byte
	for _, s := range chain {
		if s.Rule == nil {
			key = fmt.Appendf(key, " %s %t", s.Action, s.Filter == nil)
			continue
		}
		key = strconv.AppendInt(append(key, ' '), int64(s.Rule.Pos.Line), 10)
		key = strconv.AppendInt(append(key, ':'), int64(s.Rule.Pos.Column), 10)
	}
	return string(key)
}

// kindsOfFile returns one kind of each sort that no filter of the profile tells
// apart, a directory first.
func (v *profileProof) kindsOfFile() []string {
	if v.kinds != nil {
		return v.kinds
	}
	v.kinds = vnodes[:1:1]
	seen := map[string]bool{}
	for _, vnode := range vnodes[1:] {
		var key []byte
		for i := range v.profile.Rules {
			if f := v.profile.Rules[i].Filter; f != nil {
				key = appendCertain(key, f, vnode)
			}
		}
		if !seen[string(key)] {
			seen[string(key)] = true
			v.kinds = append(v.kinds, vnode)
		}
	}
	return v.kinds
}

// appendCertain writes what is certain of each part of a filter that asks about
// the kind of a file. A filter with the same text for two kinds says the same of
// both.
func appendCertain(key []byte, f sbpl.Filter, vnode string) []byte {
	if !asksKind(f) {
		return key
	}
	if value, ok := certain(f, vnode); ok {
		if value {
			return append(key, '1')
		}
		return append(key, '0')
	}
	key = append(key, '(')
	switch f := f.(type) {
	case sbpl.All:
		for _, x := range f {
			key = appendCertain(key, x, vnode)
		}
	case sbpl.Any:
		for _, x := range f {
			key = appendCertain(key, x, vnode)
		}
	case sbpl.Not:
		key = appendCertain(key, f.Filter, vnode)
	case sbpl.Literal, sbpl.Subpath, sbpl.Prefix, sbpl.Regex, sbpl.VnodeType, sbpl.UnixSocket, sbpl.Address, sbpl.Socket, sbpl.Name, sbpl.Target, sbpl.Opaque:
	}
	return append(key, ')')
}

// negates reports whether a filter leaves something out.
func negates(f sbpl.Filter) bool {
	switch f := f.(type) {
	case sbpl.All:
		return slices.ContainsFunc(f, negates)
	case sbpl.Any:
		return slices.ContainsFunc(f, negates)
	case sbpl.Not:
		return true
	case sbpl.Literal, sbpl.Subpath, sbpl.Prefix, sbpl.Regex, sbpl.VnodeType, sbpl.UnixSocket, sbpl.Address, sbpl.Socket, sbpl.Name, sbpl.Target, sbpl.Opaque:
	}
	return false
}

// asksKind reports whether a filter asks about the kind of a file.
func asksKind(f sbpl.Filter) bool {
	switch f := f.(type) {
	case sbpl.All:
		return slices.ContainsFunc(f, asksKind)
	case sbpl.Any:
		return slices.ContainsFunc(f, asksKind)
	case sbpl.Not:
		return asksKind(f.Filter)
	case sbpl.VnodeType, sbpl.UnixSocket:
		return true
	case sbpl.Literal, sbpl.Subpath, sbpl.Prefix, sbpl.Regex, sbpl.Address, sbpl.Socket, sbpl.Name, sbpl.Target, sbpl.Opaque:
	}
	return false
}

// profileEntries is the chain of an operation for a kind of file. The
// alternatives of a rule are entries of their own.
func (v *profileProof) profileEntries(chain []sbpl.Step, vnode string) entries {
	type said struct {
		text  string
		label uint8
	}
	var out entries
	seen := map[said]bool{} // what held before decides no more
	for _, s := range chain {
		label := denied
		if s.Action == sbpl.Allow {
			label = allowed
		}
		if s.Filter == nil {
			return append(out, entry{key: "always", when: automata.Const(true), label: label})
		}
		clauses, ok := s.Filter.(sbpl.Any)
		if !ok {
			clauses = sbpl.Any{s.Filter}
		}
		for i, f := range clauses {
			e, negated := v.clause(s.Rule, i, f, vnode)
			if e.when == automata.Const(false) {
				continue
			}
			e.label = label
			own := s.Op == "file-write-unlink" || s.Op == "file-write-create"
			switch {
			case own && negated:
				e.group = groupChildren
			case own:
				e.group = groupPins
			case negated:
				e.group = groupExcept
			default:
				e.group = groupPlain
			}
			if again := (said{e.key, label}); !seen[again] {
				seen[again] = true
				out = append(out, e)
			}
		}
	}
	return out
}

// wild reports whether a filter holds more than a path and what lies beneath.
func wild(f sbpl.Filter) bool {
	switch f := f.(type) {
	case sbpl.All:
		return slices.ContainsFunc(f, wild)
	case sbpl.Any:
		return slices.ContainsFunc(f, wild)
	case sbpl.Not, sbpl.Regex, sbpl.Prefix:
		return true
	case sbpl.Literal, sbpl.Subpath, sbpl.VnodeType, sbpl.Address, sbpl.UnixSocket, sbpl.Socket, sbpl.Name, sbpl.Target, sbpl.Opaque:
	}
	return false
}

// clause is an entry for a clause of a rule as far as it concerns files of a kind,
// and whether it leaves something out. The keys are equal for clauses that hold the
// same paths of that kind in the same words.
func (v *profileProof) clause(r *sbpl.Rule, i int, f sbpl.Filter, vnode string) (e entry, negated bool) {
	key := clauseKey{rule: r, clause: i}
	if asksKind(f) {
		key.vnode = vnode
	}
	c, ok := v.clauses[key]
	if !ok {
		c.entry = entry{when: filterExpr(f, vnode), wild: wild(f), samples: filterSamples(f), key: folded(f, vnode).String()}
		c.negated = negates(f)
		v.clauses[key] = c
	}
	return c.entry, c.negated
}

// clause is an entry without a label and a group.
type clause struct {
	entry   entry
	negated bool
}

// clauseKey names a clause; the kind is empty if it does not ask about it.
type clauseKey struct {
	rule   *sbpl.Rule
	clause int
	vnode  string
}

// folded is a filter without what is certain for a kind of file: an All without
// filters always matches, an Any never does.
func folded(f sbpl.Filter, vnode string) sbpl.Filter {
	if !asksKind(f) {
		return f
	}
	if value, ok := certain(f, vnode); ok {
		if value {
			return sbpl.All{}
		}
		return sbpl.Any{}
	}
	rest := func(fs []sbpl.Filter, idle string) []sbpl.Filter {
		var out []sbpl.Filter
		for _, x := range fs {
			if x = folded(x, vnode); x.String() != idle {
				out = append(out, x)
			}
		}
		return out
	}
	switch f := f.(type) {
	case sbpl.All:
		if out := rest(f, sbpl.All{}.String()); len(out) != 1 {
			return sbpl.All(out)
		} else {
			return out[0]
		}
	case sbpl.Any:
		if out := rest(f, sbpl.Any{}.String()); len(out) != 1 {
			return sbpl.Any(out)
		} else {
			return out[0]
		}
	case sbpl.Not:
		return sbpl.Not{Filter: folded(f.Filter, vnode)}
	case sbpl.Literal, sbpl.Subpath, sbpl.Prefix, sbpl.Regex, sbpl.VnodeType, sbpl.UnixSocket, sbpl.Address, sbpl.Socket, sbpl.Name, sbpl.Target, sbpl.Opaque:
	}
	return f
}
