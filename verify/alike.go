package verify

import (
	"slices"
	"sync"

	"github.com/sandboxc/sbc/verify/automata"
)

// forms writes entries as unions of pieces, so that entries with equal forms hold
// the same paths wherever a list allows something.
type forms struct {
	bounds *automata.Bounds
	mu     sync.Mutex
	known  map[string][]int32 // by the keys of entries
}

// formsIn returns the forms for where a list allows something.
func (p *partProof) formsIn(rest entries, key string) *forms {
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.forms[key]
	if f == nil {
		var open []automata.Expr
		for _, e := range rest {
			if e.label == allowed {
				open = append(open, e.when)
			}
		}
		f = &forms{bounds: p.cache.Bounds(open), known: map[string][]int32{}}
		p.forms[key] = f
	}
	return f
}

func (f *forms) of(e entry) []int32 {
	f.mu.Lock()
	defer f.mu.Unlock()
	form, ok := f.known[e.key]
	if !ok {
		form = f.bounds.Form(e.when)
		f.known[e.key] = form
	}
	return form
}

// alike marks entries of two lists that hold the same paths together because they
// are made of the same pieces: as many as can be. Most of what a policy closes by
// name is written with the same elements in a profile.
//
// LAW: where the rest allows something, the union of what is marked in the first
// list is that of what is marked in the second one.
func (f *forms) alike(want, got entries) (inWant, inGot []bool) {
	lists := [2]entries{want, got}
	marks := [2][]bool{make([]bool, len(want)), make([]bool, len(got))}
	count := [2]map[int32]int{{}, {}} // how many marked entries have a piece
	for l, es := range lists {
		for i, e := range es {
			marks[l][i] = true
			for _, piece := range f.of(e) {
				count[l][piece]++
			}
		}
	}
	// An entry stays marked as long as the marked entries of the other list have
	// all of its pieces.
	for changed := true; changed; {
		changed = false
		for l, es := range lists {
			for i, e := range es {
				form := f.of(e)
				if !marks[l][i] || !slices.ContainsFunc(form, func(piece int32) bool { return count[1-l][piece] == 0 }) {
					continue
				}
				marks[l][i], changed = false, true
				for _, piece := range form {
					count[l][piece]--
				}
			}
		}
	}
	unmarkNamed(lists, marks)
	return marks[0], marks[1]
}

// unmarkNamed takes the marks from the names that are pinned, unless nothing else
// that pins is left. The parents of what is open are among them, and whatever else
// says that these are pinned holds them too.
func unmarkNamed(lists [2]entries, marks [2][]bool) {
	pins := func(found func(l, i int) bool) bool {
		any := false
		for l, es := range lists {
			for i, e := range es {
				if e.group == groupPins {
					any = found(l, i) || any
				}
			}
		}
		return any
	}
	if pins(func(l, i int) bool { return !marks[l][i] }) {
		pins(func(l, i int) bool { marks[l][i] = marks[l][i] && lists[l][i].wild; return true })
	}
}
