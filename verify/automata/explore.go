package automata

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// Options of a walk. The zero value is the default.
type Options struct {
	// MaxStates is how many states the walk may visit; 0 is [DefaultMaxStates]
	// and 20 more for each rule.
	MaxStates int
	// Cases is how many cases of each class are wanted, each decided by other
	// rules; 0 is one, whatever decides it. Telling rules apart takes more
	// states. If they are not enough, the result has fewer cases, and says so.
	Cases int
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
	// Fewer says that there may be more cases, or shorter ones after the first
	// of a class, since the budget did not last for all. The classes are
	// complete.
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
	all := []*List{{Rules: []Rule{{When: domain, Label: inDomain}}, Default: notInDomain}}
	for i := range lists {
		all = append(all, &lists[i])
	}
	w := walker{
		domain: domain, lists: lists, cases: max(o.Cases, 1), limit: o.limit(all...), queue: newQueue(), classes: map[string]int{},
	}
	if err := w.walk(all, false); err != nil {
		return nil, err
	}
	if o.Cases > 1 {
		err := w.walk(all, true)
		if budget := (*BudgetError)(nil); errors.As(err, &budget) {
			w.result.Fewer, err = true, w.report()
		}
		if err != nil {
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
	byRule  bool // each rule has an answer of its own
	cases   int
	limit   int
	queue   queue
	done    []bool            // rows that have been visited
	answers map[string]string // the first of the shortest strings, by what the lists of the program say
	key     []byte            // of answers: four bytes for each list
	classes map[string]int    // index into result.Classes, by labels
	result  Result
}

// walk finds all answers and reports them.
func (w *walker) walk(lists []*List, byRule bool) error {
	j, err := newJoint(newProgram(lists, byRule), w.limit)
	if err != nil {
		return err
	}
	w.joint, w.names, w.ends, w.byRule = j, newNames(j.nfa, w.limit), newEnds(j), byRule
	w.done, w.answers, w.queue.visits = nil, map[string]string{}, nil
	if w.rows.count() > 0 { // otherwise the domain is empty
		w.queue.push(visit{row: 0})
	}
	for len(w.queue.visits) > 0 {
		p := w.queue.pop()
		if w.visited(p.row) {
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
	w.result.States += j.rows.count() + w.names.count()
	return w.report()
}

func (w *walker) visited(row int32) bool { return int(row) < len(w.done) && w.done[row] }

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
		if row != nowhere && !w.visited(row) {
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

// report adds the answers to the result, once each has stood up to deciding it
// without an automaton.
func (w *walker) report() error {
	keys := slices.SortedFunc(maps.Keys(w.answers), func(a, b string) int {
		return w.queue.compare(w.answers[a], w.answers[b])
	})
	for _, key := range keys {
		c := Case{Path: w.answers[key], Rules: make([]int, len(w.lists))}
		labels := make([]uint8, len(w.lists))
		ok := w.domain.Contains(c.Path)
		for i := range w.lists {
			labels[i], c.Rules[i] = w.lists[i].Decide(c.Path)
			said := int(int32(binary.LittleEndian.Uint32([]byte(key[4*i:]))))
			ok = ok && (w.byRule && said == c.Rules[i]+1 || !w.byRule && said == int(labels[i]))
		}
		if !ok {
			return fmt.Errorf("internal error: for %q the automaton answers %x, but rules %v with labels %v decide it; please report",
				c.Path, key, c.Rules, labels)
		}
		w.add(labels, c)
	}
	return nil
}

// add adds a case to its class, unless that has one by the same rules.
func (w *walker) add(labels []uint8, c Case) {
	k, known := w.classes[string(labels)]
	if !known {
		k = len(w.result.Classes)
		w.classes[string(labels)] = k
		w.result.Classes = append(w.result.Classes, Class{Labels: labels})
	}
	class := &w.result.Classes[k]
	if len(class.Cases) < w.cases && !slices.ContainsFunc(class.Cases, func(o Case) bool { return slices.Equal(o.Rules, c.Rules) }) {
		class.Cases = append(class.Cases, c)
	}
}
