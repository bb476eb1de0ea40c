package automata

import (
	"math/bits"

	"github.com/sandboxc/sbc/verify/regex"
)

// classes puts bytes that no set tells apart into one class.
type classes struct {
	classOf [256]uint8
	// bytes is the byte of each class that reads best. The classes are in the
	// order of these bytes.
	bytes []byte
}

func newClasses(sets []regex.Set) classes {
	var part [256]int
	count := 1
	for _, s := range sets {
		split := map[int]int{}
		whole := map[int]bool{} // the class has no byte outside of s
		for b := range 256 {
			if s.Has(byte(b)) {
				if _, ok := whole[part[b]]; !ok {
					whole[part[b]] = true
				}
			}
		}
		for b := range 256 {
			if !s.Has(byte(b)) && whole[part[b]] {
				whole[part[b]] = false
			}
		}
		for b := range 256 {
			if s.Has(byte(b)) && !whole[part[b]] {
				id, ok := split[part[b]]
				if !ok {
					id = count
					split[part[b]] = id
					count++
				}
				part[b] = id
			}
		}
	}
	var c classes
	ids := map[int]uint8{}
	for _, b := range readable() {
		id, ok := ids[part[b]]
		if !ok {
			id = uint8(len(ids))
			ids[part[b]] = id
			c.bytes = append(c.bytes, b)
		}
		c.classOf[b] = id
	}
	return c
}

// readable returns all bytes, those first that read best in a witness: small
// letters, digits, capitals, the rest of ASCII that prints, and all others.
func readable() []byte {
	var out []byte
	seen := [256]bool{}
	add := func(lo, hi int) {
		for b := lo; b <= hi; b++ {
			if !seen[b] {
				seen[b] = true
				out = append(out, byte(b))
			}
		}
	}
	add('a', 'z')
	add('0', '9')
	add('A', 'Z')
	add('!', '~')
	add(' ', ' ')
	add(0x80, 0xff)
	add(0, 0xff)
	return out
}

// classMask is a set of classes.
type classMask [4]uint64

func (c *classes) mask(s regex.Set) classMask {
	var m classMask
	for i, b := range c.bytes {
		if s.Has(b) {
			m[i/64] |= 1 << (i % 64)
		}
	}
	return m
}

func (m *classMask) count() int {
	return bits.OnesCount64(m[0]) + bits.OnesCount64(m[1]) + bits.OnesCount64(m[2]) + bits.OnesCount64(m[3])
}

func (m *classMask) has(c int) bool { return m[c/64]&(1<<(c%64)) != 0 }

// next returns the first class of m from c on, -1 if there is none.
func (m *classMask) next(c int) int {
	for i := c / 64; i < 4; i++ {
		w := m[i]
		if i == c/64 {
			w = w >> (c % 64) << (c % 64)
		}
		if w != 0 {
			return i*64 + bits.TrailingZeros64(w)
		}
	}
	return -1
}

func (m *classMask) add(c int) { m[c/64] |= 1 << (c % 64) }

func (m classMask) and(o classMask) classMask {
	for i := range m {
		m[i] &= o[i]
	}
	return m
}

func (m classMask) or(o classMask) classMask {
	for i := range m {
		m[i] |= o[i]
	}
	return m
}

func (m classMask) less(o classMask) classMask {
	for i := range m {
		m[i] &^= o[i]
	}
	return m
}
