package verify

import (
	"fmt"

	"github.com/sandboxc/sbc/verify/automata"
	"github.com/sandboxc/sbc/verify/sbpl"
)

// Alike marks the closings of two lists that hold the same paths together, by
// their forms, wherever the openings hold something.
func Alike(want, got, open []automata.Expr) (inWant, inGot []bool) {
	list := func(name string, label uint8, xs []automata.Expr) entries {
		var out entries
		for i, x := range xs {
			out = append(out, entry{key: fmt.Sprint(name, i), when: x, label: label, wild: true})
		}
		return out
	}
	p := newPartProof(domain(), 0)
	rest := list("open ", allowed, open)
	return p.formsIn(rest, p.key(rest)).alike(list("want ", denied, want), list("got ", denied, got))
}

// Certain is what is certain of a filter, by itself and by the set that it is.
func Certain(f sbpl.Filter, vnode string) (value, ok bool, set automata.Expr) {
	value, ok = certain(f, vnode)
	return value, ok, filterExpr(f, vnode)
}

// CertainParts is what is certain of the parts of a filter.
func CertainParts(f sbpl.Filter, vnode string) string { return string(appendCertain(nil, f, vnode)) }
