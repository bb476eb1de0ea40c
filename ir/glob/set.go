package glob

import (
	"encoding/binary"
	"slices"
	"sync"
)

// Set matches many patterns at once while a file tree is walked, name by name,
// under [Exact]. It may be used from several goroutines.
//
//	s := set.Root()
//	s, matched := s.Step("w")  // what matches /w
//	s, matched = s.Step(".env") // what matches /w/.env
//
// A step looks at the first and last byte of the name and, if they fit, costs
// one map lookup for all the literal segments that may come next and one test
// for each other segment. States are made once and shared.
type Set struct {
	segs  []segment  // without duplicates
	poss  []position // of all alternatives, one after the other
	start []int32    // the first position of each alternative

	root *walkNode

	mu    sync.RWMutex
	nodes map[string]*walkNode // by positions
}

// position is a place in an alternative: before one of its segments, or at its
// end. The place after it is the next position.
type position struct {
	kind    posKind
	seg     int32 // index into segs
	pattern int32
}

type posKind uint8

const (
	posSegment posKind = iota + 1
	posDoublestar
	posEnd
)

// maxNodes is how many states a Set keeps. More are made anew each time.
const maxNodes = 1 << 14

// State is where a walk stands: what the path so far may still become. It is
// comparable; equal states have the same future. The zero State is dead.
type State struct{ n *walkNode }

// walkNode is a set of positions with what a step needs. It is immutable.
type walkNode struct {
	set     *Set
	stay    *walkNode          // where a name leads that no segment matches
	keep    []int32            // the positions of stay
	literal map[string][]int32 // positions before a literal segment, by its text
	other   []branch           // positions before other segments
	quick   quick
	matched []int
	dead    bool
}

// branch is a segment that is not literal and the positions before it.
type branch struct {
	seg *segment
	at  []int32
}

// quick tells most names that no segment matches by their first and last byte.
type quick struct {
	first, last [256]bool // may match a name that starts, ends with the byte
	always      bool      // may match any name
}

func (q *quick) add(s *segment) {
	switch {
	case s.pre != "":
		q.first[s.pre[0]] = true
	case s.suf != "":
		q.last[s.suf[len(s.suf)-1]] = true
	default:
		q.always = true
	}
}

func (q *quick) maybe(name string) bool {
	return q.always || name != "" && (q.first[name[0]] || q.last[name[len(name)-1]])
}

// NewSet prepares a set. Indices that [State.Step] returns are into patterns.
func NewSet(patterns []*Pattern) *Set {
	s := &Set{nodes: map[string]*walkNode{}}
	ids := map[string]int32{}
	for i, p := range patterns {
		for j, alt := range p.alts {
			s.start = append(s.start, int32(len(s.poss)))
			for k, seg := range alt {
				pos := position{kind: posDoublestar, pattern: int32(i)}
				if !seg.Doublestar {
					text := seg.String()
					id, ok := ids[text]
					if !ok {
						id = int32(len(s.segs))
						ids[text] = id
						s.segs = append(s.segs, p.progs[j][k])
					}
					pos.kind, pos.seg = posSegment, id
				}
				s.poss = append(s.poss, pos)
			}
			s.poss = append(s.poss, position{kind: posEnd, pattern: int32(i)})
		}
	}
	var at []int32
	for _, p := range s.start {
		at = s.enter(at, p)
	}
	s.root = s.node(at)
	return s
}

// Root returns the state for "/".
func (s *Set) Root() State { return State{s.root} }

// Step goes down to name, a single segment, and returns the indices of the
// patterns that match the path so far, ascending. The caller must not change
// them.
func (s State) Step(name string) (next State, matched []int) {
	n := s.n
	if n == nil {
		return s, nil
	}
	to := n.stay
	if n.hit(name) {
		to = n.step(name)
	}
	return State{to}, to.matched
}

// Matched returns the indices of the patterns that match the path so far,
// ascending. The caller must not change them.
func (s State) Matched() []int {
	if s.n == nil {
		return nil
	}
	return s.n.matched
}

// Dead reports that no pattern can match anything beneath the path so far.
func (s State) Dead() bool { return s.n == nil || s.n.dead }

// hit reports whether any segment matches name.
func (n *walkNode) hit(name string) bool {
	if !n.quick.maybe(name) {
		return false
	}
	if _, ok := n.literal[name]; ok {
		return true
	}
	for i := range n.other {
		if n.other[i].seg.match(name, Exact) {
			return true
		}
	}
	return false
}

// step returns the state after name.
func (n *walkNode) step(name string) *walkNode {
	var buf [64]int32
	at := append(buf[:0], n.keep...)
	for _, p := range n.literal[name] {
		at = n.set.enter(at, p+1)
	}
	for i := range n.other {
		if b := &n.other[i]; b.seg.match(name, Exact) {
			for _, p := range b.at {
				at = n.set.enter(at, p+1)
			}
		}
	}
	return n.set.node(at)
}

// enter adds a position and, before a **, the one after it.
func (s *Set) enter(at []int32, p int32) []int32 {
	at = append(at, p)
	if s.poss[p].kind == posDoublestar {
		at = append(at, p+1) // not a ** again
	}
	return at
}

// node returns the state for the positions, whose order does not matter. It
// does not keep at.
func (s *Set) node(at []int32) *walkNode {
	slices.Sort(at)
	at = slices.Compact(at)
	var buf [256]byte
	key := buf[:0]
	for _, p := range at {
		key = binary.LittleEndian.AppendUint32(key, uint32(p))
	}
	s.mu.RLock()
	n := s.nodes[string(key)]
	s.mu.RUnlock()
	if n != nil {
		return n
	}
	n = s.newNode(at)
	s.mu.Lock()
	defer s.mu.Unlock()
	if old := s.nodes[string(key)]; old != nil {
		return old
	}
	if len(s.nodes) < maxNodes {
		s.nodes[string(key)] = n
	}
	return n
}

func (s *Set) newNode(at []int32) *walkNode {
	n := &walkNode{set: s, literal: map[string][]int32{}, dead: true}
	bySeg := map[int32]int{} // index into n.other
	for _, p := range at {
		pos := s.poss[p]
		switch pos.kind {
		case posEnd:
			n.matched = append(n.matched, int(pos.pattern))
			continue
		case posDoublestar:
			n.keep = s.enter(n.keep, p)
		case posSegment:
			seg := &s.segs[pos.seg]
			n.quick.add(seg)
			if seg.shape == shapeLiteral {
				n.literal[seg.pre] = append(n.literal[seg.pre], p)
			} else if i, ok := bySeg[pos.seg]; ok {
				n.other[i].at = append(n.other[i].at, p)
			} else {
				bySeg[pos.seg] = len(n.other)
				n.other = append(n.other, branch{seg, []int32{p}})
			}
		}
		n.dead = false
	}
	slices.Sort(n.matched)
	n.matched = slices.Compact(n.matched)
	if slices.Equal(n.keep, at) {
		n.stay = n
	} else {
		n.stay = s.node(slices.Clone(n.keep))
	}
	return n
}
