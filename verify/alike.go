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
// are made of the same pieces. Most of what a policy closes by name is written with
// the same elements in a profile.
//
// LAW: where the rest allows something, the union of what is marked in the first
// list is that of what is marked in the second one.
func (f *forms) alike(want, got entries) (inWant, inGot []bool) {
	m := alikes{forms: f, lists: [2]entries{want, got}, count: [2]map[int32]int{{}, {}}}
	for l, es := range m.lists {
		m.marks[l] = make([]bool, len(es))
		for i, e := range es {
			m.marks[l][i] = true
			for _, piece := range f.of(e) {
				m.count[l][piece]++
			}
		}
	}
	m.settle()
	m.keepNames()
	m.settle()
	return m.marks[0], m.marks[1]
}

// alikes marks what is alike in two lists.
type alikes struct {
	forms *forms
	lists [2]entries
	marks [2][]bool
	count [2]map[int32]int // how many marked entries of a list have a piece
}

// unmark takes the mark from an entry.
func (a *alikes) unmark(l, i int) {
	a.marks[l][i] = false
	for _, piece := range a.forms.of(a.lists[l][i]) {
		a.count[l][piece]--
	}
}

// settle leaves the marks on as many entries as can have them: an entry stays
// marked as long as the marked entries of the other list have all of its pieces.
func (a *alikes) settle() {
	for changed := true; changed; {
		changed = false
		for l, es := range a.lists {
			missing := func(piece int32) bool { return a.count[1-l][piece] == 0 }
			for i, e := range es {
				if a.marks[l][i] && slices.ContainsFunc(a.forms.of(e), missing) {
					a.unmark(l, i)
					changed = true
				}
			}
		}
	}
}

// keepNames takes the marks from the names that are pinned, unless nothing else
// that pins is left. The parents of what is open are among them, and whatever else
// says that these are pinned holds them too.
func (a *alikes) keepNames() {
	left := false
	for l, es := range a.lists {
		for i, e := range es {
			left = left || e.group == groupPins && !a.marks[l][i]
		}
	}
	for l, es := range a.lists {
		for i, e := range es {
			if left && e.group == groupPins && a.marks[l][i] && !e.wild {
				a.unmark(l, i)
			}
		}
	}
}
