package automata

import "slices"

// Bounds are some sets, together: the only strings that matter to a question. It
// is safe for concurrent use.
type Bounds struct {
	cache *Cache
	trie  *builder // of the sequences of the sets; nil if everything matters
	key   []int32
}

// Bounds returns the bounds that are the union of some sets.
func (c *Cache) Bounds(of []Expr) *Bounds {
	c.mu.Lock()
	defer c.mu.Unlock()
	b := &Bounds{cache: c}
	b.trie = c.trie(b.form(Or(of)))
	return b
}

// trie returns the trie of a form, nil if some piece is not a sequence.
func (c *Cache) trie(form []int32) *builder {
	trie := newBuilder(0)
	for _, piece := range form {
		if piece < 0 {
			return nil
		}
		trie.add(c.seqs.at(piece), nil)
	}
	return trie
}

// lang returns the sequences of a set, each cut to the bounds as far as that can
// be done.
func (b *Bounds) lang(l Lang) []int32 {
	ids := b.cache.lists.at(b.cache.langOf(l))
	if b.trie == nil {
		return slices.Clone(ids)
	}
	var out []int32
	for _, id := range ids {
		if cut, ok := b.cache.cut(id, b.trie); ok {
			out = append(out, cut...)
		} else {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
