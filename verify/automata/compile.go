package automata

import "slices"

// Decider is a decision list as a table: the least deterministic automaton that
// answers as the list does. It does not change and may be used from several
// goroutines.
type Decider struct {
	classOf [256]uint8
	width   uint32   // how many classes of bytes there are
	next    []uint32 // by state and class; a state is the index of its first entry
	labels  []uint8  // of each state, for the string that ends there
}

// Compile makes the table of a list. An error is a [*BudgetError].
func Compile(l *List, o Options) (*Decider, error) {
	if o.MaxStates == 0 {
		o.MaxStates = DefaultMaxStates
	}
	everything := &List{Default: inDomain}
	j, err := newJoint(newProgram([]*List{everything, l}, false), o.MaxStates)
	if err != nil {
		return nil, err
	}
	var d dfa
	d.width = len(j.bytes)
	e := newEnds(j)
	for row := int32(0); int(row) < j.rows.count(); row++ {
		j.leave(row)
		e.at()
		d.labels = append(d.labels, e.label(1))
		at := len(d.next)
		d.next = append(d.next, make([]int32, d.width)...)
		if _, settled := j.settled(1); settled {
			for c := range d.width {
				d.next[at+c] = row
			}
			continue
		}
		err := j.expand(func(by classMask, to int32) {
			for c := by.next(0); c >= 0; c = by.next(c + 1) {
				d.next[at+c] = to
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return d.minimise().decider(&j.classes), nil
}

// Decide returns the label that the list has for s.
func (d *Decider) Decide(s string) uint8 {
	at := uint32(0)
	for i := range len(s) {
		at = d.next[at+uint32(d.classOf[s[i]])]
	}
	return d.labels[at/d.width]
}

// States returns how many states the table has.
func (d *Decider) States() int { return len(d.labels) }

// Bytes returns how much memory the table takes.
func (d *Decider) Bytes() int { return len(d.classOf) + 4*len(d.next) + len(d.labels) }

// dfa is a deterministic automaton. It starts in state 0.
type dfa struct {
	width  int
	next   []int32 // by state and class
	labels []int32
}

func (d *dfa) row(state int32) []int32 {
	return d.next[int(state)*d.width : (int(state)+1)*d.width]
}

// minimise joins states with the same future. It starts with a part for each
// label and divides the parts until in each all states lead to the same parts.
func (d *dfa) minimise() *dfa {
	part := make([]int32, len(d.labels))
	var t table
	for s, l := range d.labels {
		part[s] = t.id([]int32{l})
	}
	key := make([]int32, d.width+1)
	for count := t.count(); ; count = t.count() {
		t = table{}
		divided := make([]int32, len(part))
		for s := range part {
			key[0] = part[s]
			for c, to := range d.row(int32(s)) {
				key[c+1] = part[to]
			}
			divided[s] = t.id(key)
		}
		part = divided
		if t.count() == count {
			break
		}
	}
	out := &dfa{width: d.width}
	for s := range part { // parts are numbered in the order of their first states
		if int(part[s]) < len(out.labels) {
			continue
		}
		out.labels = append(out.labels, d.labels[s])
		for _, to := range d.row(int32(s)) {
			out.next = append(out.next, part[to])
		}
	}
	return out
}

// decider joins classes that lead to the same state everywhere.
func (d *dfa) decider(c *classes) *Decider {
	var t table
	column := make([]int32, len(d.labels))
	var from []int // a class of each joined one
	joined := make([]uint8, d.width)
	for class := range d.width {
		for s := range column {
			column[s] = d.next[s*d.width+class]
		}
		id := t.id(column)
		joined[class] = uint8(id)
		if int(id) == len(from) {
			from = append(from, class)
		}
	}
	out := &Decider{width: uint32(len(from))}
	for b, class := range c.classOf {
		out.classOf[b] = joined[class]
	}
	for s, l := range d.labels {
		out.labels = append(out.labels, uint8(l))
		for _, class := range from {
			out.next = append(out.next, uint32(d.next[s*d.width+class])*out.width)
		}
	}
	out.next = slices.Clip(out.next)
	return out
}
