package document

import (
	"github.com/zclconf/go-cty/cty"
)

// weight bounds a value from above. Its units are values and bytes of strings.
// What an expression may come to is known from the weights of what it refers
// to, before it is evaluated, so that a short policy cannot ask for a long
// evaluation.
type weight struct {
	size  int64   // all of the value
	count int64   // direct elements
	elem  *weight // each element, with its key; nil without elements
}

// saturated is more than any bound. Sums and products stay at it.
const saturated = int64(1) << 50

func sum(list ...int64) int64 {
	var n int64
	for _, x := range list {
		n = min(n+x, saturated)
	}
	return n
}

func product(a, b int64) int64 {
	if a > 0 && b > saturated/a {
		return saturated
	}
	return a * b
}

func scalar(size int64) weight { return weight{size: size} }

// list is the weight of n elements.
func list(n int64, elem weight) weight {
	return weight{size: sum(1, product(n, elem.size)), count: n, elem: &elem}
}

// inside is the weight of an element.
func (w weight) inside() weight {
	if w.elem == nil {
		return scalar(1)
	}
	return *w.elem
}

// either is the weight of the one or the other.
func either(a, b weight) weight {
	out := weight{size: max(a.size, b.size), count: max(a.count, b.count), elem: a.elem}
	switch {
	case out.elem == nil:
		out.elem = b.elem
	case b.elem != nil:
		e := either(*a.elem, *b.elem)
		out.elem = &e
	}
	return out
}

// join adds an element with its key to a collection.
func (w *weight) join(key, elem weight) {
	elem.size = sum(elem.size, key.size)
	w.size, w.count = sum(w.size, elem.size), w.count+1
	if w.elem != nil {
		elem = either(*w.elem, elem)
	}
	w.elem = &elem
}

// measure weighs a value that is there.
func measure(v cty.Value) weight {
	if v.IsNull() || !v.IsKnown() {
		return scalar(1)
	}
	switch t := v.Type(); {
	case t == cty.String:
		return scalar(int64(len(v.AsString())) + 1)
	case t == cty.Number:
		return scalar(digits(v))
	case t.IsTupleType(), t.IsObjectType(), t.IsCollectionType():
		out := scalar(1)
		for it := v.ElementIterator(); it.Next(); {
			k, e := it.Element()
			key := scalar(0)
			if k.Type() == cty.String {
				key = measure(k)
			}
			out.join(key, measure(e))
		}
		return out
	}
	return scalar(1)
}

// digits bounds the length of a number in a template.
func digits(v cty.Value) int64 {
	f := v.AsBigFloat()
	e := int64(f.MantExp(nil)) // a power of two
	if f.IsInt() && e < 64 {
		return 20
	}
	return max(e, -e)/3 + fraction
}

// fraction bounds the digits of a number without its exponent: cty counts with
// 512 bits.
const fraction = 160
