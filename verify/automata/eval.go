package automata

import "slices"

// eval returns what is known of an expression after the step.
func (j *joint) eval(x int32) truth {
	e := &j.prog.exprs[x]
	switch e.op {
	case opLeaf:
		switch {
		case j.sunk[e.arg] == j.gen:
			return isTrue
		case j.pending[e.arg] == j.gen:
			return isPending
		}
		return isFalse
	case opConst:
		return truth(e.arg)
	case opNot, opAnd, opOr, opIs:
	}
	if j.exprGen[x] == j.gen {
		return j.exprVal[x]
	}
	v := j.compound(e)
	j.exprGen[x], j.exprVal[x] = j.gen, v
	return v
}

func (j *joint) compound(e *progExpr) truth {
	switch e.op {
	case opNot:
		switch v := j.eval(e.kids[0]); v {
		case isFalse:
			return isTrue
		case isTrue:
			return isFalse
		case isPending:
		}
		return isPending
	case opAnd, opOr:
		neutral, absorbing := isTrue, isFalse
		if e.op == opOr {
			neutral, absorbing = isFalse, isTrue
		}
		v := neutral
		for _, k := range e.kids {
			switch j.eval(k) {
			case absorbing:
				return absorbing
			case isPending:
				v = isPending
			}
		}
		return v
	case opIs:
		if j.from[e.arg] == 0 {
			return isPending // it does not matter any more
		}
		j.list(e.arg)
		r := j.residues.at(j.after[e.arg])
		switch {
		case len(r) > 2:
			return isPending
		case r[1] == e.label:
			return isTrue
		}
		return isFalse
	case opConst, opLeaf:
	}
	return isPending
}

// evalRule is eval for the expression of a rule, given that the refuted ones do
// not hold, since otherwise a rule above decides. It adds what the rules below
// may take as refuted: if all that is left of a rule is x, then below it x does
// not hold. So of two globs less the same exception, the first that matches is
// all that has to be remembered.
func (j *joint) evalRule(x int32, refuted *[]int32) truth {
	e := &j.prog.exprs[x]
	switch e.op {
	case opAnd:
		if slices.Contains(*refuted, x) || j.refutes(*refuted, e) {
			return isFalse
		}
		v := j.eval(x)
		if v == isPending {
			if left := j.onlyPending(e); left >= 0 {
				*refuted = append(*refuted, left)
			}
		}
		return v
	case opOr:
		v := isFalse
		for _, k := range e.kids {
			switch j.evalRule(k, refuted) {
			case isTrue:
				return isTrue
			case isPending:
				v = isPending
			case isFalse:
			}
		}
		return v
	case opConst, opLeaf, opNot, opIs:
	}
	if len(*refuted) > 0 && slices.Contains(*refuted, x) {
		return isFalse
	}
	return j.eval(x)
}

// refutes reports whether a part of an And is refuted.
func (j *joint) refutes(refuted []int32, e *progExpr) bool {
	return len(refuted) > 0 && slices.ContainsFunc(e.kids, func(k int32) bool { return slices.Contains(refuted, k) })
}

// onlyPending returns the part of an And that is pending if there is only one
// and all others hold, otherwise -1.
func (j *joint) onlyPending(e *progExpr) int32 {
	left := int32(-1)
	for _, k := range e.kids {
		if j.eval(k) == isPending {
			if left >= 0 {
				return -1
			}
			left = k
		}
	}
	return left
}
