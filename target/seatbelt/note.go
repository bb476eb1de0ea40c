package seatbelt

import (
	"strconv"

	"github.com/sandboxc/sbc/ir"
)

// note is an origin as a comment: the address, and file and line if there are
// any.
func note(o ir.Origin) string {
	out := o.Address
	if o.Range.File != "" {
		out += " " + o.Range.File
		if o.Range.Start.Line > 0 {
			out += ":" + strconv.Itoa(o.Range.Start.Line)
		}
	}
	return out
}

func quote(s string) string { return strconv.Quote(s) }

// addressOr returns the address of an origin, or another one for a part of the
// policy that nobody wrote.
func addressOr(o ir.Origin, address string) string {
	if o.Address != "" {
		return o.Address
	}
	return address
}
