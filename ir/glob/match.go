package glob

import (
	"strings"
)

// Fold says how paths are compared.
type Fold uint8

const (
	// Exact compares code point by code point.
	Exact Fold = iota
	// Darwin compares as the default macOS volume does, as far as sbc promises
	// it: a [Char] matches each of its [Char.Forms] with ASCII letters of either
	// case, and a class matches a code point if it matches that or its other
	// ASCII case. [AnyChar] stays one code point.
	//
	// LAW: what matches under Exact matches under Darwin.
	Darwin
)

// String returns "exact" or "darwin".
func (f Fold) String() string {
	switch f {
	case Exact:
		return "exact"
	case Darwin:
		return "darwin"
	}
	return "invalid fold"
}

// Match reports whether p matches the whole of path, which is absolute and
// clean; a path that does not start with "/" is never matched. The time is
// polynomial in the lengths of both.
func (p *Pattern) Match(path string, fold Fold) bool { return p.match(path, fold, false) }

// Covers reports whether p matches path or a directory above it: "the pattern
// and everything beneath".
func (p *Pattern) Covers(path string, fold Fold) bool { return p.match(path, fold, true) }

func (p *Pattern) match(path string, fold Fold, beneath bool) bool {
	if !strings.HasPrefix(path, "/") {
		return false
	}
	for _, prog := range p.progs {
		if matchSegments(prog, path, fold, beneath) {
			return true
		}
	}
	return false
}

// matchSegments walks pattern and path side by side. When a segment does not
// match, only the latest ** is given one more segment of the path: an earlier
// ** could only make the part up to the latest one end later, which does not
// help. That keeps it from trying all combinations.
func matchSegments(prog []segment, path string, fold Fold, beneath bool) bool {
	pos := 1 // where the next segment of path starts; at the end there is none
	if path == "/" {
		pos = len(path) + 1
	}
	s, backS, backPos := 0, -1, 0
	for {
		switch {
		case s < len(prog) && prog[s].doublestar:
			s++
			if s == len(prog) {
				return true
			}
			backS, backPos = s, pos
			continue
		case s == len(prog) && (beneath || pos > len(path)):
			return true
		case s < len(prog) && pos <= len(path):
			end := segmentEnd(path, pos)
			if prog[s].match(path[pos:end], fold) {
				s, pos = s+1, end+1
				continue
			}
		}
		if backS < 0 || backPos > len(path) {
			return false
		}
		backPos = segmentEnd(path, backPos) + 1
		s, pos = backS, backPos
	}
}

func segmentEnd(path string, pos int) int {
	if i := strings.IndexByte(path[pos:], '/'); i >= 0 {
		return pos + i
	}
	return len(path)
}
