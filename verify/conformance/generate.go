package conformance

import "fmt"

// family makes cases of one kind.
type family struct {
	name string
	fill func(*builder)
}

// families are the kinds of cases that are made, in turn.
func families() []family {
	return []family{
		{"roots", (*builder).roots},
		{"denies", (*builder).denies},
		{"links", (*builder).links},
		{"missing", (*builder).missing},
		{"names", (*builder).oddNames},
		{"moves", (*builder).moves},
		{"globs", (*builder).globs},
		{"together", (*builder).together},
		{"meanwhile", (*builder).meanwhile},
		{"special", (*builder).special},
		{"openings", (*builder).openings},
		{"git", (*builder).git},
	}
}

// Generate makes n cases, the same ones for the same seed; the first of more are
// those of fewer. The right answers come from how a case is built, with no
// question to any part of sbc: each kind of case knows the meaning of the few
// rules that it writes.
func Generate(seed uint64, n int) []Case {
	kinds := families()
	out := make([]Case, n)
	for i := range out {
		f := kinds[i%len(kinds)]
		b := &builder{draw: newDraw(seed, uint64(i))}
		b.c.ID = fmt.Sprintf("G%d-%d-%s", seed, i, f.name)
		b.c.Policy.Tmp = "private"
		f.fill(b)
		out[i] = b.done()
	}
	return out
}
