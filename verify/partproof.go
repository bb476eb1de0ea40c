package verify

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/sandboxc/sbc/verify/automata"
)

// partProof proves pairs of lists, and remembers what it has proved. It is safe
// for concurrent use.
type partProof struct {
	domain automata.Expr
	max    int // states of one walk
	cache  *automata.Cache
	states atomic.Int64

	mu    sync.Mutex
	known map[string]*answer
	forms map[string]*forms // by the key of where
	names map[string]uint32 // of entries, by key
}

// answer is what a walk has found.
type answer struct {
	once sync.Once
	gaps []gap
	err  error
}

func newPartProof(domain automata.Expr, max int) *partProof {
	return &partProof{domain: domain, max: max, cache: automata.NewCache(), known: map[string]*answer{}, forms: map[string]*forms{}, names: map[string]uint32{}}
}

// key names a list.
func (p *partProof) key(es entries) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	key := make([]byte, 0, 5*len(es)+1)
	for i := range es {
		name, ok := p.names[es[i].key]
		if !ok {
			name = uint32(len(p.names))
			p.names[es[i].key] = name
		}
		key = append(binary.LittleEndian.AppendUint32(key, name), es[i].label)
	}
	return string(key)
}

// lists names two lists and how they are compared.
func (p *partProof) lists(how string, want, got entries) string {
	a, b := p.key(want), p.key(got)
	return fmt.Sprint(how, " ", len(want), " ", len(got), " ") + a + b
}

// once answers a question, which the key names, the first time it is asked.
func (p *partProof) once(key string, ask func() ([]gap, error)) ([]gap, error) {
	p.mu.Lock()
	a := p.known[key]
	if a == nil {
		a = &answer{}
		p.known[key] = a
	}
	p.mu.Unlock()
	a.once.Do(func() { a.gaps, a.err = ask() })
	return slices.Clone(a.gaps), a.err
}
