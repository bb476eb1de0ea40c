package automata

// ends decides the lists for the string that ends in a segment after a row. A mark is valid if
// it is gen.
type ends struct {
	*joint
	gen     uint32
	leaves  []uint32 // that have the string
	exprGen []uint32
	exprVal []bool
}

func newEnds(j *joint) ends {
	return ends{joint: j, leaves: make([]uint32, len(j.pending))}
}

// at looks at the string that these leaves have, from the row that was left.
func (e *ends) at(leaves []int32) {
	e.gen++
	for _, leaf := range leaves {
		e.leaves[leaf] = e.gen
	}
}

// label returns the label that a list has for the string.
func (e *ends) label(list int32) int32 {
	r := e.residues.at(e.from[list])
	for rest := r[2:]; len(rest) > 0; rest = rest[2:] {
		if e.holds(rest[0]) {
			return rest[1]
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
	for len(e.exprGen) < len(e.prog.exprs) {
		e.exprGen = append(e.exprGen, 0)
		e.exprVal = append(e.exprVal, false)
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
		return e.label(p.arg) == p.label
	}
	for _, k := range p.kids {
		if e.holds(k) != (p.op == opAnd) {
			return p.op == opOr
		}
	}
	return p.op == opAnd
}
