package automata

import "slices"

// simplify returns what is left of an expression after the step.
func (j *joint) simplify(x int32) int32 {
	e := &j.prog.exprs[x]
	switch e.op {
	case opConst:
		return x
	case opLeaf:
		j.reach()
		switch {
		case j.certain[e.arg] == j.gen:
			return exprTrue
		case j.pending[e.arg] == j.gen:
			return x
		}
		return exprFalse
	case opNot, opAnd, opOr, opIs:
	}
	for len(j.exprGen) < len(j.prog.exprs) {
		j.exprGen = append(j.exprGen, 0)
		j.exprVal = append(j.exprVal, 0)
	}
	if j.exprGen[x] != j.gen {
		v := j.compound(x, *e)
		j.exprGen[x], j.exprVal[x] = j.gen, v
	}
	return j.exprVal[x]
}

func (j *joint) compound(x int32, e progExpr) int32 {
	switch e.op {
	case opNot:
		return j.prog.not(j.simplify(e.kids[0]))
	case opAnd, opOr:
		same := true
		for _, k := range e.kids {
			v := j.simplify(k)
			if v == absorbing(e.op) {
				return v
			}
			same = same && v == k
		}
		if same {
			return x
		}
		var room [16]int32
		kids := room[:0]
		for _, k := range e.kids {
			kids = append(kids, j.simplify(k))
		}
		return j.prog.combine(e.op, kids)
	case opIs:
		j.list(e.arg)
		r := j.residues.at(j.after[e.arg])
		switch {
		case len(r) > 2:
		case r[1] == e.label:
			return exprTrue
		default:
			return exprFalse
		}
	case opConst, opLeaf:
	}
	return x
}

// absorbing returns the constant that decides an And or an Or alone.
func absorbing(op exprOp) int32 {
	if op == opOr {
		return exprTrue
	}
	return exprFalse
}

// combine returns the And or Or of expressions that are in normal form. It makes
// no new leaves.
func (p *program) combine(op exprOp, parts []int32) int32 {
	kids := p.buf[:0]
	for _, x := range parts {
		switch e := &p.exprs[x]; {
		case x == absorbing(op):
			return x
		case e.op == opConst:
		case e.op == op:
			kids = append(kids, e.kids...)
		default:
			kids = append(kids, x)
		}
	}
	p.buf = kids
	slices.Sort(kids)
	kids = slices.Compact(kids)
	for _, x := range kids {
		if e := &p.exprs[x]; e.op == opNot {
			if _, both := slices.BinarySearch(kids, e.kids[0]); both {
				return absorbing(op)
			}
		}
	}
	kids = p.absorb(op, kids)
	switch len(kids) {
	case 0:
		return 1 - absorbing(op)
	case 1:
		return kids[0]
	}
	return p.intern(progExpr{op: op, kids: kids})
}

// absorb drops parts that another one makes superfluous: in an Or, an And of
// which all parts of another And, or another part of the Or, are parts; in an
// And the same with Or. Kids are sorted; what is left stands at their beginning.
func (p *program) absorb(op exprOp, kids []int32) []int32 {
	dual := opAnd
	if op == opAnd {
		dual = opOr
	}
	left := kids[:0]
	for i, x := range kids {
		// What was dropped before x is superfluous because of something that is
		// left, or comes later.
		if p.exprs[x].op != dual || !p.absorbed(p.exprs[x].kids, dual, left, kids[i+1:]) {
			left = append(left, x)
		}
	}
	return left
}

func (p *program) absorbed(parts []int32, dual exprOp, lists ...[]int32) bool {
	for _, list := range lists {
		for _, y := range list {
			if p.exprs[y].op != dual {
				if _, ok := slices.BinarySearch(parts, y); ok {
					return true
				}
			} else if subset(p.exprs[y].kids, parts) {
				return true
			}
		}
	}
	return false
}

// subset reports whether all numbers of a are in b; both are sorted.
func subset(a, b []int32) bool {
	if len(a) > len(b) {
		return false
	}
	for _, x := range a {
		if _, ok := slices.BinarySearch(b, x); !ok {
			return false
		}
	}
	return true
}

// without returns x where the part k does not hold: an And of which it is a part
// holds no more.
func (p *program) without(x, k int32) int32 {
	e := p.exprs[x]
	switch {
	case x == k:
		return exprFalse
	case e.op == opAnd && slices.Contains(e.kids, k):
		return exprFalse
	case e.op == opOr:
		gone := func(y int32) bool {
			return y == k || p.exprs[y].op == opAnd && slices.Contains(p.exprs[y].kids, k)
		}
		if slices.ContainsFunc(e.kids, gone) {
			return p.combine(opOr, slices.DeleteFunc(slices.Clone(e.kids), gone))
		}
	}
	return x
}
