package regex

// Node is a part of a regular expression: [Empty], [Never], [Set], [Concat],
// [Alt], [Repeat], [Begin] or [End].
//
//sumtype:decl
type Node interface{ node() }

// Empty matches the empty string.
type Empty struct{}

// Never matches nothing. It stands for a group (?:...).
type Never struct{}

// Concat is its parts one after the other. It has at least two.
type Concat []Node

// Alt is any one of its parts. It has at least two.
type Alt []Node

// Repeat is its node Min to Max times. A Max of [Unbounded] is no limit.
type Repeat struct {
	Node     Node
	Min, Max int
}

// Unbounded is the Max of a [Repeat] without a limit.
const Unbounded = -1

// Begin matches the empty string at the start of the path.
type Begin struct{}

// End matches the empty string at the end of the path.
type End struct{}

func (Empty) node()  {}
func (Never) node()  {}
func (Set) node()    {}
func (Concat) node() {}
func (Alt) node()    {}
func (Repeat) node() {}
func (Begin) node()  {}
func (End) node()    {}

// Set is one byte out of a set: bit b%64 of word b/64 is the byte b.
type Set [4]uint64

// Bytes returns the set of the given bytes.
func Bytes(bs ...byte) Set {
	var s Set
	for _, b := range bs {
		s.add(b, b)
	}
	return s
}

// Range returns the set of the bytes from lo to hi, both included.
func Range(lo, hi byte) Set {
	var s Set
	s.add(lo, hi)
	return s
}

// Any is the set of all bytes.
func Any() Set { return Range(0, 255) }

// Has reports whether a byte is in the set.
func (s Set) Has(b byte) bool { return s[b/64]&(1<<(b%64)) != 0 }

// Not returns the set of all other bytes.
func (s Set) Not() Set {
	for i := range s {
		s[i] = ^s[i]
	}
	return s
}

// Union returns the set of the bytes that are in either.
func (s Set) Union(t Set) Set {
	for i := range s {
		s[i] |= t[i]
	}
	return s
}

func (s *Set) add(lo, hi byte) {
	for b := int(lo); b <= int(hi); b++ {
		s[b/64] |= 1 << (b % 64)
	}
}
