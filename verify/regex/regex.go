package regex

import (
	"fmt"
	"sync"
)

// Limits of an expression. Within them matching a path takes time proportional
// to its length.
const (
	// MaxDepth is how deep groups may nest.
	MaxDepth = 200
	// MaxSize is how many states an expression may have, once its counted
	// repetitions are written out.
	MaxSize = 20000
	// MaxCount is the largest number in a counted repetition.
	MaxCount = 255
)

// Use is a set of things that an expression relies on and that a caller may
// want to refuse, or to name as an assumption.
type Use uint16

// The uses.
const (
	// NegatedClass is [^...]: assumed to match a newline and bytes from 0x80.
	NegatedClass Use = 1 << iota
	// Dot is a "." outside of a class: assumed to match every byte.
	Dot
	// HighByte is a byte from 0x80 that is written out: assumed to stand for itself.
	HighByte
	// GroupRepeat is a group that may occur more than once: assumed to repeat as a whole.
	GroupRepeat
	// Dollar is $: assumed to match at the very end only.
	Dollar
	// Counted is {n}, {n,} or {n,m}: seen once in a profile of the system.
	Counted
	// ClassEscape is \w, \d, \s or a capital: \w was seen once, within a class.
	ClassEscape
	// LetterEscape is a backslash before another letter or a digit: assumed to be that character.
	LetterEscape
	// Stacked is a quantifier on a quantifier: assumed to apply to the whole.
	Stacked
	// NeverGroup is (?:...): known to match nothing.
	NeverGroup
)

// Has reports whether all of the uses in x are in u.
func (u Use) Has(x Use) bool { return u&x == x }

// Regex is a parsed expression. It does not change and may be used from several
// goroutines.
type Regex struct {
	source string
	root   Node
	uses   Use

	once sync.Once // the automaton is made when it is first needed
	prog program
}

// String returns the expression as it was written.
func (r *Regex) String() string { return r.source }

// Root returns the tree. It must not be changed.
func (r *Regex) Root() Node { return r.root }

// Uses returns what the expression relies on.
func (r *Regex) Uses() Use { return r.uses }

// Anchored reports whether every match starts at the start of the path.
func (r *Regex) Anchored() bool { return anchored(r.root) }

func anchored(n Node) bool {
	switch n := n.(type) {
	case Begin, Never:
		return true
	case Concat:
		return anchored(n[0])
	case Alt:
		for _, x := range n {
			if !anchored(x) {
				return false
			}
		}
		return true
	case Repeat:
		return n.Min > 0 && anchored(n.Node)
	case Empty, Set, End:
	}
	return false
}

// Error says why an expression cannot be read.
type Error struct {
	Pattern string
	Offset  int // 0-based byte offset in Pattern
	Msg     string
}

// Error returns the message with the expression and the offset.
func (e *Error) Error() string {
	return fmt.Sprintf("in the regular expression %q at byte %d: %s", e.Pattern, e.Offset, e.Msg)
}
