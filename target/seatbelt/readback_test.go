package seatbelt_test

import (
	"fmt"

	model "github.com/sandboxc/sbc/verify/sbpl"
)

// readBack is a profile that was read from its text.
type readBack struct{ *model.Profile }

// parse reads a profile, which must be one that sbc may write.
func parse(text []byte) (readBack, error) {
	p, problems := model.ReadSubset("darwin.sb", text)
	if len(problems) > 0 {
		return readBack{}, fmt.Errorf("%v", problems)
	}
	return readBack{p}, nil
}

// query is one question to a profile.
type query struct {
	Op string
	model.Subject
}

// allows answers the question. An operation that does not exist is a mistake in
// the test.
func (p readBack) allows(q query) bool {
	d, err := p.Decide(q.Op, q.Subject)
	if err != nil {
		panic(err)
	}
	return d.Allow
}

// clauses is the number of bytes of the largest rule's filters.
func (p readBack) clauses() int {
	n := 0
	for _, r := range p.Rules {
		if r.Filter != nil {
			n = max(n, len(r.Filter.String()))
		}
	}
	return n
}
