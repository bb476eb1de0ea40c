package automata

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
)

// Options of a walk. The zero value is the default.
type Options struct {
	// MaxStates is how many states the walk may visit; 0 is [DefaultMaxStates]
	// and 20 more for each rule.
	MaxStates int
	// Cases is how many cases of each class are wanted, each decided by other
	// rules; 0 is one. Each further one takes another walk. If one of these
	// meets the budget, the result has fewer cases, and says so.
	Cases int
	// Cache is shared with other walks; nil is none.
	Cache *Cache
	// Want says of which classes more than one case is wanted; nil is all.
	Want func(labels []uint8) bool
}

// DefaultMaxStates is how many states a walk may visit if Options do not say. It
// then uses less than 300 MB.
const DefaultMaxStates = 100_000

// limit returns the budget for some lists.
func (o Options) limit(lists ...*List) int {
	if o.MaxStates != 0 {
		return o.MaxStates
	}
	n := DefaultMaxStates
	for _, l := range lists {
		n += 20 * len(l.Rules)
	}
	return n
}

// cache returns the cache, or a new one.
func (o Options) cache() *Cache {
	if o.Cache == nil {
		return NewCache()
	}
	return o.Cache
}

// BudgetError says that a walk had to give up before it could answer.
type BudgetError struct {
	States int // the budget
}

// Error returns the message.
func (e *BudgetError) Error() string {
	return fmt.Sprintf("undecided: comparing the lists takes more than %d states", e.States)
}

// Result is what a walk has found.
type Result struct {
	// Classes are the combinations of labels that some string of the domain
	// gets, each once, in the order of their shortest strings.
	Classes []Class
	// States is how many states were visited.
	States int
	// Fewer says that the budget did not last for all cases that were wanted.
	// The classes are complete.
	Fewer bool
}

// Class is the strings that get the same labels.
type Class struct {
	Labels []uint8 // of each list
	Cases  []Case  // at least one, shortest first
}

// Case is a string of a class.
type Case struct {
	// Path is a shortest string of the case. Of those it is the first, small
	// letters before digits, capitals, other characters and other bytes.
	Path string
	// Rules are the indices of the rules that decide it in each list, -1 for
	// the default.
	Rules []int
}

// Labels of the domain as a list.
const (
	notInDomain = 0
	inDomain    = 1
)

// Explore decides all lists for every string of the domain. An error is a
// [*BudgetError], or an internal error if what was found does not stand up to
// deciding it again without an automaton.
func Explore(domain Expr, lists []List, o Options) (*Result, error) {
	w := walker{domain: domain, lists: lists, queue: newQueue(), classes: map[string]int{}}
	if err := w.walk(o); err != nil {
		return nil, err
	}
	for n := 1; n < o.Cases; n++ {
		more := w.others(o.Want, n)
		if more == nil {
			break
		}
		w.domain = more
		if err := w.walk(o); errors.As(err, new(*BudgetError)) {
			w.result.Fewer = true
			break
		} else if err != nil {
			return nil, err
		}
	}
	return &w.result, nil
}

// walker visits rows in the order of the first of their shortest strings.
type walker struct {
	*joint
	names   *names
	ends    ends
	domain  Expr
	lists   []List
	queue   queue
	length  []int32           // of the shortest known string that leads to a row; -1 if it has been visited
	answers map[string]string // the first of the shortest strings, by the labels of the lists
	key     []byte            // of answers: a byte for each list
	classes map[string]int    // index into result.Classes, by labels
	result  Result
}

// walk finds all answers and reports them.
func (w *walker) walk(o Options) error {
	all := []*List{{Rules: []Rule{{When: w.domain, Label: inDomain}}, Default: notInDomain}}
	for i := range w.lists {
		all = append(all, &w.lists[i])
	}
	limit := o.limit(all...)
	j, err := newJoint(newProgram(o.cache(), all), limit)
	if err != nil {
		return err
	}
	w.joint, w.names, w.ends = j, newNames(j.nfa, limit), newEnds(j)
	w.length, w.answers, w.queue.visits = nil, map[string]string{}, nil
	if w.rows.count() > 0 && w.shorter(0, 0) { // otherwise the domain is empty
		w.queue.push(visit{row: 0})
	}
	for len(w.queue.visits) > 0 {
		v := w.queue.pop()
		if w.length[v.row] < 0 {
			continue
		}
		w.length[v.row] = -1
		if err := w.visit(v); err != nil {
			return err
		}
	}
	w.result.States = max(w.result.States, j.rows.count()+w.names.count())
	return w.report()
}

// shorter reports whether no shorter string is known to lead to the row, and
// takes note of this one.
func (w *walker) shorter(row int32, length int) bool {
	for int(row) >= len(w.length) {
		w.length = append(w.length, math.MaxInt32)
	}
	if int(w.length[row]) < length {
		return false
	}
	w.length[row] = int32(length)
	return true
}

// visit decides the strings that end in the segment after a row, and finds the
// rows after it.
func (w *walker) visit(v visit) error {
	w.leave(v.row)
	settled := w.answer(w.settled)
	if settled {
		// What follows has one answer. It matters only for its first string.
		if first, ok := w.answers[string(w.key)]; ok && !w.queue.before(v.path, first) {
			return nil
		}
	}
	menu, ok := w.names.menu(w.names.start(w.left()))
	if !ok {
		return &BudgetError{States: w.maxRows}
	}
	for _, c := range menu {
		leaves, next := w.names.parts.split(c.out)
		w.ends.at(leaves)
		length := len(v.path) + len(c.word)
		if w.ends.label(0) == inDomain {
			w.answer(w.ends.answer)
			if first, ok := w.answers[string(w.key)]; !ok || length <= len(first) && w.queue.before(v.path+c.word, first) {
				w.answers[string(w.key)] = v.path + c.word
			}
		}
		row, err := w.follow(w.names.parts.after(c.out), next)
		if err != nil {
			return err
		}
		if row != nowhere && w.shorter(row, length+1) {
			w.queue.push(visit{v.path + c.word + "/", row})
		}
	}
	return nil
}

// answer puts what each list says into key, or reports false if one says nothing
// yet.
func (w *walker) answer(ask func(list int) (label int32, ok bool)) bool {
	w.key = w.key[:0]
	for i := range w.lists {
		label, ok := ask(i + 1)
		if !ok {
			return false
		}
		w.key = append(w.key, byte(label))
	}
	return true
}

// report adds the answers to the result, once each has stood up to deciding it
// without an automaton.
func (w *walker) report() error {
	keys := slices.SortedFunc(maps.Keys(w.answers), func(a, b string) int {
		return w.queue.compare(w.answers[a], w.answers[b])
	})
	for _, key := range keys {
		c := Case{Path: w.answers[key], Rules: make([]int, len(w.lists))}
		labels := make([]uint8, len(w.lists))
		for i := range w.lists {
			labels[i], c.Rules[i] = w.lists[i].Decide(c.Path)
		}
		if string(labels) != key || !w.domain.Contains(c.Path) {
			return fmt.Errorf("internal error: for %q the automaton gives the labels %v, but rules %v give %v; please report",
				c.Path, []byte(key), c.Rules, labels)
		}
		k, known := w.classes[key]
		if !known {
			k = len(w.result.Classes)
			w.classes[key] = k
			w.result.Classes = append(w.result.Classes, Class{Labels: labels})
		}
		w.result.Classes[k].Cases = append(w.result.Classes[k].Cases, c)
	}
	return nil
}
