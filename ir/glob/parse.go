package glob

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits of a pattern.
const (
	// MaxAlternatives is how many alternatives the braces of one pattern may
	// expand to.
	MaxAlternatives = 256
	// MaxDepth is how deep braces may nest.
	MaxDepth = 32
)

// Parse reads a pattern. An error is always an [*Error].
func Parse(s string) (*Pattern, error) {
	p := &parser{src: s}
	if !strings.ContainsAny(s, "{}") {
		a, err := p.plain()
		if err != nil {
			return nil, err
		}
		return newPattern(s, []Alternative{a}), nil
	}
	seq, err := p.seq(0)
	if err != nil {
		return nil, err
	}
	if n := count(seq); n > MaxAlternatives {
		return nil, p.errorf(strings.IndexByte(s, '{'), "split it into several patterns",
			"the braces stand for more than %d alternatives", MaxAlternatives)
	}
	all := expand(seq)
	alts := make([]Alternative, len(all))
	for i, toks := range all {
		if alts[i], err = p.build(toks); err != nil {
			return nil, err
		}
	}
	return newPattern(s, alts), nil
}

// MustParse is [Parse] for patterns that are part of the program. It panics if
// the pattern cannot be parsed.
func MustParse(s string) *Pattern {
	p, err := Parse(s)
	if err != nil {
		panic(err)
	}
	return p
}

// token is a piece of the source between braces.
type token struct {
	kind  tokenKind
	off   int
	text  string // of a literal, unescaped
	class Class
}

type tokenKind uint8

const (
	tokLiteral tokenKind = iota + 1
	tokSlash
	tokAnyChar
	tokAnyRun
	tokDoublestar
	tokClass
)

// node is a token or, if alts is not nil, a pair of braces.
type node struct {
	token
	alts [][]node
}

type parser struct {
	src string
	pos int
}

func (p *parser) errorf(off int, help, format string, args ...any) *Error {
	return &Error{Pattern: p.src, Offset: off, Msg: fmt.Sprintf(format, args...), Help: help}
}

// plain reads a pattern without braces, which is most of them.
func (p *parser) plain() (Alternative, error) {
	toks := make([]token, 0, 2*strings.Count(p.src, "/")+2)
	for p.pos < len(p.src) {
		n, err := p.node(p.src[p.pos], 0)
		if err != nil {
			return nil, err
		}
		toks = append(toks, n.token)
	}
	return p.build(toks)
}

// seq reads up to the end or, within braces, up to "," or "}".
func (p *parser) seq(depth int) ([]node, error) {
	var out []node
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		if depth > 0 && (c == ',' || c == '}') {
			return out, nil
		}
		n, err := p.node(c, depth)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

func (p *parser) node(c byte, depth int) (node, error) {
	off := p.pos
	switch c {
	case '{':
		return p.braces(depth)
	case '}':
		return node{}, p.errorf(off, `write \} for the character itself`, "} without a {")
	case '[':
		class, err := p.class()
		return node{token: token{kind: tokClass, off: off, class: class}}, err
	case '*':
		return p.stars()
	case '?':
		p.pos++
		return node{token: token{kind: tokAnyChar, off: off}}, nil
	case '/':
		p.pos++
		return node{token: token{kind: tokSlash, off: off}}, nil
	case '\\':
		p.pos++
		if p.pos == len(p.src) {
			return node{}, p.errorf(off, `write \\ for the character itself`, `\ at the end`)
		}
		if p.src[p.pos] == '/' {
			return node{}, p.errorf(off, "", "/ cannot be escaped")
		}
	case 0:
		return node{}, p.errorf(off, "", "a path cannot hold a NUL byte")
	}
	_, size := utf8.DecodeRuneInString(p.src[p.pos:])
	text := p.src[p.pos : p.pos+size]
	if text == "\x00" {
		return node{}, p.errorf(off, "", "a path cannot hold a NUL byte")
	}
	p.pos += size
	if c != '\\' { // the rest of a run
		n := strings.IndexAny(p.src[p.pos:], literalEnd)
		if n < 0 {
			n = len(p.src) - p.pos
		}
		p.pos += n
		text = p.src[off:p.pos]
	}
	return node{token: token{kind: tokLiteral, off: off, text: text}}, nil
}

// literalEnd holds what ends a run of literal text. A comma does so outside of
// braces too, which does no harm.
const literalEnd = "{}[*?/\\,\x00"

func (p *parser) braces(depth int) (node, error) {
	open := p.pos
	if depth == MaxDepth {
		return node{}, p.errorf(open, "", "braces nest deeper than %d", MaxDepth)
	}
	n := node{token: token{off: open}, alts: [][]node{}}
	for {
		p.pos++ // "{" or ","
		seq, err := p.seq(depth + 1)
		if err != nil {
			return node{}, err
		}
		n.alts = append(n.alts, seq)
		if p.pos == len(p.src) {
			return node{}, p.errorf(open, `write \{ for the character itself`, "{ without a }")
		}
		if p.src[p.pos] == '}' {
			p.pos++
			return n, nil
		}
	}
}

func (p *parser) stars() (node, error) {
	off := p.pos
	for p.pos < len(p.src) && p.src[p.pos] == '*' {
		p.pos++
	}
	switch p.pos - off {
	case 1:
		return node{token: token{kind: tokAnyRun, off: off}}, nil
	case 2:
		return node{token: token{kind: tokDoublestar, off: off}}, nil
	}
	return node{}, p.errorf(off, "write * or **", "more than two stars in a row")
}

// class reads "[...]".
func (p *parser) class() (Class, error) {
	open := p.pos
	unclosed := p.errorf(open, `write \[ for the character itself`, "[ without a ]")
	p.pos++
	var c Class
	if p.pos < len(p.src) && (p.src[p.pos] == '!' || p.src[p.pos] == '^') {
		c.Negated = true
		p.pos++
	}
	if p.pos < len(p.src) && p.src[p.pos] == ']' {
		return c, p.errorf(open, `write \] to have ] in a class`, "a class that holds nothing")
	}
	for p.pos < len(p.src) && p.src[p.pos] != ']' {
		off := p.pos
		lo, err := p.classRune(unclosed)
		if err != nil {
			return c, err
		}
		hi := lo
		if rest := p.src[p.pos:]; len(rest) > 1 && rest[0] == '-' && rest[1] != ']' {
			p.pos++
			if hi, err = p.classRune(unclosed); err != nil {
				return c, err
			}
		}
		if hi < lo {
			return c, p.errorf(off, "write the lower end first", "the range %c-%c is reversed", lo, hi)
		}
		c.Ranges = append(c.Ranges, Range{lo, hi})
	}
	if p.pos == len(p.src) {
		return c, unclosed
	}
	p.pos++
	c.Ranges = tidy(c.Ranges)
	return c, nil
}

// classRune reads one code point of a class, which may be escaped.
func (p *parser) classRune(unclosed *Error) (rune, error) {
	off := p.pos
	if p.src[p.pos] == '\\' {
		p.pos++
	}
	if p.pos == len(p.src) {
		return 0, unclosed
	}
	r, size := utf8.DecodeRuneInString(p.src[p.pos:])
	p.pos += size
	switch {
	case r == utf8.RuneError && size == 1:
		return 0, p.errorf(off, "", "a class cannot hold a byte that is not UTF-8")
	case r == '/' && !strings.Contains(p.src[p.pos:], "]"):
		return 0, unclosed
	case r == '/':
		return 0, p.errorf(off, `a class never matches /; write \[ for the character [ itself`, "/ in a class")
	case r == 0:
		return 0, p.errorf(off, "", "a path cannot hold a NUL byte")
	}
	return r, nil
}

// tidy sorts and joins ranges and cuts "/" out of them.
func tidy(in []Range) []Range {
	var cut []Range
	for _, r := range in {
		if r.Lo < '/' && '/' < r.Hi {
			cut = append(cut, Range{r.Lo, '/' - 1}, Range{'/' + 1, r.Hi})
		} else {
			cut = append(cut, r)
		}
	}
	slices.SortFunc(cut, func(a, b Range) int { return cmp.Compare(a.Lo, b.Lo) })
	out := cut[:0:0]
	for _, r := range cut {
		if n := len(out); n > 0 && r.Lo <= out[n-1].Hi+1 {
			out[n-1].Hi = max(out[n-1].Hi, r.Hi)
		} else {
			out = append(out, r)
		}
	}
	return out
}
