package verify

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/verify/automata"
)

// Where two policies can differ is mostly small: what both have in the same order
// decides alike in both. So two lists are put side by side as versions of a text
// are, and only the paths of what one of them has alone are walked.

// piece is a rule, or one alternative of a glob. A list with its globs split
// into pieces decides as before.
type piece struct {
	key   string // equal for pieces that do the same
	match ir.Match
	fold  glob.Fold
	alone bool // it holds nothing beneath what it names
}

// pieces are the rules of a policy that speak about an operation, split.
func pieces(s *side, op ir.Op, dir bool) []piece {
	var out []piece
	_, files := decisions(s.decider, op, dir, itself)
	for _, i := range files {
		r := &s.policy.Files[i]
		fold := s.folding()(r.Effect(op))
		g, isGlob := r.Match.(ir.Glob)
		if !isGlob {
			out = append(out, newPiece(r.Match, "", fold, r.NonDir, s.rank(i, op)))
			continue
		}
		except := exceptKey(g)
		for _, a := range g.Pattern.Alternatives() {
			p, err := glob.Parse(a.String())
			if err != nil {
				p = g.Pattern // cannot be: an alternative is a pattern
			}
			out = append(out, newPiece(ir.Glob{Pattern: p}, except, fold, r.NonDir, s.rank(i, op)))
		}
	}
	return out
}

func newPiece(m ir.Match, except string, fold glob.Fold, alone bool, rank uint8) piece {
	return piece{key: fmt.Sprint(m, "\n", except, fold, alone, rank), match: m, fold: fold, alone: alone}
}

// paths are those that a piece may hold. Exceptions do not matter here.
func (p piece) paths(of func(automata.Lang) automata.Lang) automata.Expr {
	return matchExpr(p.match, p.fold, !p.alone, of)
}

// different returns the pieces that only one of two lists has, and those that
// both have in another order.
func different(a, b []piece) []piece {
	key := func(p piece) string { return p.key }
	inA, inB := common(mapped(a, key), mapped(b, key))
	return append(unmarked(a, inA), unmarked(b, inB)...)
}

func mapped[T, U any](list []T, f func(T) U) []U {
	out := make([]U, len(list))
	for i, x := range list {
		out[i] = f(x)
	}
	return out
}

func unmarked[T any](list []T, marks []bool) []T {
	var out []T
	for i, x := range list {
		if !marks[i] {
			out = append(out, x)
		}
	}
	return out
}

// common marks what two lists have in the same order, as much as can be found
// fast.
func common(a, b []string) (inA, inB []bool) {
	inA, inB = make([]bool, len(a)), make([]bool, len(b))
	places := map[string][]int{} // in b, not taken yet
	for i, key := range b {
		places[key] = append(places[key], i)
	}
	type pair struct{ a, b, before int }
	var pairs []pair
	var tails []int // the pair with the least place in b that ends an ascending run, by length
	for i, key := range a {
		at := places[key]
		if len(at) == 0 {
			continue
		}
		places[key] = at[1:]
		n := sort.Search(len(tails), func(k int) bool { return pairs[tails[k]].b > at[0] })
		x := pair{a: i, b: at[0], before: -1}
		if n > 0 {
			x.before = tails[n-1]
		}
		pairs = append(pairs, x)
		if n == len(tails) {
			tails = append(tails, 0)
		}
		tails[n] = len(pairs) - 1
	}
	if len(tails) == 0 {
		return inA, inB
	}
	for k := tails[len(tails)-1]; k >= 0; k = pairs[k].before {
		inA[pairs[k].a], inB[pairs[k].b] = true, true
	}
	return inA, inB
}

// region is paths of directories, or of other files.
type region struct {
	dir   bool
	paths automata.Or
	bases []string // literal paths at or above them all, or above what lies directly in one
}

// changed returns where two policies may decide differently.
func changed(sides [2]*side, op ir.Op, dir bool) region {
	out := region{dir: dir}
	add := func(list []piece, of func(automata.Lang) automata.Lang) {
		for _, p := range list {
			out.paths = append(out.paths, p.paths(of))
			out.bases = append(out.bases, p.match.Base())
		}
	}
	decided := op
	if op == ir.Unlink {
		decided = ir.Write
		// A path is pinned if its parent may not be written, and by the pins.
		add(different(pieces(sides[0], ir.Write, true), pieces(sides[1], ir.Write, true)), automata.Children)
		add(different(sides[0].pins(), sides[1].pins()), itself)
	}
	add(different(pieces(sides[0], decided, dir), pieces(sides[1], decided, dir)), itself)
	return out
}

// pins are what is pinned whatever its parent is, in an order that does not
// depend on where it is closed.
func (s *side) pins() []piece {
	fold := s.folding()(ir.Deny)
	var out []piece
	for _, p := range s.decider.Pins().Literals {
		if len(p.Rules) > 0 {
			out = append(out, newPiece(ir.Path(p.Path), "", fold, true, denied))
		}
	}
	for _, p := range s.decider.Pins().Patterns {
		for _, a := range p.Pattern.Alternatives() {
			if one, err := glob.Parse(a.String()); err == nil {
				out = append(out, newPiece(ir.Glob{Pattern: one}, "", fold, true, denied))
			}
		}
	}
	slices.SortFunc(out, func(x, y piece) int { return strings.Compare(x.key, y.key) })
	return slices.CompactFunc(out, func(x, y piece) bool { return x.key == y.key })
}
