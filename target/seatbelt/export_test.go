package seatbelt

import (
	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
)

// Ends of regular expressions.
const (
	Itself  = itself
	Covered = covered
	Beneath = beneath
)

// Regex exports regex.
func Regex(a glob.Alternative, exact int, closes bool, end string) (string, bool) {
	return regex(a, exact, closes, end)
}

// Reach exports the index of openings.
type Reach struct{ x *reach }

// NewReach returns an index of openings.
func NewReach(ms ...ir.Match) Reach {
	x := newReach()
	for _, m := range ms {
		x.add(m)
	}
	return Reach{x}
}

// Prefix exports prefix.
func (r Reach) Prefix(base string, deep bool) (int, bool) { return r.x.prefix(base, deep) }
