package strictjson

import (
	"bytes"
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/sandboxc/sbc/ir/diag"
)

// DefaultDepth is how many objects and arrays may be open at once.
const DefaultDepth = 100

// Check reports what is wrong with a text before anyone looks at its meaning:
// it is not UTF-8, not one JSON value (RFC 8259), has an object with two equal
// keys, or has more than maxDepth objects and arrays open at once. A maxDepth
// of 0 means [DefaultDepth]. The file is the name for ranges.
//
// It takes one pass and no recursion, and stops at the first place where the
// text is no longer JSON or too deep.
func Check(src []byte, file string, maxDepth int) diag.List {
	_, ds := parse(src, file, maxDepth, diag.CodeSyntax)
	return ds
}

// Document is a JSON text that [Check] has nothing against.
type Document struct {
	file  string
	text  []byte
	nodes []node
}

// Parse reads a text for [Document.Decode]. The document is nil if there is a
// problem. Problems have the code SBC0017, or SBC0004 and SBC0009 for duplicate
// keys and for nesting deeper than [DefaultDepth].
func Parse(src []byte, file string) (*Document, diag.List) {
	return parse(src, file, DefaultDepth, diag.CodeIRForm)
}

// node is a value or a key. The nodes of a document stand in the order of the
// text, so the first child of node i is i+1 and its next sibling is next.
type node struct {
	kind       kind
	start, end int32 // bytes of the text
	next       int32
}

type kind uint8

const (
	kindObject kind = iota + 1
	kindArray
	kindString
	kindNumber
	kindBool
	kindNull
)

func (k kind) String() string {
	switch k {
	case kindObject:
		return "an object"
	case kindArray:
		return "an array"
	case kindString:
		return "a string"
	case kindNumber:
		return "a number"
	case kindBool:
		return "a boolean"
	case kindNull:
		return "null"
	}
	return "nothing"
}

// frame is an object or array that is still open.
type frame struct {
	node int32
	keys keySet
}

type parser struct {
	problems
	maxDepth int
	pos      int
	nodes    []node
	stack    []frame
}

func parse(src []byte, file string, maxDepth int, code diag.Code) (*Document, diag.List) {
	if maxDepth <= 0 {
		maxDepth = DefaultDepth
	}
	p := &parser{problems: problems{file: file, text: src, code: code}, maxDepth: maxDepth}
	p.document()
	if len(p.list) > 0 {
		return nil, p.list
	}
	return &Document{file: file, text: src, nodes: p.nodes}, nil
}

// document reads the whole text.
func (p *parser) document() {
	if int64(len(p.text)) > math.MaxInt32 {
		p.addf(0, 0, "the text is larger than 2 GiB")
		return
	}
	if bytes.HasPrefix(p.text, []byte("\ufeff")) {
		p.addf(0, 3, "the text starts with a byte order mark")
		return
	}
	if !utf8.Valid(p.text) {
		at := invalidAt(p.text)
		p.addf(at, at+1, "the byte 0x%02x is not UTF-8", p.text[at])
		return
	}
	for next := stepValue; next != stepStop; {
		switch next {
		case stepValue:
			next = p.value()
		case stepAfter:
			next = p.after()
		case stepStop:
		}
	}
}

// step is what the parser does next.
type step uint8

const (
	stepStop  step = iota // at the end, or at a problem that cannot be passed
	stepValue             // a value follows
	stepAfter             // a value has ended
)

// value reads a scalar, or an object or array up to where its first value
// begins.
func (p *parser) value() step {
	c := p.peek()
	switch {
	case c == '{' || c == '[':
		return p.open(c)
	case c == '"':
		return p.scalar(kindString, p.string())
	case c == '-' || '0' <= c && c <= '9':
		return p.scalar(kindNumber, p.number())
	case p.word("true"):
		return p.scalar(kindBool, len("true"))
	case p.word("false"):
		return p.scalar(kindBool, len("false"))
	case p.word("null"):
		return p.scalar(kindNull, len("null"))
	}
	return p.unexpected("a value")
}

// after reads what stands behind a value: closing brackets, then a comma and
// the key that may follow.
func (p *parser) after() step {
	c := p.peek()
	if len(p.stack) == 0 {
		if p.pos < len(p.text) {
			p.addf(p.pos, len(p.text), "text after the end of the value")
		}
		return stepStop
	}
	object := p.nodes[p.top().node].kind == kindObject
	switch {
	case c == ',' && object:
		p.pos++
		return p.key()
	case c == ',':
		p.pos++
		return stepValue
	case c == '}' && object, c == ']' && !object:
		return p.close()
	case object:
		return p.unexpected(`"," or "}"`)
	}
	return p.unexpected(`"," or "]"`)
}

// open reads the start of an object or array.
func (p *parser) open(c byte) step {
	if len(p.stack) == p.maxDepth {
		p.add(p.pos, p.pos+1, diag.Diagnostic{
			Code:    diag.CodeNesting,
			Summary: fmt.Sprintf("nested deeper than %d levels", p.maxDepth),
		})
		return stepStop
	}
	p.stack = append(p.stack, frame{node: p.count()})
	if c == '{' {
		p.push(kindObject, 1)
		if p.peek() == '}' {
			return p.close()
		}
		return p.key()
	}
	p.push(kindArray, 1)
	if p.peek() == ']' {
		return p.close()
	}
	return stepValue
}

// close ends the innermost object or array at its bracket.
func (p *parser) close() step {
	p.pos++
	n := &p.nodes[p.top().node]
	n.end, n.next = offset(p.pos), p.count()
	p.stack = p.stack[:len(p.stack)-1]
	return stepAfter
}

// scalar ends a value of n bytes; an n of 0 means that it is malformed.
func (p *parser) scalar(k kind, n int) step {
	if n == 0 {
		return stepStop
	}
	p.push(k, n)
	return stepAfter
}

// key reads a key of an object and the colon.
func (p *parser) key() step {
	if p.peek() != '"' {
		return p.unexpected("a key in quotes")
	}
	n := p.string()
	if n == 0 {
		return stepStop
	}
	start := p.pos
	key := unquote(p.text[start : start+n])
	if first, dup := p.top().keys.add(key, p.count()); dup {
		one := p.nodes[first]
		p.add(start, start+n, diag.Diagnostic{
			Code:    diag.CodeDuplicate,
			Summary: "duplicate key " + quote(key),
			Detail:  "A key stands at most once in an object. Remove one of the two.",
			Related: []diag.Related{{Range: *p.rng(int(one.start), int(one.end)), Message: "the first one is here"}},
		})
		if p.full() {
			return stepStop
		}
	}
	p.push(kindString, n)
	if p.peek() != ':' {
		return p.unexpected(`":"`)
	}
	p.pos++
	return stepValue
}

func (p *parser) top() *frame { return &p.stack[len(p.stack)-1] }

// push appends the node of the next n bytes and moves behind them.
func (p *parser) push(k kind, n int) {
	p.nodes = append(p.nodes, node{kind: k, start: offset(p.pos), end: offset(p.pos + n), next: p.count() + 1})
	p.pos += n
}

// count is the number of nodes.
func (p *parser) count() int32 { return offset(len(p.nodes)) }

// offset narrows an offset, or a number of nodes, which is never larger.
func offset(n int) int32 {
	return int32(n)
}

// peek skips white space and returns the next byte, 0 at the end.
func (p *parser) peek() byte {
	for ; p.pos < len(p.text); p.pos++ {
		switch c := p.text[p.pos]; c {
		case ' ', '\t', '\r', '\n':
		default:
			return c
		}
	}
	return 0
}

// unexpected reports what stands at the current place.
func (p *parser) unexpected(want string) step {
	rest := p.text[p.pos:]
	if len(rest) == 0 {
		p.addf(p.pos, p.pos, "the text ends where %s is expected", want)
		return stepStop
	}
	r, n := utf8.DecodeRune(rest)
	p.addf(p.pos, p.pos+n, "%q where %s is expected", string(r), want)
	return stepStop
}
