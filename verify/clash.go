package verify

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/sandboxc/sbc/verify/automata"
)

// ranked is a decision list whose labels are ranks, of which a higher one
// permits more, and whose rules have names. Rules of one name are one to whoever
// reads of a clash.
type ranked struct {
	list  automata.List
	names []string // of the rules
	// only, if it is set, is another list of ranks: where it has another rank,
	// the list is not asked.
	only *automata.List
}

// name returns what decides a string: the name of rule i, with its rank, or
// that of the default.
func (r *ranked) name(rule int) decidedBy {
	if rule < 0 {
		return decidedBy{rank: r.list.Default}
	}
	return decidedBy{name: r.names[rule], rank: r.list.Rules[rule].Label}
}

// decidedBy is what decides a string in a list.
type decidedBy struct {
	name string
	rank uint8
}

// clash is a string to which two lists give another rank.
type clash struct {
	path string
	by   [2]decidedBy
}

// wider reports whether the second list permits more.
func (c clash) wider() bool { return c.by[1].rank > c.by[0].rank }

// maxNames is how many names of one list can be told apart in one walk.
const maxNames = 200

// clashes compares two lists on a domain. For each pair of what decides in the
// first and in the second list, one rank lower and one higher, there is one
// clash with a shortest string: all of them, or more than n, in each direction.
// Cut says that names were too many to tell all apart.
//
// It first walks the ranks alone, which settles the directions. What decides
// the strings that were found gets a label of its own, and the lists are walked
// again, until there are enough clashes or no new name comes up: so a walk knows
// hardly more names than there are clashes, which keeps it small. An error is a
// bound that the first walk met.
func clashes(domain automata.Expr, lists [2]ranked, n, budget int) (out []clash, cut bool, err error) {
	marks := [2]marking{newMarking(&lists[0], n), newMarking(&lists[1], n)}
	for fresh := true; fresh; {
		paths, err := walk(domain, marks[:], budget)
		if err != nil && len(out) == 0 {
			return nil, false, err
		}
		if err != nil {
			return out, true, nil // the directions are known
		}
		found := map[[2]decidedBy]clash{}
		for _, path := range paths {
			c := clash{path: path}
			for i := range lists {
				_, rule := lists[i].list.Decide(path)
				c.by[i] = lists[i].name(rule)
			}
			if old, ok := found[c.by]; !ok || order(c, old) < 0 {
				found[c.by] = c
			}
		}
		out = slices.SortedFunc(maps.Values(found), order)
		count := directions(out)
		fresh = false
		for _, c := range out {
			if count[c.wider()] > n {
				continue // these are enough
			}
			for i := range marks {
				fresh = marks[i].add(c.by[i]) || fresh
			}
		}
	}
	return out, len(marks[0].labels) == maxNames || len(marks[1].labels) == maxNames, nil
}

// order puts shorter strings first, and small letters before capitals.
func order(a, b clash) int {
	return cmp.Or(cmp.Compare(len(a.path), len(b.path)), -cmp.Compare(a.path, b.path), cmp.Compare(fmt.Sprint(a.by), fmt.Sprint(b.by)))
}

// directions counts the clashes that are wider, and those that are not.
func directions(list []clash) map[bool]int {
	out := map[bool]int{}
	for _, c := range list {
		out[c.wider()]++
	}
	return out
}

// marking gives what decides in a list labels of its own.
type marking struct {
	of     *ranked
	labels map[decidedBy]uint8
	ranks  [maxNames + maxRank + 1]uint8 // of the labels
}

// newMarking marks what decides in a list if there are few names.
func newMarking(r *ranked, few int) marking {
	m := marking{of: r, labels: map[decidedBy]uint8{}}
	all := map[decidedBy]bool{r.name(-1): true}
	for i := range r.names {
		all[r.name(i)] = true
	}
	if len(all) <= few {
		for i := -1; i < len(r.names); i++ {
			m.add(r.name(i))
		}
	}
	return m
}

// maxRank is the highest rank.
const maxRank = 9

// add reports whether the label is new.
func (m *marking) add(by decidedBy) bool {
	if _, ok := m.labels[by]; ok || len(m.labels) >= maxNames {
		return false
	}
	label := uint8(maxRank + 1 + len(m.labels))
	m.labels[by] = label
	m.ranks[label] = by.rank
	return true
}

func (m *marking) label(by decidedBy) uint8 {
	if label, ok := m.labels[by]; ok {
		return label
	}
	return by.rank
}

// rank is the rank of a label.
func (m *marking) rank(label uint8) uint8 {
	if label <= maxRank {
		return label
	}
	return m.ranks[label]
}

// list is the list with the labels.
func (m *marking) list() automata.List {
	out := automata.List{Default: m.label(m.of.name(-1)), Rules: slices.Clone(m.of.list.Rules)}
	for i := range out.Rules {
		out.Rules[i].Label = m.label(m.of.name(i))
	}
	return out
}

// walk returns a shortest string of each class in which the ranks differ.
func walk(domain automata.Expr, marks []marking, budget int) ([]string, error) {
	var lists []automata.List
	for i := range marks {
		lists = append(lists, marks[i].list())
	}
	only := map[int]int{} // the list that a list's rank must be equal to
	for i := range marks {
		if marks[i].of.only != nil {
			only[i] = len(lists)
			lists = append(lists, *marks[i].of.only)
		}
	}
	res, err := automata.Explore(domain, lists, automata.Options{MaxStates: budget})
	if err != nil {
		return nil, err
	}
	var out []string
	for _, c := range res.Classes {
		ranks := [2]uint8{marks[0].rank(c.Labels[0]), marks[1].rank(c.Labels[1])}
		counts := ranks[0] != ranks[1]
		for i, k := range only {
			counts = counts && c.Labels[k] == ranks[i]
		}
		if counts {
			out = append(out, c.Cases[0].Path)
		}
	}
	return out, nil
}
