package automata

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
)

// Options of a walk. The zero value is the default.
type Options struct {
	// MaxStates is how many states the walk may visit; 0 is [DefaultMaxStates].
	MaxStates int
	// Cases is how many cases of each class are wanted, each decided by other
	// rules. 0 is one, whatever decides it, which needs far fewer states.
	Cases int
}

// DefaultMaxStates is how many states a walk may visit if Options do not say.
// It then uses less than 200 MB.
const DefaultMaxStates = 200_000

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
	if o.MaxStates == 0 {
		o.MaxStates = DefaultMaxStates
	}
	all := []*List{{Rules: []Rule{{When: domain, Label: inDomain}}, Default: notInDomain}}
	for i := range lists {
		all = append(all, &lists[i])
	}
	j, err := newJoint(newProgram(all, o.Cases > 0), o.MaxStates)
	if err != nil {
		return nil, err
	}
	w := walker{
		joint: j, names: newNames(j.nfa, o.MaxStates), ends: newEnds(j), domain: domain, lists: lists,
		byRule: o.Cases > 0, cases: max(o.Cases, 1), answers: map[string]string{}, queue: newQueue(),
	}
	if err := w.walk(); err != nil {
		return nil, err
	}
	w.result.States = j.rows.count() + w.names.count()
	return &w.result, nil
}

// walker visits rows in the order of the first of their shortest strings.
type walker struct {
	*joint
	names   *names
	ends    ends
	domain  Expr
	lists   []List
	byRule  bool
	cases   int
	queue   queue
	done    []bool            // rows that have been visited
	answers map[string]string // the first of the shortest strings, by what the lists of the program say
	key     []byte            // of answers: four bytes for each list
	result  Result
}

func (w *walker) walk() error {
	if w.rows.count() > 0 { // otherwise the domain is empty
		w.queue.push(visit{row: 0})
	}
	for len(w.queue.visits) > 0 {
		p := w.queue.pop()
		if int(p.row) < len(w.done) && w.done[p.row] {
			continue
		}
		for int(p.row) >= len(w.done) {
			w.done = append(w.done, false)
		}
		w.done[p.row] = true
		if err := w.visit(p); err != nil {
			return err
		}
	}

	return w.report()
}

// visit decides the strings that end in the segment after a row, and finds the
// rows after it.
func (w *walker) visit(p visit) error {
	w.leave(p.row)
	settled := w.answer(w.settled)
	if settled {
		// What follows has one answer. It matters only for its first string.
		if first, ok := w.answers[string(w.key)]; ok && !w.queue.before(p.path, first) {
			return nil
		}
	}
	menu, ok := w.names.menu(w.names.start(w.left()))
	if !ok {
		return &BudgetError{States: w.maxRows}
	}
	for _, c := range menu {
		leaves, next := w.names.split(c.out)
		w.ends.at(leaves)
		path := p.path + c.word
		if w.ends.label(0) == inDomain {
			w.answer(w.ends.answer)
			if first, ok := w.answers[string(w.key)]; !ok || w.queue.before(path, first) {
				w.answers[string(w.key)] = path
			}
		}
		row, err := w.follow(w.names.after(c.out), next)
		if err != nil {
			return err
		}
		if row != nowhere && !(int(row) < len(w.done) && w.done[row]) {
			w.queue.push(visit{path + "/", row})
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
		w.key = binary.LittleEndian.AppendUint32(w.key, uint32(label))
	}
	return true
}

// report turns answers into the result, once each has stood up to deciding it
// without an automaton.
func (w *walker) report() error {
	keys := slices.SortedFunc(maps.Keys(w.answers), func(a, b string) int {
		return w.queue.compare(w.answers[a], w.answers[b])
	})
	classes := map[string]int{}
	for _, key := range keys {
		path := w.answers[key]
		labels := make([]uint8, len(w.lists))
		rules := make([]int, len(w.lists))
		ok := w.domain.Contains(path)
		for i := range w.lists {
			labels[i], rules[i] = w.lists[i].Decide(path)
			said := int(int32(binary.LittleEndian.Uint32([]byte(key[4*i:]))))
			ok = ok && (w.byRule && said == rules[i]+1 || !w.byRule && said == int(labels[i]))
		}
		if !ok {
			return fmt.Errorf("internal error: for %q the automaton answers %x, but rules %v with labels %v decide it; please report", path, key, rules, labels)
		}
		k, known := classes[string(labels)]
		if !known {
			k = len(w.result.Classes)
			classes[string(labels)] = k
			w.result.Classes = append(w.result.Classes, Class{Labels: labels})
		}
		if c := &w.result.Classes[k]; len(c.Cases) < w.cases {
			c.Cases = append(c.Cases, Case{Path: path, Rules: rules})
		}
	}
	return nil
}
