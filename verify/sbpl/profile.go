package sbpl

import (
	"strings"

	"github.com/sandboxc/sbc/verify/sbpl/syntax"
)

// Profile is a profile that was read: its rules, in the order in which they
// came about. It does not change and may be used from several goroutines.
type Profile struct {
	Version int
	Rules   []Rule
	// Options are what the profile asks for besides rules, such as
	// "disable-callouts", in order.
	Options []string

	byOp    map[string][]int // for each operation the numbers of its rules
	sources map[string]string
}

// Rule is one action for one operation. A rule with several operations in the
// text is several rules.
type Rule struct {
	Action    Action
	Op        string // by its own name, as Operation returns it
	Written   string // the name in the text, which may be an alias
	Filter    Filter // nil if there is none
	Modifiers []Modifier
	Pos       syntax.Pos // of the form that made it
}

// Action is allow or deny. The zero value is neither.
type Action uint8

// The actions.
const (
	Allow Action = iota + 1
	Deny
)

// String returns "allow" or "deny".
func (a Action) String() string {
	switch a {
	case Allow:
		return "allow"
	case Deny:
		return "deny"
	}
	return "invalid action"
}

// Modifier is (with name arg...). It does not change whether a rule matches.
type Modifier struct {
	Name string
	Args []string
}

// String returns the modifier as in the text.
func (m Modifier) String() string { return form("with", append([]string{m.Name}, m.Args...)...) }

// String returns the rule on one line, with its one operation.
func (r *Rule) String() string {
	parts := []string{r.Op}
	if r.Filter != nil {
		parts = append(parts, r.Filter.String())
	}
	for _, m := range r.Modifiers {
		parts = append(parts, m.String())
	}
	return form(r.Action.String(), parts...)
}

// escapes reports whether what the rule allows runs without the sandbox.
func (r *Rule) escapes() bool {
	if r.Action == Allow {
		for _, m := range r.Modifiers {
			if m.Name == "no-sandbox" {
				return true
			}
		}
	}
	return false
}

// Line returns the line of the text at a place, without the blanks around it.
// It is empty for a place in no text that was read.
func (p *Profile) Line(at syntax.Pos) string {
	src, ok := p.sources[at.File]
	if !ok || at.Line == 0 || at.Byte > len(src) {
		return ""
	}
	start := strings.LastIndexByte(src[:at.Byte], '\n') + 1
	line, _, _ := strings.Cut(src[start:], "\n")
	return strings.TrimSpace(line)
}

// index fills byOp.
func (p *Profile) index() {
	p.byOp = map[string][]int{}
	for i := range p.Rules {
		p.byOp[p.Rules[i].Op] = append(p.byOp[p.Rules[i].Op], i)
	}
}
