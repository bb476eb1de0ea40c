package automata

import "slices"

// joint walks all lists of a program at once. Its states are made while the walk
// goes on and are kept once each. A state is a row of numbers: the residue of
// each list, how many leaves are certain to hold and which, and the states of
// the automaton that are live.
//
// The residue of a list is what is left of it: the list, the label that answers
// if none of the pending rules does, and the pending rules. Residue 0 is that of
// a list that nobody asks about.
type joint struct {
	*nfa
	prog     *program
	rows     table
	residues table
	maxRows  int

	// What follows is scratch space for one step. A mark is valid if it is gen.
	gen      uint32
	from     []int32  // the row that is left
	mark     []uint32 // of states that are live
	live     []int32
	seen     []uint32 // of lists of leaves that have been marked as pending
	pending  []uint32 // of leaves that may become true
	sunk     []uint32 // of leaves that hold whatever follows
	sunkList []int32
	after    []int32 // the residues
	afterGen []uint32
	pend     [][]int32 // a buffer for each list, for they nest
	refuted  [][]int32 // expressions, another buffer for each list
	exprGen  []uint32
	exprVal  []truth
	wants    wants
	row      []int32
	fan      fan
}

// truth is what is known of an expression in a state.
type truth uint8

const (
	isFalse   truth = iota // whatever follows
	isTrue                 // whatever follows
	isPending              // it depends on what follows
)

// newJoint returns the walk over the lists of a program, standing at row 0.
func newJoint(p *program, maxRows int) (*joint, error) {
	n, ok := p.automaton(8*maxRows + 1000)
	if !ok {
		return nil, &BudgetError{States: maxRows}
	}
	j := &joint{
		nfa: n, prog: p, maxRows: maxRows,
		from: make([]int32, len(p.lists)+1), mark: make([]uint32, len(n.states)), seen: make([]uint32, len(n.lists)),
		pending: make([]uint32, n.leaves), sunk: make([]uint32, n.leaves),
		after: make([]int32, len(p.lists)), afterGen: make([]uint32, len(p.lists)), pend: make([][]int32, len(p.lists)),
		refuted: make([][]int32, len(p.lists)),
		exprGen: make([]uint32, len(p.exprs)), exprVal: make([]truth, len(p.exprs)),
		wants: newWants(p, n), fan: newFan(n),
	}
	j.residues.id(nil)
	for i := range p.lists {
		l := &p.lists[i]
		r := []int32{int32(i), l.def}
		for k := range l.rules {
			r = append(r, int32(k))
		}
		j.from[i] = j.residues.id(r)
	}
	j.begin()
	j.reach(n.start)
	_, err := j.arrive()
	return j, err
}

// leave loads the row that the next steps start from.
func (j *joint) leave(row int32) { j.from = append(j.from[:0], j.rows.at(row)...) }

// parts returns the leaves that are certain and the live states of from.
func (j *joint) parts() (sunk, live []int32) {
	n := len(j.prog.lists)
	k := n + 1 + int(j.from[n])
	return j.from[n+1 : k], j.from[k:]
}

// settled returns the label that the list has for every string from here on, in
// the row that was left.
func (j *joint) settled(list int) (label int32, ok bool) {
	r := j.residues.at(j.from[list])
	return r[1], len(r) == 2
}

// begin starts a step from the row that was left.
func (j *joint) begin() {
	j.gen++
	j.live, j.sunkList = j.live[:0], j.sunkList[:0]
	sunk, _ := j.parts()
	for _, leaf := range sunk {
		j.sink(leaf)
	}
}

func (j *joint) sink(leaf int32) {
	if j.sunk[leaf] != j.gen {
		j.sunk[leaf] = j.gen
		j.sunkList = append(j.sunkList, leaf)
	}
}

// reach makes states of the automaton live.
func (j *joint) reach(states []int32) {
	for _, s := range states {
		if j.mark[s] == j.gen {
			continue
		}
		j.mark[s] = j.gen
		j.live = append(j.live, s)
		st := &j.states[s]
		if st.all != 0 {
			for _, leaf := range j.lists[st.all] {
				j.sink(leaf)
			}
		}
		if j.seen[st.reach] == j.gen {
			continue
		}
		j.seen[st.reach] = j.gen
		for _, leaf := range j.lists[st.reach] {
			j.pending[leaf] = j.gen
		}
	}
}

// arrive ends a step and returns the row that it leads to. The row keeps only
// what a pending rule still asks about.
func (j *joint) arrive() (row int32, err error) {
	tops, n := j.prog.tops, len(j.prog.lists)
	for i := range tops {
		j.list(int32(i))
		if i == 0 && j.outside() {
			return nowhere, nil
		}
	}
	j.wants.begin()
	for i := range tops {
		j.wantList(int32(i))
	}
	j.row = j.row[:0]
	for i := range n {
		r := int32(0)
		if j.wants.lists[i] == j.wants.gen {
			r = j.after[i]
		}
		j.row = append(j.row, r)
	}
	j.row = append(j.row, 0)
	for _, leaf := range j.sunkList {
		if j.wants.sunk[leaf] == j.wants.gen {
			j.row = append(j.row, leaf)
		}
	}
	slices.Sort(j.row[n+1:])
	j.row[n] = int32(len(j.row) - n - 1)
	first := len(j.row)
	for _, s := range j.live {
		if j.anyWanted(j.states[s].reach) {
			j.row = append(j.row, s)
		}
	}
	slices.Sort(j.row[first:])
	row = j.rows.id(j.row)
	if j.rows.count() > j.maxRows || len(j.rows.cells) > 64*j.maxRows+1<<16 {
		return 0, &BudgetError{States: j.maxRows}
	}
	return row, nil
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
	if len(r) <= 2 {
		j.after[i] = before
		return
	}
	rules := j.prog.lists[i].rules
	out := append(j.pend[i][:0], i, r[1])
	rest := r[2:]
	refuted := &j.refuted[i]
	*refuted = (*refuted)[:0]
walk:
	for _, k := range rest {
		switch j.evalRule(rules[k].expr, refuted) {
		case isTrue:
			out[1] = rules[k].label
			break walk
		case isPending:
			out = append(out, k)
		case isFalse:
		}
	}
	for n := len(out); n > 2 && rules[out[n-1]].label == out[1]; n-- {
		out = out[:n-1]
	}
	j.pend[i] = out
	j.after[i] = before
	if len(out) != len(rest)+2 || out[1] != j.residues.at(before)[1] {
		j.after[i] = j.residues.id(out)
	}
}
