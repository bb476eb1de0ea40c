package regex

import (
	"fmt"
	"strings"
)

// Parse reads an expression. An error is always an [*Error].
func Parse(pattern string) (*Regex, error) {
	p := &parser{src: pattern}
	root, err := p.alternatives(0)
	if err != nil {
		return nil, err
	}
	if p.pos < len(p.src) {
		return nil, p.errorf(p.pos, "unmatched )")
	}
	if size(root) > MaxSize {
		return nil, p.errorf(0, "the expression has more than %d states", MaxSize)
	}
	return &Regex{source: pattern, root: root, uses: p.uses}, nil
}

// MustParse is [Parse] for expressions that are part of the program. It panics
// if the expression cannot be parsed.
func MustParse(pattern string) *Regex {
	r, err := Parse(pattern)
	if err != nil {
		panic(err)
	}
	return r
}

type parser struct {
	src  string
	pos  int
	uses Use
}

func (p *parser) errorf(off int, format string, args ...any) error {
	return &Error{Pattern: p.src, Offset: off, Msg: fmt.Sprintf(format, args...)}
}

// alternatives reads up to the end or to the ")" that closes a group.
func (p *parser) alternatives(depth int) (Node, error) {
	if depth > MaxDepth {
		return nil, p.errorf(p.pos, "groups nest deeper than %d", MaxDepth)
	}
	var alts Alt
	for {
		n, err := p.sequence(depth)
		if err != nil {
			return nil, err
		}
		alts = append(alts, n)
		if p.pos == len(p.src) || p.src[p.pos] != '|' {
			break
		}
		p.pos++
	}
	if len(alts) == 1 {
		return alts[0], nil
	}
	return alts, nil
}

// sequence reads one alternative.
func (p *parser) sequence(depth int) (Node, error) {
	var seq Concat
	for p.pos < len(p.src) && p.src[p.pos] != '|' && p.src[p.pos] != ')' {
		if p.src[p.pos] == '^' && len(seq) > 0 {
			return nil, p.errorf(p.pos, "unexpected ^ operator in middle of expression")
		}
		n, err := p.repeated(depth)
		if err != nil {
			return nil, err
		}
		seq = append(seq, n)
	}
	switch len(seq) {
	case 0:
		return Empty{}, nil
	case 1:
		return seq[0], nil
	}
	return seq, nil
}

// repeated reads an atom and its quantifiers.
func (p *parser) repeated(depth int) (Node, error) {
	group := p.src[p.pos] == '('
	n, err := p.atom(depth)
	if err != nil {
		return nil, err
	}
	_, begin := n.(Begin)
	for i := 0; p.pos < len(p.src) && strings.IndexByte("*+?{", p.src[p.pos]) >= 0; i++ {
		if begin && !group {
			return nil, p.errorf(p.pos, "there is nothing to repeat before %c", p.src[p.pos])
		}
		if i > MaxDepth {
			return nil, p.errorf(p.pos, "more than %d quantifiers in a row", MaxDepth)
		}
		lo, hi, err := p.quantifier()
		if err != nil {
			return nil, err
		}
		if i > 0 {
			p.uses |= Stacked
		}
		if group && hi != 1 {
			p.uses |= GroupRepeat
		}
		n = Repeat{Node: n, Min: lo, Max: hi}
	}
	return n, nil
}

// atom reads what a quantifier applies to.
func (p *parser) atom(depth int) (Node, error) {
	c := p.src[p.pos]
	switch c {
	case '(':
		return p.group(depth)
	case '[':
		return p.class()
	case '\\':
		return p.escape()
	case '*', '+', '?', '{':
		return nil, p.errorf(p.pos, "there is nothing to repeat before %c", c)
	}
	p.pos++
	switch c {
	case '.':
		p.uses |= Dot
		return Any(), nil
	case '^':
		return Begin{}, nil
	case '$':
		p.uses |= Dollar
		return End{}, nil
	}
	if c >= 0x80 {
		p.uses |= HighByte
	}
	return Bytes(c), nil
}

// group reads a group from its "(".
func (p *parser) group(depth int) (Node, error) {
	open := p.pos
	p.pos++
	never := false
	if strings.HasPrefix(p.src[p.pos:], "?") {
		if !strings.HasPrefix(p.src[p.pos:], "?:") {
			return nil, p.errorf(open, "(? is not supported: the profile would not compile")
		}
		never = true
		p.pos += 2
	}
	n, err := p.alternatives(depth + 1)
	if err != nil {
		return nil, err
	}
	if p.pos == len(p.src) {
		return nil, p.errorf(open, "the group is not closed")
	}
	p.pos++
	if never {
		p.uses |= NeverGroup
		return Never{}, nil
	}
	return n, nil
}

// quantifier reads *, +, ? or a count.
func (p *parser) quantifier() (lo, hi int, err error) {
	start := p.pos
	p.pos++
	switch p.src[start] {
	case '*':
		return 0, Unbounded, nil
	case '+':
		return 1, Unbounded, nil
	case '?':
		return 0, 1, nil
	}
	p.uses |= Counted
	lo, ok := p.number()
	hi = lo
	if ok && strings.HasPrefix(p.src[p.pos:], ",") {
		p.pos++
		if hi = Unbounded; !strings.HasPrefix(p.src[p.pos:], "}") {
			hi, ok = p.number()
		}
	}
	if !ok || !strings.HasPrefix(p.src[p.pos:], "}") {
		return 0, 0, p.errorf(start, "a count is {n}, {n,} or {n,m}, with numbers up to %d", MaxCount)
	}
	p.pos++
	if hi != Unbounded && hi < lo {
		return 0, 0, p.errorf(start, "the count runs backwards")
	}
	return lo, hi, nil
}

// number reads a decimal number up to MaxCount.
func (p *parser) number() (n int, ok bool) {
	for p.pos < len(p.src) && '0' <= p.src[p.pos] && p.src[p.pos] <= '9' {
		n = n*10 + int(p.src[p.pos]-'0')
		if n > MaxCount {
			return 0, false
		}
		ok = true
		p.pos++
	}
	return n, ok
}
