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
	parts := []regex.Set{regex.Any()}
	for _, s := range sets {
		for i := range parts {
			in, out := intersect(parts[i], s), intersect(parts[i], s.Not())
			if in != (regex.Set{}) && out != (regex.Set{}) {
				parts[i] = in
				parts = append(parts, out)
			}
		}
	}
	var c classes
	var part [256]uint8
	for i, p := range parts {
		for b := range 256 {
			if p.Has(byte(b)) {
				part[b] = uint8(i)
			}
		}
	}
	var known [256]bool
	var ids [256]uint8
	for _, b := range readable() {
		if p := part[b]; !known[p] {
			known[p], ids[p] = true, uint8(len(c.bytes))
			c.bytes = append(c.bytes, b)
		}
		c.classOf[b] = ids[part[b]]
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
