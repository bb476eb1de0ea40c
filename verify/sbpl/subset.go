package sbpl

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/sandboxc/sbc/verify/sbpl/syntax"
)

// Problem is something in a profile that sbc does not write.
type Problem struct {
	Pos syntax.Pos
	Msg string
}

// String returns the message behind its place.
func (p Problem) String() string { return p.Pos.String() + ": " + p.Msg }

// Subset checks that a text is in the part of SBPL that sbc itself may write,
// and returns everything that is not, in the order of the text.
//
// That part is: (version 1), (deny default), and rules of operations by their
// own names with a few filters, each with one argument. Everything else is
// refused: definitions, parameters, imports, modifiers and with them
// no-sandbox; what does not compile; what macOS accepts and then ignores, such
// as a path through a link, a group (?:...), or an address of the other side on
// incoming connections; what opens more than it says, such as an address of the
// own side on outgoing ones; and regular expressions beyond the part that is
// known to work.
func Subset(file string, src []byte) []Problem {
	_, problems := ReadSubset(file, src)
	return problems
}

// ReadSubset is [Subset] and [Read] in one. The profile is nil if there are
// problems that stand in the way of reading it.
func ReadSubset(file string, src []byte) (*Profile, []Problem) {
	nodes, err := syntax.Parse(file, src)
	if err != nil {
		return nil, []Problem{problemOf(err)}
	}
	s := &subset{}
	at := syntax.Pos{File: file, Line: 1, Column: 1}
	if len(nodes) == 0 || !isForm(nodes[0], "version", "1") {
		s.refuse(at, "the first form is not (version 1)")
	}
	if len(nodes) < 2 || !isForm(nodes[1], "deny", "default") {
		s.refuse(at, "the second form is not (deny default)")
	}
	if len(s.problems) > 0 {
		return nil, s.problems
	}
	for _, n := range nodes[2:] {
		s.rule(n)
	}
	if len(s.problems) > 0 {
		return nil, s.problems
	}
	p, err := Read(file, src, Options{})
	if err != nil {
		return nil, []Problem{problemOf(err)}
	}
	s.shape(p)
	return p, s.problems
}

func problemOf(err error) Problem {
	var e *syntax.Error
	if errors.As(err, &e) {
		return Problem{e.Pos, e.Msg}
	}
	return Problem{Msg: err.Error()}
}

type subset struct{ problems []Problem }

func (s *subset) refuse(at syntax.Pos, format string, args ...any) {
	s.problems = append(s.problems, Problem{at, fmt.Sprintf(format, args...)})
}

// isForm reports whether a node is a list of these symbols and numbers.
func isForm(n syntax.Node, words ...string) bool {
	l, ok := n.(*syntax.List)
	if !ok || l.Tail != nil || len(l.Items) != len(words) {
		return false
	}
	for i, item := range l.Items {
		text := ""
		if x, ok := item.(*syntax.Symbol); ok {
			text = x.Name
		} else if x, ok := item.(*syntax.Integer); ok {
			text = strconv.FormatInt(x.Value, 10)
		}
		if text != words[i] {
			return false
		}
	}
	return true
}

// list returns the name and the arguments of a form.
func (s *subset) list(n syntax.Node) (name string, args []syntax.Node, ok bool) {
	l, ok := n.(*syntax.List)
	if !ok || l.Tail != nil || len(l.Items) == 0 {
		s.refuse(n.Start(), "sbc writes lists that start with a name")
		return "", nil, false
	}
	head, ok := l.Items[0].(*syntax.Symbol)
	if !ok {
		s.refuse(l.Items[0].Start(), "sbc writes lists that start with a name")
		return "", nil, false
	}
	return head.Name, l.Items[1:], true
}

func (s *subset) rule(n syntax.Node) {
	name, args, ok := s.list(n)
	if !ok {
		return
	}
	if name != "allow" && name != "deny" {
		s.refuse(n.Start(), "sbc does not write (%s ...)", name)
		return
	}
	var ops []string
	for _, arg := range args {
		sym, ok := arg.(*syntax.Symbol)
		if !ok {
			s.filter(arg, ops)
			continue
		}
		op, known := operations[sym.Name]
		switch {
		case !known:
			s.refuse(sym.Pos, "%s is no operation, or not the name that sbc writes", sym.Name)
		case op.newer || sym.Name == sysctlWrite:
			s.refuse(sym.Pos, "what %s means is not known for every system", sym.Name)
		case sym.Name == "default":
			s.refuse(sym.Pos, "a second rule for default")
		}
		ops = append(ops, sym.Name)
	}
	if len(ops) == 0 {
		s.refuse(n.Start(), "a rule without an operation")
	}
}

// shape refuses rules without filters that cut off others: an operation with
// such a rule is never passed on to the operations it falls back to, so that
// their rules are dead for it. One that has no rules behind it, such as
// (deny file-link) or (allow sysctl-read), is as it should be.
func (s *subset) shape(p *Profile) {
	for i := range p.Rules {
		r := &p.Rules[i]
		if r.Filter != nil || r.Op == "default" {
			continue
		}
		for op := Parent(r.Op); op != "" && op != "default"; op = Parent(op) {
			if behind := p.rulesOf(op); len(behind) > 0 {
				s.refuse(r.Pos, "this rule without filters on %s cuts off the rules on %s, such as the one at %s", r.Op, op, p.Rules[behind[0]].Pos)
				break
			}
		}
	}
}
