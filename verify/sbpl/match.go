package sbpl

import (
	"strings"

	"github.com/sandboxc/sbc/verify/regex"
)

// matcher answers whether filters match one subject.
type matcher struct {
	op      string
	subject Subject
}

// Matches reports whether a filter matches a subject in a question about an
// operation, under the assumptions that Decide names.
func Matches(f Filter, op string, s Subject) bool {
	m := matcher{op: op, subject: s}
	match, _ := m.match(f)
	return match
}

// match answers, and says what the answer assumes. An answer without
// assumptions holds whatever the unsettled things are.
func (m *matcher) match(f Filter) (bool, []Assumption) {
	switch f := f.(type) {
	case All:
		return m.several(f, false)
	case Any:
		return m.several(f, true)
	case Not:
		match, assumed := m.match(f.Filter)
		return !match, assumed
	case Literal:
		return m.path(m.subject.Path == f.Path)
	case Prefix:
		return m.path(strings.HasPrefix(m.subject.Path, f.Text))
	case Subpath:
		return m.subpath(f.Path)
	case Regex:
		if m.subject.Path == "" {
			return m.path(false)
		}
		return m.regex(f.Regex, m.subject.Path)
	case VnodeType:
		return m.vnode(f.Type)
	case Address:
		return m.address(f)
	case UnixSocket:
		return m.path(true)
	case Socket:
		return m.socket(f)
	case Name:
		return m.name(f)
	case Target:
		return m.target(f.Who)
	case Opaque:
		return false, unknown(f)
	}
	return false, nil
}

// several folds filters; decides is the answer of one that settles it.
func (m *matcher) several(fs []Filter, decides bool) (bool, []Assumption) {
	var decided, other []Assumption
	found := false
	for _, f := range fs {
		match, assumed := m.match(f)
		if match != decides {
			other = append(other, assumed...)
			continue
		}
		if assumed == nil {
			return decides, nil
		}
		found = true
		decided = append(decided, assumed...)
	}
	if found {
		return decides, decided
	}
	return !decides, other
}

// notGiven is the answer about what the question leaves out.
func notGiven() (bool, []Assumption) { return false, assumption(assumeNotGiven) }

// path is the answer of a filter on the path.
func (m *matcher) path(match bool) (bool, []Assumption) {
	if s := m.subject; s.Path == "" {
		if s.Remote != "" || s.Local != "" {
			return false, nil // a connection to an address has no path
		}
		return notGiven()
	}
	if m.op == "network-bind" || m.op == "network-inbound" {
		return match, assumption(assumeBindPath)
	}
	return match, nil
}

func (m *matcher) subpath(root string) (bool, []Assumption) {
	p := m.subject.Path
	switch {
	case p == "":
		return m.path(false)
	case root == "/":
		return m.path(true)
	case root == "":
		return false, assumption(assumeSubpathSlash)
	case strings.HasSuffix(root, "/"):
		inside := strings.HasPrefix(p, root) || p+"/" == root
		if inside {
			return false, assumption(assumeSubpathSlash)
		}
		return false, nil
	case p == root:
		match, assumed := m.path(true)
		if v := m.subject.Vnode; v != "DIRECTORY" && v != "" {
			assumed = append(assumed, assumption(assumeSubpathFile)...)
		}
		return match, assumed
	}
	return m.path(strings.HasPrefix(p, root+"/"))
}

func (m *matcher) regex(re *regex.Regex, text string) (bool, []Assumption) {
	var assumed []Assumption
	uses := re.Uses()
	if uses&(regex.NegatedClass|regex.Dot|regex.HighByte) != 0 && strings.ContainsFunc(text, func(r rune) bool { return r == '\n' || r >= 0x80 }) {
		assumed = append(assumed, assumption(assumeClassBytes)...)
	}
	if uses.Has(regex.Dollar) && strings.HasSuffix(text, "\n") {
		assumed = append(assumed, assumption(assumeDollar)...)
	}
	if uses&(regex.Counted|regex.ClassEscape|regex.LetterEscape|regex.Stacked|regex.GroupRepeat) != 0 {
		assumed = append(assumed, assumption(assumeRegex)...)
	}
	if uses.Has(regex.NeverGroup) {
		assumed = append(assumed, assumption(assumeNever)...)
	}
	match := re.Match(text)
	if m.subject.Path == text {
		_, more := m.path(match)
		assumed = append(assumed, more...)
	}
	return match, assumed
}

func (m *matcher) vnode(kind string) (bool, []Assumption) {
	switch {
	case m.subject.Path == "":
		return m.path(false)
	case m.subject.Vnode == "":
		return notGiven()
	}
	match := m.subject.Vnode == kind || (kind == "CHARACTER-DEVICE" && m.subject.Vnode == "TTY")
	switch m.op {
	case "file-write-create", "file-write-unlink":
		return match, assumption(assumeVnode)
	}
	return match, nil
}

func (m *matcher) name(f Name) (bool, []Assumption) {
	n := m.subject.Name
	if n == "" {
		return notGiven()
	}
	if !m.nameIs(f.Attr) {
		return false, nil
	}
	switch f.Match {
	case NameExact:
		return n == f.Text, nil
	case NamePrefix:
		return strings.HasPrefix(n, f.Text), nil
	case NameRegex:
		return m.regex(f.Regex, n)
	}
	return false, nil
}

// nameIs reports whether the name is of the kind that a filter speaks about. A
// Mach service has one of three kinds of names.
func (m *matcher) nameIs(attr string) bool {
	switch attr {
	case "local-name", "xpc-service-name":
		return m.subject.NameKind == attr
	case "global-name":
		return m.subject.NameKind == "" || m.subject.NameKind == attr
	}
	return true
}

// target knows that a process is in its own sandbox and group.
func (m *matcher) target(who string) (bool, []Assumption) {
	t := m.subject.Target
	if t == "" {
		return notGiven()
	}
	return t == who || (t == "self" && (who == "same-sandbox" || who == "pgrp")), nil
}

func (m *matcher) socket(f Socket) (bool, []Assumption) {
	has := ""
	switch f.Attr {
	case "socket-domain":
		has = m.subject.Domain
	case "socket-type":
		has = m.subject.Type
	case "socket-protocol":
		has = m.subject.Protocol
	}
	if has == "" {
		return notGiven()
	}
	return has == f.Value, nil
}
