package automata

import "slices"

// wants collects what the pending rules of a state ask about. A mark is valid if
// it is gen.
type wants struct {
	gen     uint32
	leaves  []uint32 // that are pending and matter
	sunk    []uint32 // that are certain and must be remembered
	exprs   []uint32 // that have been visited
	lists   []uint32 // whose residue matters
	reaches []uint32 // lists of leaves that have been looked up
	hit     []bool   // whether they hold a leaf that matters
}

func newWants(p *program, n *nfa) wants {
	return wants{
		leaves: make([]uint32, n.leaves), sunk: make([]uint32, n.leaves), exprs: make([]uint32, len(p.exprs)),
		lists: make([]uint32, len(p.lists)), reaches: make([]uint32, len(n.lists)), hit: make([]bool, len(n.lists)),
	}
}

func (w *wants) begin() { w.gen++ }

// anyWanted reports whether a list of leaves, by its number, holds one that matters.
func (j *joint) anyWanted(reach int32) bool {
	w := &j.wants
	if w.reaches[reach] != w.gen {
		w.reaches[reach] = w.gen
		w.hit[reach] = false
		for _, leaf := range j.lists[reach] {
			if w.leaves[leaf] == w.gen {
				w.hit[reach] = true
				break
			}
		}
	}
	return w.hit[reach]
}

// wantList marks what the pending rules of a list ask about.
func (j *joint) wantList(i int32) {
	w := &j.wants
	if w.lists[i] == w.gen {
		return
	}
	w.lists[i] = w.gen
	rules := j.prog.lists[i].rules
	refuted := &j.refuted[i]
	*refuted = (*refuted)[:0]
	for _, k := range j.residues.at(j.after[i])[2:] {
		j.wantRule(rules[k].expr, refuted)
	}
}

// wantRule is want for the expression of a rule, as evalRule is eval. What is
// refuted stays so, without its leaves, as long as the rule that refutes it is
// pending, and holds no more once that is over.
func (j *joint) wantRule(x int32, refuted *[]int32) {
	e := &j.prog.exprs[x]
	switch {
	case e.op == opOr:
		for _, k := range e.kids {
			j.wantRule(k, refuted)
		}
	case slices.Contains(*refuted, x), e.op == opAnd && j.refutes(*refuted, e):
	default:
		j.want(x)
		if e.op == opAnd && j.eval(x) == isPending {
			if left := j.onlyPending(e); left >= 0 {
				*refuted = append(*refuted, left)
			}
		}
	}
}

// want marks what the value of an expression, known or pending, hangs on. What
// is known of it stays known as long as what is known of its parts does.
func (j *joint) want(x int32) {
	w := &j.wants
	e := &j.prog.exprs[x]
	known := j.eval(x) != isPending
	if e.op == opLeaf {
		switch {
		case !known:
			w.leaves[e.arg] = w.gen
		case j.sunk[e.arg] == j.gen:
			w.sunk[e.arg] = w.gen
		}
		return
	}
	if w.exprs[x] == w.gen {
		return
	}
	w.exprs[x] = w.gen
	if e.op == opIs {
		if j.from[e.arg] != 0 {
			j.wantList(e.arg)
		}
		return
	}
	for _, k := range e.kids {
		if !known || j.eval(k) != isPending {
			j.want(k)
		}
	}
}
