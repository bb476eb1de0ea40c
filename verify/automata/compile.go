package automata

import (
	"cmp"
	"slices"
)

// Decider is a decision list as a table, for deciding string after string. It
// does not change and may be used from several goroutines.
//
// It has two deterministic automata. One reads a segment, byte by byte, and
// tells the names apart that some rule asks for; the other goes from segment to
// segment. In one automaton over bytes every place of the second would have a
// copy of the first.
type Decider struct {
	classOf [256]uint8
	next    []int32 // within a segment: by state and class; a state is the index of its first entry
	outs    []int32 // by state: the kind of the name that ends there
	width   int32   // how many classes there are
	rows    []deciderRow
	ways    []way // of all rows, one row after the other
}

// deciderRow is a place between segments.
type deciderRow struct {
	start       int32 // the state that reads the next segment
	first, last int32 // its ways, in the order of kinds
	empty       way   // for the empty name
}

// way is what a kind of name leads to.
type way struct {
	kind  int32
	row   int32 // after the slash
	label uint8 // of the string that ends with the name
}

// Compile makes the table of a list. An error is a [*BudgetError].
func Compile(l *List, o Options) (*Decider, error) {
	limit := o.limit(l)
	everything := &List{Default: inDomain}
	j, err := newJoint(newProgram(o.cache(), []*List{everything, l}), limit)
	if err != nil {
		return nil, err
	}
	c := compiler{joint: j, names: newNames(j.nfa, limit), ends: newEnds(j)}
	for row := int32(0); int(row) < j.rows.count(); row++ {
		if err := c.row(row); err != nil {
			return nil, err
		}
	}
	return c.decider(), nil
}

// Decide returns the label that the list has for s.
func (d *Decider) Decide(s string) uint8 {
	row := &d.rows[0]
	at, empty := row.start, true
	for i := range len(s) {
		if c := s[i]; c != '/' {
			at, empty = d.next[at+int32(d.classOf[c])], false
			continue
		}
		row = &d.rows[d.way(row, at, empty).row]
		at, empty = row.start, true
	}
	return d.way(row, at, empty).label
}

func (d *Decider) way(row *deciderRow, at int32, empty bool) *way {
	if empty {
		return &row.empty
	}
	kind := d.outs[at/d.width]
	ways := d.ways[row.first:row.last]
	for len(ways) > 1 {
		if half := len(ways) / 2; ways[half].kind <= kind {
			ways = ways[half:]
		} else {
			ways = ways[:half]
		}
	}
	return &ways[0]
}

// States returns how many states both automata have.
func (d *Decider) States() int { return len(d.rows) + len(d.outs) }

// Bytes returns about how much memory the table takes.
func (d *Decider) Bytes() int {
	return len(d.classOf) + 4*len(d.next) + 4*len(d.outs) + 24*len(d.rows) + 12*len(d.ways)
}

// compiler makes the table.
type compiler struct {
	*joint
	names *names
	ends  ends
	rows  []deciderRow
	ways  []way
}

// row adds a row. Its start is a state of names, and so are the kinds of its
// ways, for now.
func (c *compiler) row(row int32) error {
	c.leave(row)
	p := c.names.place(c.names.start(c.left()))
	kinds, ok := c.names.kinds(p.state)
	if !ok {
		return &BudgetError{States: c.maxRows}
	}
	r := deciderRow{start: p.state, first: int32(len(c.ways))}
	var err error
	if r.empty, err = c.way(p.empty, -1); err != nil {
		return err
	}
	for _, k := range kinds {
		w, err := c.way(c.names.parts.union([]int32{p.always, k.out}), k.out)
		if err != nil {
			return err
		}
		c.ways = append(c.ways, w)
	}
	slices.SortFunc(c.ways[r.first:], func(a, b way) int { return cmp.Compare(a.kind, b.kind) })
	r.last = int32(len(c.ways))
	c.rows = append(c.rows, r)
	return nil
}

// way takes a step from the row that was left.
func (c *compiler) way(out, kind int32) (way, error) {
	leaves, states := c.names.parts.split(out)
	c.ends.at(leaves)
	w := way{kind: kind, label: uint8(c.ends.label(1))}
	var err error
	w.row, err = c.follow(c.names.parts.after(out), states)
	return w, err
}

// decider puts the table together.
func (c *compiler) decider() *Decider {
	width := len(c.bytes)
	seg := dfa{width: width, next: make([]int32, width*len(c.names.info))}
	for s := range c.names.info {
		n := &c.names.info[s]
		seg.labels = append(seg.labels, n.out)
		for _, step := range n.steps {
			for k := step.by.next(0); k >= 0; k = step.by.next(k + 1) {
				seg.next[s*width+k] = step.to
			}
		}
	}
	least, part := seg.minimise()
	d := least.decider(&c.classes)
	from, rows := c.joinRows(part)
	for _, row := range from {
		r := c.rows[row]
		ways := c.ways[r.first:r.last]
		r.start, r.first = part[r.start]*d.width, int32(len(d.ways))
		for _, w := range ways {
			w.row = rows[w.row]
			d.ways = append(d.ways, w)
		}
		r.last = int32(len(d.ways))
		r.empty.row = rows[r.empty.row]
		d.rows = append(d.rows, r)
	}
	return d
}

// joinRows joins rows with the same future. It returns the first row of each
// part, and the part of each row. Names has the part of each state of names.
func (c *compiler) joinRows(names []int32) (from, part []int32) {
	part = make([]int32, len(c.rows))
	for count := 0; ; {
		var t table
		divided := make([]int32, len(part))
		var key []int32
		for i, r := range c.rows {
			key = append(key[:0], part[i], names[r.start], part[r.empty.row], int32(r.empty.label))
			for _, w := range c.ways[r.first:r.last] {
				key = append(key, w.kind, part[w.row], int32(w.label))
			}
			divided[i] = t.id(key)
		}
		part = divided
		if t.count() == count {
			break
		}
		count = t.count()
	}
	for i, p := range part {
		if int(p) == len(from) {
			from = append(from, int32(i))
		}
	}
	return from, part
}

// dfa is a deterministic automaton. It may start in any state.
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
// It also returns the part of each state.
func (d *dfa) minimise() (least *dfa, part []int32) {
	part = make([]int32, len(d.labels))
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
	least = &dfa{width: d.width}
	for s := range part { // parts are numbered in the order of their first states
		if int(part[s]) < len(least.labels) {
			continue
		}
		least.labels = append(least.labels, d.labels[s])
		for _, to := range d.row(int32(s)) {
			least.next = append(least.next, part[to])
		}
	}
	return least, part
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
	out := &Decider{width: int32(len(from)), outs: d.labels}
	for b, class := range c.classOf {
		out.classOf[b] = joined[class]
	}
	for s := range d.labels {
		for _, class := range from {
			out.next = append(out.next, d.next[s*d.width+class]*out.width)
		}
	}
	return out
}
