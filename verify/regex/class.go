package regex

import "strings"

// escape reads a backslash and what follows it, outside of a class.
func (p *parser) escape() (Node, error) {
	s, _, err := p.escaped()
	if err != nil {
		return nil, err
	}
	return s, nil
}

// escaped reads a backslash and what follows it. Single says that it is one
// byte, which may stand in a range.
func (p *parser) escaped() (s Set, single bool, err error) {
	start := p.pos
	p.pos++
	if p.pos == len(p.src) {
		return Set{}, false, p.errorf(start, "a backslash at the end")
	}
	c := p.src[p.pos]
	p.pos++
	switch c {
	case 'w', 'W':
		s = Range('a', 'z').Union(Range('A', 'Z')).Union(Range('0', '9')).Union(Bytes('_'))
	case 'd', 'D':
		s = Range('0', '9')
	case 's', 'S':
		s = Bytes([]byte(" \t\n\r\f\v")...)
	default:
		switch {
		case c >= 0x80:
			p.uses |= HighByte
		case 'a' <= c|0x20 && c|0x20 <= 'z', '0' <= c && c <= '9':
			p.uses |= LetterEscape
		}
		return Bytes(c), true, nil
	}
	p.uses |= ClassEscape
	if c < 'a' {
		s = s.Not()
	}
	return s, false, nil
}

// class reads a class from its "[".
func (p *parser) class() (Node, error) {
	open := p.pos
	p.pos++
	negated := strings.HasPrefix(p.src[p.pos:], "^")
	if negated {
		p.pos++
	}
	var set Set
	for first := true; ; first = false {
		if p.pos == len(p.src) {
			return nil, p.errorf(open, "the class is not closed")
		}
		if p.src[p.pos] == ']' && !first {
			p.pos++
			break
		}
		start := p.pos
		if strings.HasPrefix(p.src[start:], "[:") {
			return nil, p.errorf(start, "classes by name are not known to work")
		}
		lo, single, err := p.member()
		if err != nil {
			return nil, err
		}
		if rest := p.src[p.pos:]; len(rest) < 2 || rest[0] != '-' || rest[1] == ']' {
			set = set.Union(lo)
			continue
		}
		p.pos++
		hi, ends, err := p.member()
		if err != nil {
			return nil, err
		}
		if !single || !ends || lo.first() > hi.first() {
			return nil, p.errorf(start, "%q is no range", p.src[start:p.pos])
		}
		set = set.Union(Range(lo.first(), hi.first()))
	}
	if negated {
		p.uses |= NegatedClass
		set = set.Not()
	}
	return set, nil
}

// member reads one byte of a class, or a class by name.
func (p *parser) member() (s Set, single bool, err error) {
	c := p.src[p.pos]
	if c == '\\' {
		return p.escaped()
	}
	if c >= 0x80 {
		p.uses |= HighByte
	}
	p.pos++
	return Bytes(c), true, nil
}

// first returns the lowest byte of a set that is not empty.
func (s Set) first() byte {
	for b := range 256 {
		if s.Has(byte(b)) {
			return byte(b)
		}
	}
	return 0
}
