package automata

import (
	"encoding/binary"
	"fmt"
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
		joint: j, ends: newEnds(j), domain: domain, lists: lists, byRule: o.Cases > 0, cases: max(o.Cases, 1),
		found: map[string]bool{}, classes: map[string]int{},
	}
	if err := w.walk(); err != nil {
		return nil, err
	}
	w.result.States = j.rows.count()
	return &w.result, nil
}

// walker visits rows breadth first, steps in the order of classes, so that each
// row is first reached by the first of its shortest strings.
type walker struct {
	*joint
	ends    ends
	domain  Expr
	lists   []List
	byRule  bool
	cases   int
	steps   []step          // that first led to each row
	found   map[string]bool // answers, as the lists of the program give them
	classes map[string]int  // index into result.Classes, by labels
	key     []byte          // of the answers in labels
	labels  []int32
	result  Result
}

// step is how a row was first reached.
type step struct {
	from int32
	by   byte
}

func (w *walker) walk() error {
	if w.rows.count() > 0 { // otherwise the domain is empty
		w.steps = append(w.steps, step{from: nowhere})
	}
	for row := int32(0); int(row) < len(w.steps); row++ {
		w.leave(row)
		settled := w.answers(w.settled)
		if settled && w.found[string(w.key)] {
			continue
		}
		w.ends.at()
		if w.ends.label(0) == inDomain {
			w.answers(w.ends.answer)
			if !w.found[string(w.key)] {
				w.found[string(w.key)] = true
				if err := w.record(w.path(row)); err != nil {
					return err
				}
			}
			if settled {
				continue // whatever follows gets the same answers
			}
		}
		err := w.expand(func(by classMask, to int32) {
			if int(to) == len(w.steps) {
				w.steps = append(w.steps, step{from: row, by: w.bytes[by.next(0)]})
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// answers puts what each list says into labels and key, or reports false if one
// says nothing yet.
func (w *walker) answers(ask func(list int) (label int32, ok bool)) bool {
	w.labels, w.key = w.labels[:0], w.key[:0]
	for i := range w.lists {
		label, ok := ask(i + 1)
		if !ok {
			return false
		}
		w.labels = append(w.labels, label)
		w.key = binary.LittleEndian.AppendUint32(w.key, uint32(label))
	}
	return true
}

// path returns the string that first led to a row.
func (w *walker) path(row int32) string {
	var out []byte
	for ; w.steps[row].from != nowhere; row = w.steps[row].from {
		out = append(out, w.steps[row].by)
	}
	slices.Reverse(out)
	return string(out)
}

// record adds a case, once it has stood up to deciding it without an automaton.
func (w *walker) record(path string) error {
	labels := make([]uint8, len(w.lists))
	rules := make([]int, len(w.lists))
	ok := w.domain.Contains(path)
	for i := range w.lists {
		labels[i], rules[i] = w.lists[i].Decide(path)
		if w.byRule {
			ok = ok && w.labels[i] == int32(rules[i]+1)
		} else {
			ok = ok && w.labels[i] == int32(labels[i])
		}
	}
	if !ok {
		return fmt.Errorf("internal error: the automaton gives %q the answers %v, but rules %v with labels %v decide it; please report",
			path, w.labels, rules, labels)
	}
	k, known := w.classes[string(labels)]
	if !known {
		k = len(w.result.Classes)
		w.classes[string(labels)] = k
		w.result.Classes = append(w.result.Classes, Class{Labels: labels})
	}
	if c := &w.result.Classes[k]; len(c.Cases) < w.cases {
		c.Cases = append(c.Cases, Case{Path: path, Rules: rules})
	}
	return nil
}
