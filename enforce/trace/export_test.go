package trace

import "fmt"

// MaxText is the bound on the text of all records.
const MaxText = maxText

// Store is the store of a trace.
type Store struct{ s *store }

// NewStore makes a store.
func NewStore(limit int) Store { return Store{newStore(limit)} }

// Add counts a failed call.
func (s Store) Add(r Record, missing bool, who func() (int, string)) { s.s.add(r, missing, who) }

// Records returns what is kept.
func (s Store) Records() []Record { return s.s.records() }

// Lost counts what is not.
func (s Store) Lost() Lost { return s.s.lostNow() }

// ParseAddress returns family, path and text of an address, or "none".
func ParseAddress(b []byte) string {
	a, ok := parseAddress(b)
	if !ok {
		return "none"
	}
	return fmt.Sprintf("%s %q %q", a.family, a.path, a.text)
}
