package automata

// ends decides the lists for the string that ends in a row. A mark is valid if
// it is gen.
type ends struct {
	*joint
	gen     uint32
	leaves  []uint32 // that have the string
	exprGen []uint32
	exprVal []bool
}

func newEnds(j *joint) ends {
	return ends{joint: j, leaves: make([]uint32, j.leaves), exprGen: make([]uint32, len(j.prog.exprs)), exprVal: make([]bool, len(j.prog.exprs))}
}

// at looks at the row that was left.
func (e *ends) at() {
	e.gen++
	sunk, live := e.parts()
	for _, leaf := range sunk {
		e.leaves[leaf] = e.gen
	}
	for _, s := range live {
		for _, leaf := range e.lists[e.states[s].acc] {
			e.leaves[leaf] = e.gen
		}
	}
}

// label returns the label that a list has for the string.
func (e *ends) label(list int32) int32 {
	r := e.residues.at(e.from[list])
	rules := e.prog.lists[list].rules
	for _, k := range r[2:] {
		if e.holds(rules[k].expr) {
			return rules[k].label
		}
	}
	return r[1]
}

// answer is label, which is always known.
func (e *ends) answer(list int) (label int32, ok bool) { return e.label(int32(list)), true }

func (e *ends) holds(x int32) bool {
	p := &e.prog.exprs[x]
	switch p.op {
	case opConst:
		return p.arg == 1
	case opLeaf:
		return e.leaves[p.arg] == e.gen
	case opNot:
		return !e.holds(p.kids[0])
	case opAnd, opOr, opIs:
	}
	if e.exprGen[x] == e.gen {
		return e.exprVal[x]
	}
	v := e.compound(p)
	e.exprGen[x], e.exprVal[x] = e.gen, v
	return v
}

func (e *ends) compound(p *progExpr) bool {
	if p.op == opIs {
		// Residue 0 is of a list that does not matter any more.
		return e.from[p.arg] != 0 && e.label(p.arg) == p.label
	}
	for _, k := range p.kids {
		if e.holds(k) != (p.op == opAnd) {
			return p.op == opOr
		}
	}
	return p.op == opAnd
}
