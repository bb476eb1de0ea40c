package automata

import "slices"

// Form writes a set as a union of pieces: their numbers, ascending. Sets with
// equal forms are equal, for a number always stands for the same piece: the
// strings of a sequence of elements, or an expression made of the forms of its
// parts. Sets with different forms may be equal too.
func (c *Cache) Form(x Expr) []int32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return (&Bounds{cache: c}).form(x)
}

// The kinds of rows of Cache.forms.
const (
	formUnion int32 = iota // of the pieces that follow
	formAnd                // of the unions that follow
	formNot                // of the union that follows
	formIs                 // the label; then the default, and the union and label of each rule
)

// Form is that of [Cache.Form], or that of a smaller set that has the same strings
// within the bounds: so sets with equal forms are equal there. What has nothing
// within the bounds may have no pieces.
func (b *Bounds) Form(x Expr) []int32 {
	b.cache.mu.Lock()
	defer b.cache.mu.Unlock()
	return b.form(x)
}

func (b *Bounds) form(x Expr) []int32 {
	switch x := x.(type) {
	case Const:
		if !x {
			return nil
		}
		return b.piece(formAnd)
	case In:
		return b.lang(x.Lang)
	case Or:
		var out []int32
		for _, k := range x {
			out = append(out, b.form(k)...)
		}
		slices.Sort(out)
		return slices.Compact(out)
	case And:
		return b.and(x)
	case Not:
		form := b.form(x.X)
		if len(form) == 0 {
			return b.piece(formAnd)
		}
		return b.piece(formNot, b.row(formUnion, form...))
	case Is:
		parts := []int32{int32(x.Label), int32(x.List.Default)}
		for _, r := range x.List.Rules {
			parts = append(parts, b.union(r.When), int32(r.Label))
		}
		return b.piece(formIs, parts...)
	}
	panic("automata: internal error: an expression of an unknown kind; please report")
}

// and is the form of an And. Parts that are unions of sequences are one part, if
// what they have in common is such a union too.
func (b *Bounds) and(x And) []int32 {
	every := b.piece(formAnd)
	var forms [][]int32
	for _, k := range x {
		form := b.form(k)
		if len(form) == 0 {
			return nil
		}
		if slices.Equal(form, every) {
			continue
		}
		for i := 0; i < len(forms); i++ {
			if both, ok := b.cache.common(forms[i], form); ok {
				form = both
				forms = slices.Delete(forms, i, i+1)
				i = -1
			}
		}
		if len(form) == 0 {
			return nil
		}
		forms = append(forms, form)
	}
	if len(forms) == 1 {
		return forms[0]
	}
	// So that a union of such sets has the same form however it is put together,
	// each sequence is a piece with all other parts.
	each := slices.IndexFunc(forms, func(form []int32) bool { return form[0] >= 0 })
	var parts []int32
	for i, form := range forms {
		if i != each {
			parts = append(parts, b.row(formUnion, form...))
		}
	}
	if each < 0 {
		return b.conjunction(parts)
	}
	var out []int32
	for _, seq := range forms[each] {
		out = append(out, b.conjunction(append(parts[:len(parts):len(parts)], b.row(formUnion, seq)))...)
	}
	slices.Sort(out)
	return out
}

// conjunction returns the form of what all of some unions have.
func (b *Bounds) conjunction(parts []int32) []int32 {
	slices.Sort(parts)
	return b.piece(formAnd, slices.Compact(parts)...)
}

// common returns the sequences of what two unions of sequences have in common, or
// false if it cannot be said so.
func (c *Cache) common(x, y []int32) (both []int32, ok bool) {
	if x[0] < 0 || y[0] < 0 {
		return nil, false
	}
	if both, ok = c.cutAll(x, c.trie(y)); ok {
		return both, ok
	}
	return c.cutAll(y, c.trie(x))
}

func (c *Cache) cutAll(form []int32, trie *builder) (out []int32, ok bool) {
	for _, seq := range form {
		cut, ok := c.cut(seq, trie)
		if !ok {
			return nil, false
		}
		out = append(out, cut...)
	}
	slices.Sort(out)
	return slices.Compact(out), true
}

// piece returns an expression as a form: one piece, whose number is negative, so
// that it is not that of a sequence.
func (b *Bounds) piece(kind int32, parts ...int32) []int32 {
	return []int32{-1 - b.row(kind, parts...)}
}

// union returns the number of the form of an expression.
func (b *Bounds) union(x Expr) int32 { return b.row(formUnion, b.form(x)...) }

func (b *Bounds) row(kind int32, parts ...int32) int32 {
	b.key = append(append(b.key[:0], kind), parts...)
	return b.cache.forms.id(b.key)
}
