package sbpl

import (
	"slices"
	"strings"
)

// Assumption is something that a decision relies on and that nobody has
// settled by experiment.
type Assumption struct {
	Name string // stable
	Text string
}

// The names of the assumptions.
const (
	assumeClassBytes   = "class-bytes"
	assumeDollar       = "dollar"
	assumeRegex        = "regex-syntax"
	assumeNever        = "never-group"
	assumeVnode        = "vnode-create"
	assumeNotGiven     = "not-given"
	assumeLinkClone    = "link-clone"
	assumeBindPath     = "bind-path"
	assumeSubpathFile  = "subpath-file"
	assumeSubpathSlash = "subpath-slash"
	assumeLocalPort    = "local-outbound"
	assumeLoopback     = "localhost-range"
	assumeLeaf         = "leaf-unfiltered"
	assumeNoDefault    = "no-default"
	assumeNewer        = "newer-operation"
	assumeTerminal     = "default-allow"
	assumeSysctl       = "sysctl-write"
	assumeVersion      = "version"
	assumeOpaque       = "opaque-filter"
)

// Assumptions returns all of them, in a fixed order.
func Assumptions() []Assumption {
	all := assumptions()
	return all[:]
}

// assumptions is Assumptions without an allocation.
func assumptions() [18]Assumption {
	return [...]Assumption{
		{assumeClassBytes, "a negated class such as [^/], and the dot, match a newline and every byte from 0x80"},
		{assumeDollar, "$ matches at the very end of the path only, not before a newline there"},
		{assumeRegex, "counted repetition, classes by name, escaped letters and repeated groups mean in a regular expression what they mean elsewhere"},
		{assumeNever, "a group (?:...) matches nothing"},
		{assumeVnode, "vnode-type is, on a creation, the type of what comes to stand there, and on a removal the type of what stands there"},
		{assumeNotGiven, "what the question leaves out (a kind of file, a name, an address, a process) matches no filter"},
		{assumeLinkClone, "file-link and file-clone are asked of the source's path"},
		{assumeBindPath, "bind(2) and listen(2) on a socket in the file system ask network-bind and network-inbound with its path"},
		{assumeSubpathFile, "subpath matches the path itself if that is a file"},
		{assumeSubpathSlash, "a subpath that is empty or has a slash at its end matches nothing"},
		{assumeLocalPort, "a filter on the own address of an outgoing connection matches any host, and a port only if that is given"},
		{assumeLoopback, "localhost as the other side is 127.0.0.1 and ::1, and no other address of 127.0.0.0/8"},
		{assumeLeaf, "a rule without filters on an operation is asked before the rules of the operation it falls back to"},
		{assumeNoDefault, "a profile without a rule for default denies"},
		{assumeNewer, "an operation of a newer system falls back to what its name suggests"},
		{assumeTerminal, "this operation is allowed if no rule speaks about it, as a table of macOS 10.15 says"},
		{assumeSysctl, "a rule on sysctl-write is one on all of sysctl*, as in the library of macOS 10.15"},
		{assumeVersion, "versions 2 and 3 of the language mean what version 1 means"},
	}
}

func assumption(name string) []Assumption {
	for _, a := range assumptions() {
		if a.Name == name {
			return []Assumption{a}
		}
	}
	return []Assumption{{name, "internal error: an assumption without a text"}}
}

// unknown is the assumption about a filter that only the system can answer.
func unknown(f Filter) []Assumption {
	return []Assumption{{assumeOpaque, "the filter " + f.String() + " is taken not to match"}}
}

// structural returns what a decision assumes because of where it was made.
func (p *Profile) structural(m *matcher, s Step) []Assumption {
	var out []Assumption
	if p.Version > 1 {
		out = append(out, assumption(assumeVersion)...)
	}
	for op := m.op; op != ""; op = operations[op].parent {
		if operations[op].newer {
			out = append(out, assumption(assumeNewer)...)
		}
		if op == s.Op {
			break
		}
	}
	switch {
	case s.Rule == nil && s.Op == "default":
		out = append(out, assumption(assumeNoDefault)...)
	case s.Rule == nil && s.Action == Allow && s.Filter == nil && !wellKnown[s.Op]:
		out = append(out, assumption(assumeTerminal)...)
	case s.Rule != nil && s.Rule.Written == sysctlWrite && m.op != sysctlWrite:
		out = append(out, assumption(assumeSysctl)...)
	case s.Rule != nil && s.Filter == nil && s.Op != "default" && p.cutsOff(m, s):
		out = append(out, assumption(assumeLeaf)...)
	}
	if (m.op == "file-link" || m.op == "file-clone") && m.subject.Path != "" {
		out = append(out, assumption(assumeLinkClone)...)
	}
	return out
}

// wellKnown are the operations that programs depend on being allowed.
var wellKnown = words("process-info* nvram* iokit-get-properties file-map-executable")

// cutsOff reports whether the operations behind an unfiltered rule would have
// decided otherwise.
func (p *Profile) cutsOff(m *matcher, s Step) bool {
	parent := operations[s.Op].parent
	if parent == "" {
		return false
	}
	behind, err := p.Chain(parent)
	if err != nil {
		return false
	}
	for _, b := range behind {
		if b.Filter == nil {
			return false // another order changes nothing: unfiltered against unfiltered is settled
		}
		if match, _ := m.match(b.Filter); match {
			return b.Action != s.Action
		}
	}
	return false
}

// sorted sorts and removes duplicates.
func sorted(as []Assumption) []Assumption {
	rank := func(a Assumption) int {
		all := assumptions()
		i := slices.IndexFunc(all[:], func(b Assumption) bool { return b.Name == a.Name })
		if i < 0 {
			return len(all)
		}
		return i
	}
	slices.SortFunc(as, func(a, b Assumption) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return strings.Compare(a.Text, b.Text)
	})
	return slices.Compact(as)
}
