package syntax

import (
	"strconv"
	"strings"
)

// atom reads a number or a symbol.
func (r *reader) atom(start Pos) (Node, error) {
	w := r.word()
	r.skip(len(w))
	digits := strings.TrimLeft(w, "+-")
	if len(w)-len(digits) > 1 || digits == "" || strings.Trim(digits, "0123456789.") != "" || strings.Trim(digits, ".") == "" {
		return &Symbol{Pos: start, Name: w}, nil
	}
	if strings.IndexByte(digits, '.') >= 0 {
		return nil, r.errorf(start, "%s: only whole numbers are known", w)
	}
	return r.integer(start, w, w, 10)
}

func (r *reader) integer(start Pos, w, digits string, base int) (Node, error) {
	v, err := strconv.ParseInt(digits, base, 64)
	if err != nil {
		return nil, r.errorf(start, "%s is no number", w)
	}
	return &Integer{Pos: start, Value: v}, nil
}

// names are the characters that are written by name.
var names = map[string]byte{"space": ' ', "newline": '\n', "tab": '\t', "return": '\r', "nul": 0}

// sharp reads what starts with #.
func (r *reader) sharp(start Pos, depth int) (Node, error) {
	switch rest := r.rest(); {
	case strings.HasPrefix(rest, `#"`):
		r.skip(2)
		return r.raw(start)
	case strings.HasPrefix(rest, "#("):
		r.skip(2)
		n, err := r.list(start, depth)
		if err != nil {
			return nil, err
		}
		l, ok := n.(*List)
		if !ok || l.Tail != nil {
			return nil, r.errorf(start, "a vector has no dot")
		}
		return &Vector{Pos: start, Items: l.Items}, nil
	case strings.HasPrefix(rest, `#\`) && len(rest) > 2:
		r.skip(2)
		return r.char(start)
	}
	w := r.word()
	r.skip(len(w))
	base := 0
	switch {
	case w == "#t":
		return &Bool{Pos: start, Value: true}, nil
	case w == "#f":
		return &Bool{Pos: start}, nil
	case strings.HasPrefix(w, "#o"):
		base = 8
	case strings.HasPrefix(w, "#x"):
		base = 16
	case strings.HasPrefix(w, "#d"):
		base = 10
	case strings.HasPrefix(w, "#b"):
		base = 2
	default:
		return nil, r.errorf(start, "%s means nothing", w)
	}
	return r.integer(start, w, w[2:], base)
}

// char reads a character after #\.
func (r *reader) char(start Pos) (Node, error) {
	first := r.next()
	if strings.IndexByte(blanks+"();\"", first) >= 0 {
		return &Char{Pos: start, Value: first}, nil
	}
	from := r.at.Byte - 1
	r.skip(len(r.word()))
	w := r.src[from:r.at.Byte]
	if len(w) == 1 {
		return &Char{Pos: start, Value: first}, nil
	}
	if c, ok := names[strings.ToLower(w)]; ok {
		return &Char{Pos: start, Value: c}, nil
	}
	if v, err := strconv.ParseUint(w[1:], 16, 8); err == nil && first == 'x' {
		return &Char{Pos: start, Value: byte(v)}, nil
	}
	return nil, r.errorf(start, `#\%s is no character`, w)
}

// raw reads a string after #", in which nothing is escaped.
func (r *reader) raw(start Pos) (Node, error) {
	n := strings.IndexByte(r.rest(), '"')
	if n < 0 {
		return nil, r.errorf(start, "the string is not closed")
	}
	text := r.rest()[:n]
	for range n + 1 {
		r.next()
	}
	return &String{Pos: start, Text: text, Raw: true}, nil
}

// str reads a string after its opening quote.
func (r *reader) str(start Pos) (Node, error) {
	var b strings.Builder
	for {
		n := strings.IndexAny(r.rest(), `"\`)
		if n < 0 {
			return nil, r.errorf(start, "the string is not closed")
		}
		b.WriteString(r.rest()[:n])
		for range n {
			r.next()
		}
		at := r.at
		if r.next() == '"' {
			return &String{Pos: start, Text: b.String()}, nil
		}
		if r.done() {
			return nil, r.errorf(start, "the string is not closed")
		}
		switch c := r.next(); c {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'x', 'X':
			v, err := strconv.ParseUint(r.take(2, 2, "0123456789abcdefABCDEF"), 16, 8)
			if err != nil {
				return nil, r.errorf(at, `\x wants two hexadecimal digits`)
			}
			b.WriteByte(byte(v))
		case '0', '1', '2', '3', '4', '5', '6', '7':
			r.at.Byte--
			r.at.Column--
			v, err := strconv.ParseUint(r.take(2, 3, "01234567"), 8, 8)
			if err != nil {
				return nil, r.errorf(at, `an octal escape has two or three digits and is at most \377`)
			}
			b.WriteByte(byte(v))
		default:
			b.WriteByte(c)
		}
	}
}

// take takes up to most bytes that are in a set. With fewer than least it
// takes nothing.
func (r *reader) take(least, most int, set string) string {
	n := 0
	for n < most && n < len(r.rest()) && strings.IndexByte(set, r.rest()[n]) >= 0 {
		n++
	}
	if n < least {
		return ""
	}
	s := r.rest()[:n]
	r.skip(n)
	return s
}
