package automata

// joint walks all lists of a program at once, from one slash of a path to the
// next. Its states are made while the walk goes on and are kept once each. A
// state is a row of numbers: the residue of each list, and the states of the
// automaton that are live.
//
// The residue of a list is what is left of it: the list, the label that answers
// if no rule does, and the expression and label of each rule that is pending.
// What is certain of an expression has been taken out of it. Residue 0 is that
// of a list that nobody asks about.
type joint struct {
	*nfa
	prog     *program
	rows     table
	residues table
	maxRows  int

	// What follows is scratch space for one step. A mark is valid if it is gen.
	gen      uint32
	from     []int32  // the row that is left
	seen     []uint32 // of lists of leaves that have been marked as pending
	pending  []uint32 // of leaves that may become true
	certain  []uint32 // of leaves that hold whatever follows
	live     []int32  // the states after the step
	set      int32    // their number
	marked   bool     // pending and certain are up to date
	after    []int32  // the residues
	afterGen []uint32
	pend     [][]int32 // a buffer for each list, for they nest
	exprGen  []uint32
	exprVal  []int32 // what is left of an expression
	wants    wants
	row      []int32
	vectors  table            // the residues of rows, all lists together
	vector   int32            // that of the row that was left
	clusters table            // the residue of a list with those of the lists that it asks about
	steps    map[uint64]int32 // rows, by the vector that was left and the set that is live
	advanced map[uint64]int32 // residues or clusters, by those before and the set that is live
}

// newJoint returns the walk over the lists of a program, standing at row 0.
func newJoint(p *program, maxRows int) (*joint, error) {
	n, ok := p.automaton(8*maxRows + 1000)
	if !ok {
		return nil, &BudgetError{States: maxRows}
	}
	j := &joint{
		nfa: n, prog: p, maxRows: maxRows,
		from: make([]int32, len(p.lists)), seen: make([]uint32, len(n.lists)),
		pending: make([]uint32, n.leaves), certain: make([]uint32, n.leaves),
		after: make([]int32, len(p.lists)), afterGen: make([]uint32, len(p.lists)), pend: make([][]int32, len(p.lists)),
		wants: newWants(p, n), steps: map[uint64]int32{}, advanced: map[uint64]int32{},
	}
	j.residues.id(nil)
	for i := range p.lists {
		l := &p.lists[i]
		r := []int32{int32(i), l.def}
		for _, k := range l.rules {
			r = append(r, k.expr, k.label)
		}
		j.from[i] = j.residues.id(r)
	}
	_, err := j.step(-1, n.start)
	return j, err
}

// leave loads the row that the next steps start from.
func (j *joint) leave(row int32) {
	j.from = append(j.from[:0], j.rows.at(row)...)
	j.vector = j.vectors.id(j.from[:len(j.prog.lists)])
}

// left returns the states that are live in the row that was left.
func (j *joint) left() []int32 { return j.from[len(j.prog.lists):] }

// settled returns the label that the list has for every string from here on, in
// the row that was left.
func (j *joint) settled(list int) (label int32, ok bool) {
	r := j.residues.at(j.from[list])
	return r[1], len(r) == 2
}

// follow returns the row that is reached from the one that was left, by a
// segment and a slash after which the states of the automaton are live. Set is
// their number.
func (j *joint) follow(set int32, states []int32) (row int32, err error) {
	key := uint64(j.vector)<<32 | uint64(uint32(set))
	row, ok := j.steps[key]
	if !ok {
		row, err = j.step(set, states)
		remember(j.steps, key, row)
	}
	return row, err
}

// step is follow for a step that has not been taken before. The row that it
// leads to keeps only what a pending rule still asks about.
func (j *joint) step(set int32, states []int32) (row int32, err error) {
	j.gen++
	j.set, j.live, j.marked = set, states, false
	for i := range j.prog.tops {
		j.advance(int32(i))
		if i == 0 && j.outside() {
			return nowhere, nil
		}
	}
	reaches := j.wanted()
	for _, s := range states {
		if j.wants.any(reaches, j.nfa, j.states[s].reach) {
			j.row = append(j.row, s)
		}
	}
	row = j.rows.id(j.row)
	if j.rows.count() > j.maxRows || len(j.rows.cells) > 64*j.maxRows+1<<16 {
		return 0, &BudgetError{States: j.maxRows}
	}
	return row, nil
}

// reach marks what may still hold, and what does, once for a step.
func (j *joint) reach() {
	if j.marked {
		return
	}
	j.marked = true
	for _, s := range j.live {
		st := &j.states[s]
		if st.all != 0 {
			for _, leaf := range j.lists[st.all] {
				j.certain[leaf] = j.gen
			}
		}
		if j.seen[st.reach] != j.gen {
			j.seen[st.reach] = j.gen
			for _, leaf := range j.lists[st.reach] {
				j.pending[leaf] = j.gen
			}
		}
	}
}

// advance works out what is left of a list, and of those that it asks about, if
// that has not been done for the same residues and states before.
func (j *joint) advance(i int32) {
	asks := j.prog.asks[i]
	key := j.from[i]
	if len(asks) > 0 {
		j.row = append(j.row[:0], j.from[i])
		for _, k := range asks {
			j.row = append(j.row, j.from[k])
		}
		key = -1 - j.clusters.id(j.row)
	}
	memo := uint64(uint32(key))<<32 | uint64(uint32(j.set))
	if id, ok := j.advanced[memo]; ok {
		if len(asks) == 0 {
			j.after[i], j.afterGen[i] = id, j.gen
			return
		}
		for k, r := range j.clusters.at(id) {
			if k == 0 {
				j.after[i], j.afterGen[i] = r, j.gen
			} else if r != 0 {
				j.after[asks[k-1]], j.afterGen[asks[k-1]] = r, j.gen
			}
		}
		return
	}
	j.list(i)
	id := j.after[i]
	if len(asks) > 0 {
		j.row = append(j.row[:0], id)
		for _, k := range asks {
			r := int32(0)
			if j.afterGen[k] == j.gen {
				r = j.after[k]
			}
			j.row = append(j.row, r)
		}
		id = j.clusters.id(j.row)
	}
	remember(j.advanced, memo, id)
}

// maxSteps is how many steps are remembered before all are forgotten.
const maxSteps = 1 << 20

func remember(in map[uint64]int32, key uint64, value int32) {
	if len(in) >= maxSteps {
		clear(in)
	}
	in[key] = value
}

// wanted puts the residues that matter into row, and returns what is known of
// the leaves that they ask about.
func (j *joint) wanted() *wanted {
	j.row = j.row[:0]
	for i := range j.prog.lists {
		r := int32(0)
		if j.afterGen[i] == j.gen {
			r = j.after[i]
		}
		j.row = append(j.row, r)
	}
	w, ok := j.wants.of(j.row)
	if !ok {
		for i := range j.prog.tops {
			j.wantList(w, int32(i))
		}
	}
	for i, keep := range w.lists {
		if !keep {
			j.row[i] = 0
		}
	}
	return w
}

// nowhere is the row of a step that leads out of the domain.
const nowhere = -1

// outside reports whether no string from here on is in the domain, which is the
// first list.
func (j *joint) outside() bool {
	r := j.residues.at(j.after[0])
	return len(r) == 2 && r[1] == notInDomain
}

// list works out what is left of a list.
func (j *joint) list(i int32) {
	if j.afterGen[i] == j.gen {
		return
	}
	j.afterGen[i] = j.gen
	before := j.from[i]
	r := j.residues.at(before)
	if len(r) == 2 {
		j.after[i] = before
		return
	}
	out := append(j.pend[i][:0], i, r[1])
	same := true
	for rest := r[2:]; len(rest) > 0; rest = rest[2:] {
		x, label := j.given(out[2:], j.simplify(rest[0])), rest[1]
		same = same && x == rest[0]
		if x == exprTrue {
			out[1] = label
			break
		}
		switch n := len(out); {
		case x == exprFalse:
		case n > 2 && out[n-1] == label:
			out[n-2] = j.prog.combine(opOr, []int32{out[n-2], x})
		default:
			out = append(out, x, label)
		}
	}
	for n := len(out); n > 2 && out[n-1] == out[1]; n -= 2 {
		out, same = out[:n-2], false
	}
	j.pend[i] = out
	j.after[i] = before
	if !same {
		j.after[i] = j.residues.id(out)
	}
}

// given returns what is left of an expression if the pending rules above do not
// hold, since otherwise one of them decides. So of two globs less the same
// exception it does not matter whether the second one matches, once the first
// has.
func (j *joint) given(above []int32, x int32) int32 {
	if op := j.prog.exprs[x].op; op == opConst || op == opLeaf {
		return x
	}
	for ; len(above) > 0; above = above[2:] {
		e := &j.prog.exprs[above[0]]
		if e.op == opNot {
			x = j.prog.without(x, above[0])
			continue
		}
		if e.op != opOr {
			continue
		}
		for _, k := range e.kids {
			if j.prog.exprs[k].op == opNot {
				x = j.prog.without(x, k)
			}
		}
	}
	return x
}
