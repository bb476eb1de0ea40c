package automata

import "slices"

// Bounds are some sets, together: the only strings that matter to a question. It
// is safe for concurrent use.
type Bounds struct {
	cache *Cache
	trie  *builder          // of the sequences of the sets; nil if everything matters
	cuts  map[int32][]int32 // what is left of sets, by their numbers
	key   []int32
}

// Bounds returns the bounds that are the union of some sets.
func (c *Cache) Bounds(of []Expr) *Bounds {
	c.mu.Lock()
	defer c.mu.Unlock()
	b := &Bounds{cache: c}
	form := b.form(Or(of))
	b.trie, b.cuts = c.trie(form), map[int32][]int32{}
	return b
}

// trie returns the trie of a form, nil if some piece is not a sequence.
func (c *Cache) trie(form []int32) *builder {
	c.row = append(append(c.row[:0], formUnion), form...)
	id := c.forms.id(c.row)
	if trie := c.tries[id]; trie != nil {
		return trie
	}
	trie := newBuilder(0)
	for _, piece := range form {
		if piece < 0 {
			return nil
		}
		trie.add(c.seqs.at(piece), nil)
	}
	c.tries[id] = trie
	return trie
}

// lang returns the sequences of a set, each cut to the bounds as far as that can
// be done.
func (b *Bounds) lang(l Lang) []int32 {
	lang := b.cache.langOf(l)
	ids := b.cache.lists.at(lang)
	if b.trie == nil {
		return ids
	}
	out, ok := b.cuts[lang]
	if !ok {
		for _, id := range ids {
			if cut, ok := b.cache.cut(id, b.trie); ok {
				out = append(out, cut...)
			} else {
				out = append(out, id)
			}
		}
		slices.Sort(out)
		out = slices.Compact(out)
		b.cuts[lang] = out
	}
	return out
}
