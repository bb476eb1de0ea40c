package classify

import (
	"fmt"

	"github.com/sandboxc/sbc/ir"
)

// message holds one message against the policy.
func (c *classifier) message(m message) {
	switch {
	case m.sigsys:
		c.add(Violation{
			Op: Syscall, Rule: Rule{Index: -1}, Effect: Deny, Evidence: ByStderr, Confidence: Likely,
			Text: fmt.Sprintf("the system call filter ended a process with SIGSYS (%s)", excerpt(m.line)),
		})
	case m.net:
		c.unreachable(m)
	default:
		for _, t := range m.targets {
			c.target(m, t)
		}
	}
}

// unreachable is a message about a host.
func (c *classifier) unreachable(m message) {
	v, ok := c.host(m.host)
	if !ok {
		return
	}
	v.Evidence = ByStderr
	if v.Confidence == "" {
		v.Confidence = Likely
		if m.host == "" || m.weak {
			v.Confidence = Possible
		}
	}
	v.Text = fmt.Sprintf("%s (%s)", v.Text, excerpt(m.line))
	c.add(v)
}

// target finds the first reading of a path that the policy closes.
func (c *classifier) target(m message, t target) {
	for _, text := range t.alternatives {
		p := c.absolute(text)
		if p != "" && c.said(m, t, p) {
			return
		}
	}
}

// said is a path that a message names. It reports whether it is a violation.
func (c *classifier) said(m message, t target, p string) bool {
	what := excerpt(m.line)
	if m.errno == "ENOENT" {
		op := t.op
		if op == 0 {
			op = ir.Read
		}
		return !t.weak && c.hidden(op, p, t.dir, ByStderr, what)
	}
	for _, op := range c.ops(m.errno, t.op) {
		v, ok := c.closed(op, p, t.dir)
		if !ok {
			continue
		}
		v.Evidence, v.Confidence = ByStderr, Likely
		switch {
		case c.ownPermissions(m.errno, op, p, t.dir):
			if t.op == 0 {
				continue // nothing says that it wanted to write
			}
			v.Confidence = Possible
		case t.weak:
			v.Confidence = Possible
		}
		v.Text = describe(v, what)
		c.add(v)
		return true
	}
	return false
}

// ops are the operations that an error can be about, the likeliest first.
func (c *classifier) ops(errno string, said ir.Op) []ir.Op {
	if said == ir.Read && (errno == "EROFS" || errno == "EXDEV" || errno == "EBUSY") {
		return nil // the error is about the other path
	}
	switch errno {
	case "EROFS": // only what changes something gets this
		if said == ir.Unlink {
			return []ir.Op{ir.Unlink}
		}
		return []ir.Op{ir.Write}
	case "EBUSY":
		if said == ir.Write {
			return []ir.Op{ir.Write, ir.Unlink}
		}
		return []ir.Op{ir.Unlink}
	case "EXDEV":
		if said == ir.Unlink {
			return []ir.Op{ir.Unlink}
		}
		return []ir.Op{ir.Write}
	}
	if said == 0 {
		if c.Decider.Target() == ir.Linux {
			return []ir.Op{ir.Read}
		}
		return []ir.Op{ir.Read, ir.Write}
	}
	return []ir.Op{said}
}
