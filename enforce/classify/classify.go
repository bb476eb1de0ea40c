package classify

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sandboxc/sbc/enforce/trace"
	"github.com/sandboxc/sbc/ir"
)

// Input is what is known of a run.
type Input struct {
	// Exit is the command's status, and Signal the signal that ended it, or 0.
	// Bubblewrap and shells report a signal n as status 128+n.
	Exit   int
	Signal int
	// Stderr is what the command wrote there, or the parts that were kept of it.
	Stderr string
	// Trace is what was recorded, if anything was.
	Trace []trace.Record
	// Decider answers for the policy that was in force, grants included. Required.
	Decider *ir.Decider
	// Network is the mode that was in force.
	Network ir.NetworkMode
	// Dir is the directory that the command started in, absolute and clean.
	Dir string
	// Resolve follows the symbolic links of a path on the host, for a decision;
	// nil follows none.
	Resolve func(path string) string
	// Exists reports whether the host has a path; nil knows of none.
	Exists func(path string) bool
}

// maxViolations bounds the answer.
const maxViolations = 1000

// sigsys is SIGSYS on every Linux that sbc knows, and statusSys the status that
// shells make of it.
const (
	sigsys    = 31
	statusSys = 128 + sigsys
)

// Classify returns what the command ran into, the strongest evidence first, each
// operation on each path or host once.
func Classify(in Input) []Violation {
	c := &classifier{Input: in, at: map[key]int{}}
	c.signal()
	for i := range in.Trace {
		c.record(&in.Trace[i])
	}
	if in.Exit != 0 || in.Signal != 0 {
		for _, m := range parse(in.Stderr) {
			c.message(m)
		}
	}
	slices.SortStableFunc(c.found, func(a, b Violation) int {
		return cmp.Or(
			cmp.Compare(rank(a), rank(b)),
			cmp.Compare(a.Path, b.Path),
			cmp.Compare(a.Host, b.Host),
			cmp.Compare(a.Op, b.Op),
		)
	})
	return c.found
}

// rank orders by evidence, then by confidence.
func rank(v Violation) int {
	return 10*slices.Index([]Evidence{BySignal, ByTrace, ByStderr}, v.Evidence) + slices.Index([]Confidence{Certain, Likely, Possible}, v.Confidence)
}

// key is what makes two violations the same.
type key struct {
	op         Op
	path, host string
}

type classifier struct {
	Input
	found []Violation
	at    map[key]int
}

// add keeps a violation, or the stronger of two about the same.
func (c *classifier) add(v Violation) {
	k := key{v.Op, v.Path, v.Host}
	i, ok := c.at[k]
	switch {
	case ok && rank(c.found[i]) > rank(v):
		c.found[i] = v
	case !ok && len(c.found) < maxViolations:
		c.at[k] = len(c.found)
		c.found = append(c.found, v)
	}
}

// signal finds the signal of the filter.
func (c *classifier) signal() {
	v := Violation{Op: Syscall, Rule: Rule{Index: -1}, Effect: Deny, Evidence: BySignal, Confidence: Certain}
	switch {
	case c.Signal == sigsys:
		v.Text = "the system call filter ended the command with SIGSYS, as it does for calls through a 32-bit entry of the kernel"
	case c.Signal == 0 && c.Exit == statusSys:
		v.Confidence = Likely
		v.Text = "the status 159 is that of SIGSYS: the system call filter ended a process, as it does for calls through a 32-bit entry of the kernel"
	default:
		return
	}
	c.add(v)
}

// absolute returns the path that a message means, or nothing if it means none.
func (c *classifier) absolute(text string) string {
	switch {
	case text == "" || strings.ContainsRune(text, 0):
		return ""
	case strings.HasPrefix(text, "~/"):
		text = c.Decider.Policy().Home + text[1:]
	case !path.IsAbs(text):
		if !path.IsAbs(c.Dir) {
			return ""
		}
		text = c.Dir + "/" + text
	}
	return c.resolve(path.Clean(text))
}

func (c *classifier) resolve(p string) string {
	if c.Resolve != nil {
		if to := c.Resolve(p); ir.Clean(to) {
			return to
		}
	}
	return p
}

// closed asks the policy about a path. ok is false if it permits the operation.
func (c *classifier) closed(op ir.Op, p string, dir bool) (v Violation, ok bool) {
	if !ir.Clean(p) {
		return v, false
	}
	d := c.Decider.Decide(op, p, dir)
	if d.Effect == ir.Allow {
		return v, false
	}
	v = Violation{Op: opOf(op), Path: p, Dir: dir, Effect: None, Rule: Rule{Index: d.Rule}, Pinned: d.Pinned}
	if d.Rule < 0 {
		return v, true
	}
	r := &c.Decider.Policy().Files[d.Rule]
	v.Rule = Rule{Index: d.Rule, Address: r.Origin.Address, Guard: r.Guard, Reason: r.Reason, Position: r.Origin.Range}
	switch {
	case d.Pinned:
		// The rule is the one that permits writing. What is pinned because its
		// parent is closed can be granted; what protects something below cannot.
		if c.Decider.Decide(ir.Write, ir.Parent(p), true).Effect == ir.Allow {
			v.Effect = Deny
		}
	case d.Effect == ir.Ask:
		v.Effect = Ask
	case r.Group == ir.GroupDeny || r.Group == ir.GroupGlob:
		v.Effect = Deny
	}
	return v, true
}

// describe writes the sentence of a violation about a path.
func describe(v Violation, what string) string {
	by := "nothing in the policy opens it"
	switch {
	case v.Pinned:
		by = "it may be written, but not moved or removed"
		if v.Effect == None {
			by += ", for its directory may not be written"
		} else {
			by += ", for it holds something that is closed"
		}
	case v.Rule.Address != "" && v.Effect == Ask:
		by = "closed by " + v.Rule.Address + ", which a grant opens"
	case v.Rule.Address != "" && v.Effect == Deny:
		by = "closed by " + v.Rule.Address + ", which no grant opens"
	case v.Rule.Address != "":
		by = "closed by " + v.Rule.Address
	}
	return fmt.Sprintf("%s %s: %s (%s)", v.Op, visible(v.Path), by, what)
}
