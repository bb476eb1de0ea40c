package automata

import (
	"unicode/utf8"

	"github.com/sandboxc/sbc/ir/glob"
	"github.com/sandboxc/sbc/verify/regex"
)

// classRanges returns the code points that the class matches, never "/".
func classRanges(c glob.Class, fold glob.Fold) []glob.Range {
	ranges := c.Ranges
	if c.Negated {
		ranges = complement(ranges)
	}
	if fold != glob.Darwin {
		return ranges
	}
	out := ranges[:len(ranges):len(ranges)]
	for r := 'a'; r <= 'z'; r++ {
		switch lower, upper := inRanges(ranges, r), inRanges(ranges, r-0x20); {
		case lower && !upper:
			out = append(out, glob.Range{Lo: r - 0x20, Hi: r - 0x20})
		case upper && !lower:
			out = append(out, glob.Range{Lo: r, Hi: r})
		}
	}
	return out
}

func inRanges(ranges []glob.Range, r rune) bool {
	for _, x := range ranges {
		if x.Lo <= r && r <= x.Hi {
			return true
		}
	}
	return false
}

// complement returns the code points but "/" that are in none of the ranges,
// which are ascending.
func complement(ranges []glob.Range) []glob.Range {
	var out []glob.Range
	add := func(lo, hi rune) {
		if lo <= hi {
			out = append(out, glob.Range{Lo: lo, Hi: hi})
		}
	}
	next := rune(0)
	for _, r := range append(ranges[:len(ranges):len(ranges)], glob.Range{Lo: utf8.MaxRune + 1, Hi: utf8.MaxRune + 1}) {
		if next <= '/' && '/' < r.Lo {
			add(next, '/'-1)
			next = '/' + 1
		}
		add(next, r.Lo-1)
		next = r.Hi + 1
	}
	return out
}

// classNode is one code point of a class that is not negated.
func classNode(c glob.Class, fold glob.Fold) regex.Node {
	paths := runePaths(classRanges(c, fold))
	switch len(paths) {
	case 0:
		return regex.Never{}
	case 1:
		return pathNode(paths[0])
	}
	out := make(regex.Alt, len(paths))
	for i, p := range paths {
		out[i] = pathNode(p)
	}
	return out
}

func pathNode(p []regex.Set) regex.Node {
	if len(p) == 1 {
		return p[0]
	}
	out := make(regex.Concat, len(p))
	for i, s := range p {
		out[i] = s
	}
	return out
}

// runePaths returns the encodings of the code points, as sequences of sets of
// bytes. Surrogates have none.
func runePaths(ranges []glob.Range) [][]regex.Set {
	var out [][]regex.Set
	var ascii regex.Set
	for _, r := range ranges {
		if r.Lo < utf8.RuneSelf {
			ascii = ascii.Union(regex.Range(byte(r.Lo), byte(min(r.Hi, utf8.RuneSelf-1))))
		}
		for _, part := range []glob.Range{{Lo: 0x80, Hi: 0x7ff}, {Lo: 0x800, Hi: 0xd7ff}, {Lo: 0xe000, Hi: 0xffff}, {Lo: 0x10000, Hi: utf8.MaxRune}} {
			if lo, hi := max(r.Lo, part.Lo), min(r.Hi, part.Hi); lo <= hi {
				out = encodings(out, lo, hi)
			}
		}
	}
	if ascii != (regex.Set{}) {
		out = append(out, []regex.Set{ascii})
	}
	return out
}

// encodings adds the paths of code points whose encodings are equally long.
func encodings(out [][]regex.Set, lo, hi rune) [][]regex.Set {
	// Split where the last bytes do not run through all their values.
	for bits := 6; bits < 6*utf8.RuneLen(lo); bits += 6 {
		mask := rune(1)<<bits - 1
		if lo&^mask == hi&^mask {
			break
		}
		if lo&mask != 0 {
			return encodings(encodings(out, lo, lo|mask), (lo|mask)+1, hi)
		}
		if hi&mask != mask {
			return encodings(encodings(out, lo, hi&^mask-1), hi&^mask, hi)
		}
	}
	var a, b [utf8.UTFMax]byte
	n := utf8.EncodeRune(a[:], lo)
	utf8.EncodeRune(b[:], hi)
	path := make([]regex.Set, n)
	for i := range n {
		path[i] = regex.Range(a[i], b[i])
	}
	return append(out, path)
}
