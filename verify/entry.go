package verify

import "github.com/sandboxc/sbc/verify/automata"

// entry is one rule of a decision list, with what a proof by parts wants to
// know of it.
type entry struct {
	key   string // equal for entries that hold the same paths
	when  automata.Expr
	label uint8
	// wild is set if the entry holds more than a path and what lies beneath.
	wild bool
	// group says what the entry is best compared with. Entries with different
	// exceptions are not compared together if that can be helped: an automaton
	// must know of each whether it has matched. And what several operations have
	// in common is compared once, apart from what is one operation's own.
	group string
	// samples are some paths that the entry may hold, to find what it is to be
	// compared with.
	samples []string
}

// The groups of entries beside those for single sets of exceptions, which start
// with one of these.
const (
	groupPlain    = "plain"     // closings without exceptions
	groupNonDir   = "nondir"    // what is closed where it is no directory
	groupPins     = "pins"      // what only unlinking and making names ask
	groupExcept   = "except "   // closings with exceptions
	groupChildren = "children " // names in what is closed with exceptions
)

// entries is a decision list whose default is to deny.
type entries []entry

func (es entries) list() automata.List {
	out := automata.List{Default: denied}
	for _, e := range es {
		out.Rules = append(out.Rules, automata.Rule{When: e.when, Label: e.label})
	}
	return out
}

// run splits off the entries at the top that have the label.
func (es entries) run(label uint8) (top, rest entries) {
	n := 0
	for n < len(es) && es[n].label == label {
		n++
	}
	return es[:n], es[n:]
}

// shut reports whether nothing that the list denies at its top leaves anything
// open.
func (es entries) shut() bool {
	top, _ := es.run(denied)
	for _, e := range top {
		if e.when == automata.Const(true) {
			return true
		}
	}
	return false
}

// wild reports whether an entry that denies is wild.
func (es entries) wild() bool {
	for _, e := range es {
		if e.wild && e.label == denied {
			return true
		}
	}
	return false
}

// holds reports whether any entry holds the path.
func (es entries) holds(path string) bool {
	for _, e := range es {
		if e.when.Contains(path) {
			return true
		}
	}
	return false
}

// union is the set of all that the entries hold.
func (es entries) union() automata.Expr {
	out := make(automata.Or, len(es))
	for i, e := range es {
		out[i] = e.when
	}
	return out
}

// allows reports whether the list allows a path.
func (es entries) allows(path string) bool {
	for _, e := range es {
		if e.when.Contains(path) {
			return e.label == allowed
		}
	}
	return false
}
