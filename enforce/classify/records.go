package classify

import (
	"fmt"
	"path"

	"github.com/sandboxc/sbc/enforce/trace"
	"github.com/sandboxc/sbc/ir"
)

// record holds one record of the trace against the policy.
func (c *classifier) record(r *trace.Record) {
	what := fmt.Sprintf("%s: %s", r.Call, r.Errno)
	if r.Exe != "" {
		what += " in " + visible(path.Base(r.Exe))
	}
	switch {
	case r.Op == 0:
		c.connection(r, what)
	case r.Errno == "ENOENT" || r.Errno == "ENOTDIR":
		c.hidden(r.Op, r.Path, r.Dir, ByTrace, what)
		if r.To != "" {
			c.hidden(ir.Write, r.To, r.Dir, ByTrace, what)
		}
	default:
		found := c.refused(r, r.Op, r.Path, what)
		if r.To != "" {
			found = c.refused(r, ir.Write, r.To, what) || found
			if !found && r.Op == ir.Unlink { // it would have replaced what is there
				found = c.refused(r, ir.Unlink, r.To, what)
			}
		}
		if !found {
			c.edge(r, what)
		}
	}
}

// refused is a call that the kernel refused. It reports whether the policy closes
// the path for it.
func (c *classifier) refused(r *trace.Record, op ir.Op, p, what string) bool {
	dir := r.Dir
	p = c.resolve(p)
	v, ok := c.closed(op, p, dir)
	if !ok {
		return false
	}
	v.Evidence, v.Confidence = ByTrace, Certain
	if !r.Decided && c.ownPermissions(r.Errno, op, p, dir) {
		v.Confidence = Possible
		what += ", which the file's own permissions cause"
	}
	v.Text = describe(v, what)
	c.add(v)
	return true
}

// ownPermissions reports whether an error on Linux is that of the file's own
// permissions or owner. A mount that is read-only answers EROFS, and only what
// is hidden from reading answers EACCES; no mount answers EPERM.
func (c *classifier) ownPermissions(errno string, op ir.Op, p string, dir bool) bool {
	if c.Decider.Target() != ir.Linux {
		return false
	}
	switch errno {
	case "EPERM":
		return true
	case "EACCES":
		return op != ir.Read && c.Decider.Decide(ir.Read, p, dir).Effect == ir.Allow
	}
	return false
}

// edge is a refusal of what the policy permits, by a mount: between two mounts
// nothing can be renamed or linked, and a mount point cannot be replaced. Where
// the command succeeded nevertheless it found another way.
func (c *classifier) edge(r *trace.Record, what string) {
	if c.Exit == 0 && c.Signal == 0 {
		return
	}
	switch r.Errno {
	case "EXDEV", "EBUSY", "EROFS":
	default:
		return
	}
	v := Violation{
		Op: opOf(r.Op), Path: c.resolve(r.Path), Dir: r.Dir, Rule: Rule{Index: -1}, Effect: Deny, Evidence: ByTrace, Confidence: Possible,
	}
	v.Text = fmt.Sprintf("%s %s: the policy permits it, but a mount of the sandbox lies there or in between (%s)", v.Op, visible(v.Path), what)
	c.add(v)
}

// hidden is a path that looked missing. It counts if the policy closes it for
// reading and the host has it, or, for what was to be made, has its directory.
func (c *classifier) hidden(op ir.Op, p string, dir bool, by Evidence, what string) bool {
	p = c.resolve(p)
	if c.Exists == nil || !ir.Clean(p) {
		return false
	}
	at, isDir := p, dir
	if !c.Exists(p) {
		if op == ir.Read || p == "/" {
			return false
		}
		if at, isDir = ir.Parent(p), true; !c.Exists(at) {
			return false
		}
	}
	if _, ok := c.closed(ir.Read, at, isDir); !ok {
		return false
	}
	v, ok := c.closed(op, p, dir)
	if !ok {
		return false
	}
	v.Evidence, v.Confidence, v.Missing = by, Likely, true
	v.Text = describe(v, what+"; the host has it")
	c.add(v)
	return true
}
