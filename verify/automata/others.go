package automata

import "slices"

// others returns the strings of the domain that belong to the wanted classes
// which have n cases, and are not decided by the same rules as the last of these;
// nil if there is no such class. A shortest one of them is a shortest one of its
// own case, since nothing of that has been taken away.
func (w *walker) others(want func([]uint8) bool, n int) Expr {
	domain := And{w.domain}
	var classes Or
	for _, c := range w.result.Classes {
		if len(c.Cases) < n || want != nil && !want(slices.Clone(c.Labels)) {
			continue
		}
		var class, last And
		for i := range w.lists {
			class = append(class, Is{List: &w.lists[i], Label: c.Labels[i]})
			last = append(last, Is{List: decidedBy(&w.lists[i], c.Cases[n-1].Rules[i]), Label: 1})
		}
		classes = append(classes, class)
		domain = append(domain, Not{X: last})
	}
	if classes == nil {
		return nil
	}
	return append(domain, classes)
}

// decidedBy returns the list that gives the label 1 to what a rule of l decides,
// and 0 to all else.
func decidedBy(l *List, rule int) *List {
	if rule < 0 {
		out := &List{Rules: slices.Clone(l.Rules), Default: 1}
		for i := range out.Rules {
			out.Rules[i].Label = 0
		}
		return out
	}
	out := &List{Rules: slices.Clone(l.Rules[:rule+1])}
	for i := range out.Rules {
		out.Rules[i].Label = 0
	}
	out.Rules[rule].Label = 1
	return out
}
