package sbpltest

import (
	"fmt"
	"strings"
)

// node is a list, a symbol or a string.
type node struct {
	list   []node
	isList bool
	symbol string
	text   string
	isText bool
}

type reader struct {
	src string
	pos int
}

// readAll reads all expressions of a text.
func readAll(src string) ([]node, error) {
	r := &reader{src: src}
	var out []node
	for {
		r.space()
		if r.pos == len(r.src) {
			return out, nil
		}
		n, err := r.read()
		if err != nil {
			return nil, fmt.Errorf("at byte %d: %w", r.pos, err)
		}
		out = append(out, n)
	}
}

// space skips white space and comments.
func (r *reader) space() {
	for r.pos < len(r.src) {
		switch c := r.src[r.pos]; {
		case c == ';':
			for r.pos < len(r.src) && r.src[r.pos] != '\n' {
				r.pos++
			}
		case strings.IndexByte(" \t\r\n", c) >= 0:
			r.pos++
		default:
			return
		}
	}
}

func (r *reader) read() (node, error) {
	switch c := r.src[r.pos]; {
	case c == '(':
		r.pos++
		n := node{isList: true}
		for {
			r.space()
			if r.pos == len(r.src) {
				return n, fmt.Errorf("a list is not closed")
			}
			if r.src[r.pos] == ')' {
				r.pos++
				return n, nil
			}
			item, err := r.read()
			if err != nil {
				return n, err
			}
			n.list = append(n.list, item)
		}
	case c == ')':
		return node{}, fmt.Errorf("unexpected )")
	case c == '"':
		r.pos++
		return r.str()
	case strings.HasPrefix(r.src[r.pos:], `#"`):
		r.pos += 2
		end := strings.IndexByte(r.src[r.pos:], '"')
		if end < 0 {
			return node{}, fmt.Errorf("a raw string is not closed")
		}
		n := node{isText: true, text: r.src[r.pos : r.pos+end]}
		r.pos += end + 1
		return n, nil
	}
	start := r.pos
	for r.pos < len(r.src) && strings.IndexByte(" \t\r\n();\"", r.src[r.pos]) < 0 {
		r.pos++
	}
	return node{symbol: r.src[start:r.pos]}, nil
}

// str reads an ordinary string after its opening quote.
func (r *reader) str() (node, error) {
	var b strings.Builder
	for r.pos < len(r.src) {
		c := r.src[r.pos]
		r.pos++
		if c == '"' {
			return node{isText: true, text: b.String()}, nil
		}
		if c != '\\' {
			b.WriteByte(c)
			continue
		}
		if r.pos == len(r.src) {
			break
		}
		c = r.src[r.pos]
		r.pos++
		switch c {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'x':
			var v byte
			for range 2 {
				if r.pos == len(r.src) {
					return node{}, fmt.Errorf("a string is not closed")
				}
				d := strings.IndexByte("0123456789abcdef", r.src[r.pos]|0x20)
				if d < 0 {
					return node{}, fmt.Errorf("\\x without two digits")
				}
				v = v<<4 | byte(d)
				r.pos++
			}
			b.WriteByte(v)
		default:
			if '0' <= c && c <= '7' {
				return node{}, fmt.Errorf("sbc writes no octal escapes")
			}
			b.WriteByte(c)
		}
	}
	return node{}, fmt.Errorf("a string is not closed")
}

// ReadString reads a text that must be one string and nothing else, as the
// system's reader would.
func ReadString(src string) (string, error) {
	nodes, err := readAll(src)
	switch {
	case err != nil:
		return "", err
	case len(nodes) != 1 || !nodes[0].isText:
		return "", fmt.Errorf("%q is not one string", src)
	}
	return nodes[0].text, nil
}
