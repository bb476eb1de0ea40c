package seccomp

import (
	"fmt"
	"strings"
)

// String returns the program as text, one instruction on a line: a label where
// a jump arrives, the operation, its operand by name where the rules name it,
// and for a comparison where it goes if it holds and if it does not ("next" is
// the line below, an action is a return with it).
func (p Program) String() string {
	known := p.trace()
	labels := p.labels(known)
	var b strings.Builder
	for i, in := range p {
		if l := labels[i]; l != "" {
			fmt.Fprintf(&b, "%s:\n", l)
		}
		b.WriteString("\t" + in.text(known[i]))
		switch in.Code {
		case opJEQ, opJGT, opJGE:
			fmt.Fprintf(&b, " ? %s : %s", p.place(labels, i, int(in.JT)), p.place(labels, i, int(in.JF)))
		case opJump:
			b.WriteString(" " + p.place(labels, i, int(in.K)))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// text returns the operation and its operand.
func (in Instruction) text(k knowledge) string {
	switch in.Code {
	case opLoad:
		return "load " + wordAt(in.K).String()
	case opAnd:
		return "and " + k.name(in.K)
	case opJEQ:
		return "jeq " + k.name(in.K)
	case opJGT:
		return "jgt " + k.name(in.K)
	case opJGE:
		return "jge " + k.name(in.K)
	case opJump:
		return "jump"
	case opRet:
		return "ret " + Action(in.K).String()
	default:
		return fmt.Sprintf("code=%#04x jt=%d jf=%d k=%#x", in.Code, in.JT, in.JF, in.K)
	}
}

// place names the instruction that a jump at i arrives at after skipping some.
func (p Program) place(labels []string, i, skip int) string {
	to := i + 1 + skip
	switch {
	case skip < 0 || to >= len(p):
		return fmt.Sprintf("outside(+%d)", skip)
	case skip == 0:
		return "next"
	case p[to].Code == opRet:
		return Action(p[to].K).String()
	default:
		return labels[to]
	}
}

// labels returns a label for each instruction that a jump skips others to
// arrive at: the call that is compared there, or L and a number. Returns need
// none, for the jump names them by their action.
func (p Program) labels(known []knowledge) []string {
	out := make([]string, len(p))
	target := make([]bool, len(p))
	mark := func(i, skip int) {
		if to := i + 1 + skip; skip > 0 && to < len(p) && p[to].Code != opRet {
			target[to] = true
		}
	}
	used := map[string]bool{}
	n := 0
	for i, in := range p {
		switch in.Code {
		case opJEQ, opJGT, opJGE:
			mark(i, int(in.JT))
			mark(i, int(in.JF))
		case opJump:
			mark(i, int(in.K))
		}
		if !target[i] {
			continue
		}
		out[i] = callName(known[i].arch, in.K)
		if in.Code != opJEQ || known[i].word != wordNr || out[i] == "" || used[out[i]] {
			n++
			out[i] = fmt.Sprintf("L%d", n)
		}
		used[out[i]] = true
	}
	return out
}
