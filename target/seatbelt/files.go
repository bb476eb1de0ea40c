package seatbelt

import (
	"slices"
	"strings"

	"github.com/sandboxc/sbc/ir"
	"github.com/sandboxc/sbc/target/seatbelt/sbpl"
)

// family is a set of operations that are always written together, so that no
// rule for one of them is beaten by another rule for a part of it.
type family uint8

const (
	reading family = iota + 1
	writing
)

func (f family) ops() []sbpl.Op {
	switch f {
	case reading:
		return []sbpl.Op{"file-read*", "process-exec*", "file-clone"}
	case writing:
		// A socket in the file system is made by bind(2), which no file
		// operation governs.
		return []sbpl.Op{"file-write*", "file-link", bind, inbound}
	}
	return nil
}

// split returns the operations of a family that take the type of a file as a
// condition, and those that do not. The latter never concern a directory.
func (f family) split() (typed, untyped []sbpl.Op) {
	switch f {
	case reading:
		return []sbpl.Op{"file-read*", "file-clone"}, []sbpl.Op{"process-exec*"}
	case writing:
		return []sbpl.Op{"file-write*", "file-link"}, []sbpl.Op{bind, inbound}
	}
	return nil, nil
}

// item is a rule with one clause, before adjacent ones are put together.
type item struct {
	action sbpl.Action
	ops    []sbpl.Op
	term   term
	note   string
	text   string // of the filter
}

func newItem(action sbpl.Action, ops []sbpl.Op, t term, note string) item {
	return item{action, ops, t, note, sbpl.Format(t.filter())}
}

// line is the rule that the item alone is.
func (it item) line() string {
	head := sbpl.Rule{Action: it.action, Ops: it.ops}.String()
	return head[:len(head)-1] + " " + it.text + ")"
}

// fileRules are the rules for reading and writing.
type fileRules struct {
	read, write []item
	// written knows every opening for writing.
	written *reach
}

// files writes the decision list in reverse, weakest rule first, so that the
// last rule that matches is the first one of the list.
func (l *lowering) files() fileRules {
	out := fileRules{written: newReach()}
	readable := newReach()
	for i, r := range slices.Backward(l.policy.Files) {
		if !r.AppliesTo(ir.Darwin) {
			continue
		}
		if _, _, dead := linked(r.Match); dead {
			continue // no path of the kernel is meant; the report says so
		}
		if r.Private {
			// There is no other storage to show, and the host's is not meant.
			r.Read, r.Write = ir.Deny, ir.Deny
		}
		switch r.Read {
		case ir.Allow:
			out.read = append(out.read, l.opens(i, reading)...)
			readable.add(r.Match)
		case ir.Ask, ir.Deny:
			out.read = append(out.read, l.closes(i, reading, readable)...)
		case ir.Pass:
		}
		switch r.Write {
		case ir.Allow:
			out.write = append(out.write, l.opens(i, writing)...)
			out.written.add(r.Match)
		case ir.Ask, ir.Deny:
			out.write = append(out.write, l.closes(i, writing, out.written)...)
		case ir.Pass:
		}
	}
	return out
}

// opens returns the items of an opening.
func (l *lowering) opens(i int, f family) []item {
	fs := opening(l.policy.Files[i].Match)
	l.fate[i].rough = l.fate[i].rough || fs.rough
	return l.items(i, sbpl.Allow, f.ops(), fs.list)
}

// closes returns the items of a closing; none if nothing weaker opens what it
// matches.
func (l *lowering) closes(i int, f family, x *reach) []item {
	r := &l.policy.Files[i]
	fs := closing(r.Match, r.NonDir, x)
	l.fate[i].lose(fs)
	if !r.NonDir {
		return l.items(i, sbpl.Deny, f.ops(), fs.list)
	}
	typed, untyped := f.split()
	return append(
		l.items(i, sbpl.Deny, untyped, fs.list),
		l.items(i, sbpl.Deny, typed, onlyNonDirectories(fs.list))...,
	)
}

// items makes one item a term, and remembers the lines for the report.
func (l *lowering) items(i int, action sbpl.Action, ops []sbpl.Op, terms []term) []item {
	if len(ops) == 0 {
		return nil
	}
	at := note(l.policy.Files[i].Origin)
	out := make([]item, len(terms))
	for j, t := range terms {
		out[j] = newItem(action, ops, t, at)
		l.fate[i].add(out[j])
	}
	return out
}

// rules puts adjacent items of the same action and operations together. Their
// order does not matter among themselves, since they decide alike; a filter
// that repeats is left out, and what one policy rule closes beneath the same
// roots, or with the same exceptions, is one clause.
func rules(items []item) []sbpl.Rule {
	var out []sbpl.Rule
	for len(items) > 0 {
		first := items[0]
		n := 1
		for n < len(items) && items[n].action == first.action && slices.Equal(items[n].ops, first.ops) {
			n++
		}
		r := sbpl.Rule{Action: first.action, Ops: first.ops}
		for _, it := range join(items[:n]) {
			r.Clauses = append(r.Clauses, sbpl.Clause{Filter: it.term.filter(), Note: it.note})
		}
		out = append(out, sbpl.Split(r)...)
		items = items[n:]
	}
	return out
}

// join leaves out items that repeat and puts those together that differ in
// their tails alone and have the same address.
func join(items []item) []item {
	var out []item
	seen := map[string]bool{}
	open := map[string]int{}
	for _, it := range items {
		if seen[it.text] {
			continue
		}
		seen[it.text] = true
		frame := it.term.frame()
		if frame == "" {
			out = append(out, it)
			continue
		}
		address, _, _ := strings.Cut(it.note, " ")
		key := address + " " + frame
		if i, ok := open[key]; ok && len(out[i].term.tails) < maxTails {
			t := &out[i].term
			t.tails = append(t.tails[:len(t.tails):len(t.tails)], it.term.tails...)
			continue
		}
		open[key] = len(out)
		out = append(out, it)
	}
	return out
}
