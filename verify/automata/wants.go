package automata

// wants knows what the pending rules of a state ask about, for each combination
// of residues.
type wants struct {
	vectors table
	known   []*wanted
	leaves  int // how many there are, and so on
	lists   int
	reaches int
}

// maxWantedBytes is how much is remembered before all of it is forgotten.
const maxWantedBytes = 16 << 20

// wanted is what one combination of residues asks about.
type wanted struct {
	leaves []bool
	lists  []bool  // whose residue matters
	reach  []truth // whether a list of leaves, by its number, holds one of the leaves
	exprs  map[int32]bool
}

// truth is a yes or a no that may not be known yet.
type truth uint8

const (
	unknown truth = iota
	no
	yes
)

func newWants(p *program, n *nfa) wants {
	return wants{leaves: n.leaves, lists: len(p.lists), reaches: len(n.lists)}
}

// of returns what residues ask about, and whether that is known already.
func (w *wants) of(residues []int32) (*wanted, bool) {
	id := w.vectors.id(residues)
	if int(id) < len(w.known) {
		return w.known[id], true
	}
	if len(w.known) > 0 && len(w.known)*(w.leaves+w.reaches) > maxWantedBytes {
		w.vectors, w.known = table{}, w.known[:0]
		w.vectors.id(residues)
	}
	k := &wanted{leaves: make([]bool, w.leaves), lists: make([]bool, w.lists), exprs: map[int32]bool{}}
	w.known = append(w.known, k)
	return k, false
}

// any reports whether a list of leaves, by its number, holds one that matters.
func (w *wants) any(k *wanted, n *nfa, reach int32) bool {
	if k.reach == nil {
		k.reach = make([]truth, len(n.lists))
	}
	if k.reach[reach] == unknown {
		k.reach[reach] = no
		for _, leaf := range n.lists[reach] {
			if k.leaves[leaf] {
				k.reach[reach] = yes
				break
			}
		}
	}
	return k.reach[reach] == yes
}

// wantList marks what the pending rules of a list ask about.
func (j *joint) wantList(w *wanted, i int32) {
	if w.lists[i] {
		return
	}
	w.lists[i] = true
	for rest := j.residues.at(j.after[i])[2:]; len(rest) > 0; rest = rest[2:] {
		j.want(w, rest[0])
	}
}

func (j *joint) want(w *wanted, x int32) {
	e := &j.prog.exprs[x]
	if e.op == opLeaf {
		w.leaves[e.arg] = true
		return
	}
	if w.exprs[x] {
		return
	}
	w.exprs[x] = true
	if e.op == opIs {
		j.wantList(w, e.arg)
	}
	for _, k := range e.kids {
		j.want(w, k)
	}
}
