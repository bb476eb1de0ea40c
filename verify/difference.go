package verify

import (
	"slices"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/diag"
)

// Direction is the way in which an artefact differs from the policy.
type Direction uint8

const (
	// Permits means that the artefact permits what the policy denies.
	Permits Direction = iota + 1
	// Denies means that the artefact denies what the policy permits.
	Denies
)

// String returns "permits" or "denies".
func (d Direction) String() string {
	switch d {
	case Permits:
		return "permits"
	case Denies:
		return "denies"
	}
	return "invalid direction"
}

// Claim is what a report says of one file rule.
type Claim struct {
	Rule int       // index in Policy.Files
	Code diag.Code // of the loss
	// Direction is Denies for what is narrower than the rule, Permits for what
	// is wider or dropped.
	Direction Direction
	// Later is set for what holds for everything that exists at the start, and
	// for that alone.
	Later bool
	// Closed says who closes what comes later although the artefact does not. The
	// claim counts only if that one is at work.
	Closed Watch
}

// Watch is what a launcher decides while a command runs, as the policy does; each
// includes those before it.
type Watch uint8

// The watches.
const (
	WatchNothing  Watch = iota
	WatchNames          // what makes, links or renames a name
	WatchRemovals       // and what removes one
)

// Difference is a path on which an artefact does not decide as the policy does.
type Difference struct {
	Op        ir.Op
	As        string // the name of the operation on the target, if it has several
	Direction Direction
	Path      string
	Dir       bool // the path is a directory, or would be made as one
	Missing   bool // nothing exists there at the start, as far as is known
	// Rule is the index of the rule by which the policy decides, -1 if none
	// does.
	Rule int
	// Others are the other rules that speak about the path.
	Others []int
	// Emitted is the part of the artefact that decides, and Line where it
	// stands: a line, 1-based, or the index of an argument; -1 if no part does.
	Emitted string
	Line    int
	// Declared is the code of the claim that covers the difference, or empty.
	Declared diag.Code
}

// Proof is the result of a comparison.
type Proof struct {
	// Differences are all kinds of difference that were found, each with a
	// shortest path. None means that the artefact is equal to the policy.
	Differences []Difference
	// Holes are what the artefact leaves open besides files.
	Holes []Hole
	// Assumed are the names of the assumptions that the artefact relies on.
	Assumed []string
	// States says how much was compared: automaton states or paths.
	States int
}

// Hole is something that the artefact leaves open although the policy closes
// it, apart from files.
type Hole struct {
	Name string // stable
	Line int    // a line, 1-based, or the index of an argument; -1 if something is missing
	Text string // one sentence
	// Note is set for what opens nothing: a report that says less than is so.
	Note bool
}

// Undeclared are the differences that no claim covers.
func (p *Proof) Undeclared() []Difference {
	var out []Difference
	for _, d := range p.Differences {
		if d.Declared == "" {
			out = append(out, d)
		}
	}
	return out
}

// Holds reports whether the artefact means what the policy says, but for what
// the claims declare.
func (p *Proof) Holds() bool {
	return len(p.Undeclared()) == 0 && !slices.ContainsFunc(p.Holes, func(h Hole) bool { return !h.Note })
}

// claims finds claims by their rule.
type claims map[int][]Claim

// newClaims leaves out the claims on what is closed by nobody who is at work.
func newClaims(list []Claim, watch Watch) claims {
	out := claims{}
	for _, c := range list {
		if c.Closed > watch {
			continue
		}
		out[c.Rule] = append(out[c.Rule], c)
	}
	return out
}

// cover sets the claim that declares a difference, if one does. Pins are the
// rules that pin the path, if it is pinned.
func (cs claims) cover(d *Difference, when moment, pins []int) {
	if d.Direction == Permits {
		d.Declared = cs.permits(d, when, pins)
		return
	}
	for _, rule := range slices.Concat([]int{d.Rule}, d.Others) {
		for _, c := range cs[rule] {
			if c.Direction == Denies {
				d.Declared = c.Code
				return
			}
		}
	}
}

// permits returns the code of the claim by which an artefact may permit what the
// policy denies. It is on the rule that decides; other rules that speak about the
// path may be weaker than written, that one must not be. What is pinned, every
// rule that pins it must let go.
func (cs claims) permits(d *Difference, when moment, pins []int) diag.Code {
	rules := pins
	if len(pins) == 0 {
		rules = []int{d.Rule}
	}
	var code diag.Code
	for _, rule := range rules {
		i := slices.IndexFunc(cs[rule], func(c Claim) bool { return c.opens(len(pins) > 0, when) })
		if i < 0 {
			return ""
		}
		code = cs[rule][i].Code
	}
	return code
}

// moment says when a path is what the difference says of it.
type moment uint8

const (
	existing moment = iota // it exists at the start
	later                  // it comes into being during the run
	linked                 // it is a symbolic link, which can be replaced
)

// whenIs is the moment of a path that is missing at the start, or a link.
func whenIs(missing, link bool) moment {
	switch {
	case missing:
		return later
	case link:
		return linked
	}
	return existing
}

// opens reports whether a claim lets a path be open that its rule closes, or
// pins. A claim on what comes later is about what does not exist, and about
// links, which can be replaced. Those on moves are about what is renamed, and
// those on aliases about other names: neither opens the path itself.
func (c Claim) opens(pinned bool, when moment) bool {
	switch {
	case c.Closed == WatchNames:
		return when == later
	case c.Direction != Permits, c.Code == diag.CodePlantable, c.Code == diag.CodeAlias:
		return false
	case c.Code == diag.CodeMovable:
		return pinned
	}
	return when != existing || !c.Later
}
