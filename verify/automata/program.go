package automata

import (
	"encoding/binary"
	"slices"
)

// program is the lists with their expressions compiled. Sets that are asked
// about only together are one leaf.
type program struct {
	lists []progList // those of the caller, and then those of Is
	tops  int        // how many are the caller's
	asks  [][]int32  // the lists that each list asks about, and those that they do
	exprs []progExpr
	cache *Cache
	langs []int32 // of the leaves, by their numbers in cache
	inLeaf
}

// inLeaf finds leaves.
type inLeaf struct {
	langIDs map[int32]int32 // of the numbers in the cache
	leafIDs *pool           // lists of langs; leaf i is the list i+1
	exprIDs table
	negated []int32 // the Not of each expression, plus 1; 0 if it has not been made
	key     []int32
	buf     []int32
	listIDs map[*List]int32
}

// progList is a decision list. Neighbouring rules with the same label are one,
// and those before the default that have its label are none.
type progList struct {
	rules []progRule
	def   int32
}

type progRule struct{ expr, label int32 }

type exprOp uint8

const (
	opConst exprOp = iota // arg is 0 or 1
	opLeaf                // arg is the leaf
	opNot                 // of the only kid
	opAnd
	opOr
	opIs // arg is the list, label what it has to say
)

type progExpr struct {
	op    exprOp
	arg   int32
	label int32
	kids  []int32
}

// The constants are the first expressions.
const (
	exprFalse int32 = iota
	exprTrue
)

func newProgram(c *Cache, lists []*List) *program {
	p := &program{cache: c, tops: len(lists), lists: make([]progList, len(lists)), inLeaf: inLeaf{
		langIDs: map[int32]int32{}, leafIDs: newPool(), listIDs: map[*List]int32{},
	}}
	p.constant(false)
	p.constant(true)
	for i, l := range lists {
		compiled := p.list(l) // may add to lists
		p.lists[i] = compiled
	}
	for i := range p.lists {
		p.asks = append(p.asks, p.asked(int32(i)))
	}
	return p
}

// leaves returns how many leaves there are.
func (p *program) leaves() int { return p.leafIDs.count() - 1 }

// list compiles a list.
func (p *program) list(l *List) progList {
	out := progList{def: int32(l.Default)}
	var same []Expr
	for i := range l.Rules {
		same = append(same, l.Rules[i].When)
		if i+1 < len(l.Rules) && l.Rules[i+1].Label == l.Rules[i].Label {
			continue
		}
		r := progRule{p.expr(Or(same)), int32(l.Rules[i].Label)}
		same = nil
		if r.expr == exprTrue {
			out.def = r.label
			break
		}
		if r.expr != exprFalse {
			out.rules = append(out.rules, r)
		}
	}
	for n := len(out.rules); n > 0 && out.rules[n-1].label == out.def; n-- {
		out.rules = out.rules[:n-1]
	}
	return out
}

// expr compiles an expression and returns its number.
func (p *program) expr(x Expr) int32 {
	switch x := x.(type) {
	case Const:
		return p.constant(bool(x))
	case In:
		l := p.cache.lang(x.Lang)
		if l == noLang {
			return p.constant(false)
		}
		return p.leaf([]int32{p.lang(l)})
	case Not:
		return p.not(p.expr(x.X))
	case And:
		return p.join(opAnd, x)
	case Or:
		return p.join(opOr, x)
	case Is:
		return p.is(x)
	}
	panic("automata: internal error: an expression of an unknown kind; please report")
}

func (p *program) lang(l int32) int32 {
	id, ok := p.langIDs[l]
	if !ok {
		id = int32(len(p.langs))
		p.langs = append(p.langs, l)
		p.langIDs[l] = id
	}
	return id
}

func (p *program) leaf(langs []int32) int32 {
	return p.intern(progExpr{op: opLeaf, arg: p.leafIDs.id(langs) - 1})
}

func (p *program) constant(b bool) int32 {
	e := progExpr{op: opConst}
	if b {
		e.arg = 1
	}
	return p.intern(e)
}

func (p *program) not(x int32) int32 {
	switch e := &p.exprs[x]; e.op {
	case opConst:
		return p.constant(e.arg == 0)
	case opNot:
		return e.kids[0]
	case opLeaf, opAnd, opOr, opIs:
	}
	if p.negated[x] == 0 {
		p.negated[x] = p.intern(progExpr{op: opNot, kids: []int32{x}}) + 1
	}
	return p.negated[x] - 1
}

// join compiles And and Or. The sets that are parts of an Or become one leaf,
// and so do those whose negations are parts of an And.
func (p *program) join(op exprOp, parts []Expr) int32 {
	var kids, langs []int32
	absorbing := int32(0) // the constant that decides
	if op == opOr {
		absorbing = 1
	}
	var add func(id int32) bool
	add = func(id int32) bool {
		e := p.exprs[id]
		switch {
		case e.op == opConst:
			return e.arg == absorbing
		case e.op == op:
			return slices.ContainsFunc(e.kids, add)
		case op == opOr && e.op == opLeaf:
			langs = append(langs, p.leafIDs.at(e.arg+1)...)
		case op == opAnd && e.op == opNot && p.exprs[e.kids[0]].op == opLeaf:
			langs = append(langs, p.leafIDs.at(p.exprs[e.kids[0]].arg+1)...)
		default:
			kids = append(kids, id)
		}
		return false
	}
	for _, x := range parts {
		if add(p.expr(x)) {
			return p.constant(absorbing == 1)
		}
	}
	if op == opOr {
		kids = p.factor(kids)
	}
	if len(langs) > 0 {
		id := p.leaf(langs)
		if op == opAnd {
			id = p.not(id)
		}
		kids = append(kids, id)
	}
	slices.Sort(kids)
	kids = slices.Compact(kids)
	switch len(kids) {
	case 0:
		return p.constant(absorbing == 0)
	case 1:
		return kids[0]
	}
	return p.intern(progExpr{op: op, kids: kids})
}

// factor joins parts of an Or that are a set less the same others: a less x or b
// less x is what is in a or b less x. Otherwise a state would have to remember
// which of a and b it was.
func (p *program) factor(kids []int32) []int32 {
	var out []int32
	bare := map[string][]int32{} // the langs, by the other parts of the And
	var order []string
	others := map[string][]int32{}
	for _, id := range kids {
		leaf, rest := p.oneLeaf(id)
		if leaf < 0 {
			out = append(out, id)
			continue
		}
		var key []byte
		for _, k := range rest {
			key = binary.LittleEndian.AppendUint32(key, uint32(k))
		}
		if _, ok := bare[string(key)]; !ok {
			order = append(order, string(key))
			others[string(key)] = rest
		}
		bare[string(key)] = append(bare[string(key)], p.leafIDs.at(leaf+1)...)
	}
	for _, key := range order {
		and := append(others[key], p.leaf(bare[key]))
		slices.Sort(and)
		out = append(out, p.intern(progExpr{op: opAnd, kids: and}))
	}
	return out
}

// oneLeaf returns the leaf of an And that has one, and its other parts; -1 if
// it is anything else.
func (p *program) oneLeaf(id int32) (leaf int32, rest []int32) {
	leaf = -1
	if p.exprs[id].op != opAnd {
		return leaf, nil
	}
	for _, k := range p.exprs[id].kids {
		switch e := &p.exprs[k]; {
		case e.op != opLeaf:
			rest = append(rest, k)
		case leaf >= 0:
			return -1, nil
		default:
			leaf = e.arg
		}
	}
	return leaf, rest
}

// is compiles the question for the label of another list.
func (p *program) is(x Is) int32 {
	id, ok := p.listIDs[x.List]
	if !ok {
		l := p.list(x.List)
		id = int32(len(p.lists))
		p.lists = append(p.lists, l)
		p.listIDs[x.List] = id
	}
	if l := &p.lists[id]; len(l.rules) == 0 {
		return p.constant(l.def == int32(x.Label))
	}
	return p.intern(progExpr{op: opIs, arg: id, label: int32(x.Label)})
}

func (p *program) intern(e progExpr) int32 {
	p.key = append(append(p.key[:0], int32(e.op), e.arg, e.label), e.kids...)
	id := p.exprIDs.id(p.key)
	if int(id) == len(p.exprs) {
		e.kids = slices.Clone(e.kids)
		p.exprs = append(p.exprs, e)
		p.negated = append(p.negated, 0)
	}
	return id
}

// automaton builds the automaton of all leaves, or reports false if it has more
// than room states.
func (p *program) automaton(room int) (*nfa, bool) {
	leaves := make([][]int32, len(p.langs)) // of each lang
	for leaf, used := range p.used() {
		if !used {
			continue
		}
		for _, l := range p.leafIDs.at(int32(leaf) + 1) {
			leaves[l] = append(leaves[l], int32(leaf))
		}
	}
	b := newBuilder(room)
	for i, seqs := range p.cache.sequences(p.langs) {
		if len(leaves[i]) == 0 {
			continue
		}
		for _, s := range seqs {
			if b.add(s, leaves[i]); b.room < 0 {
				return nil, false
			}
		}
	}
	return b.finish(p.cache, p.leaves())
}

// used reports which leaves are left in the lists, and not only in what other
// leaves were joined from.
func (p *program) used() []bool {
	out := make([]bool, p.leaves())
	seen := make([]bool, len(p.exprs))
	var visit func(id int32)
	visit = func(id int32) {
		if seen[id] {
			return
		}
		seen[id] = true
		if e := &p.exprs[id]; e.op == opLeaf {
			out[e.arg] = true
		}
		for _, k := range p.exprs[id].kids {
			visit(k)
		}
	}
	for i := range p.lists {
		for _, r := range p.lists[i].rules {
			visit(r.expr)
		}
	}
	return out
}

// asked returns the lists that a list asks about, directly or not.
func (p *program) asked(list int32) []int32 {
	var out []int32
	var visit func(id int32)
	visit = func(id int32) {
		e := &p.exprs[id]
		if e.op == opIs && !slices.Contains(out, e.arg) {
			out = append(out, e.arg)
			for _, r := range p.lists[e.arg].rules {
				visit(r.expr)
			}
		}
		for _, k := range e.kids {
			visit(k)
		}
	}
	for _, r := range p.lists[list].rules {
		visit(r.expr)
	}
	return out
}
