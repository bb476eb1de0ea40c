package syntax

import (
	"fmt"
	"strings"
)

// Limits of a text.
const (
	// MaxSize is how many bytes a text may have.
	MaxSize = 16 << 20
	// MaxDepth is how deep lists may nest.
	MaxDepth = 500
)

// Parse reads all data of a text. The file is its name in positions. An error
// is always an [*Error].
func Parse(file string, src []byte) ([]Node, error) {
	r := &reader{src: string(src), at: Pos{File: file, Line: 1, Column: 1}}
	if len(src) > MaxSize {
		return nil, r.errorf(r.at, "the text is larger than %d MiB", MaxSize>>20)
	}
	var out []Node
	for {
		if err := r.space(); err != nil {
			return nil, err
		}
		if r.done() {
			return out, nil
		}
		n, err := r.datum(0)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
}

type reader struct {
	src string
	at  Pos
}

func (r *reader) errorf(at Pos, format string, args ...any) error {
	return &Error{Pos: at, Msg: fmt.Sprintf(format, args...)}
}

func (r *reader) done() bool   { return r.at.Byte == len(r.src) }
func (r *reader) rest() string { return r.src[r.at.Byte:] }
func (r *reader) peek() byte   { return r.src[r.at.Byte] }

// next takes one byte.
func (r *reader) next() byte {
	c := r.src[r.at.Byte]
	r.at.Byte++
	r.at.Column++
	if c == '\n' {
		r.at.Line++
		r.at.Column = 1
	}
	return c
}

// skip takes n bytes that hold no line break.
func (r *reader) skip(n int) {
	r.at.Byte += n
	r.at.Column += n
}

const blanks = " \t\n\r\f\v"

// space skips white space and comments: from ; or #! to the end of the line.
func (r *reader) space() error {
	for !r.done() {
		c := r.peek()
		switch {
		case c == ';', strings.HasPrefix(r.rest(), "#!"):
			n := strings.IndexByte(r.rest(), '\n')
			if n < 0 {
				n = len(r.rest())
			}
			r.skip(n)
		case strings.IndexByte(blanks, c) >= 0:
			r.next()
		case c == '#' && r.at.Column == 1 && directive(r.rest()) != "":
			return r.errorf(r.at, "#%s is for the C preprocessor: this is a template; run the preprocessor first, as in cpp -P FILE", directive(r.rest()))
		default:
			return nil
		}
	}
	return nil
}

// directive returns the directive of the C preprocessor that a line starts
// with.
func directive(line string) string {
	word, _, _ := strings.Cut(line[1:], "\n")
	word = strings.TrimLeft(word, " \t")
	for _, d := range []string{"if", "ifdef", "ifndef", "else", "elif", "endif", "define", "undef", "include", "import", "error", "pragma"} {
		if rest, ok := strings.CutPrefix(word, d); ok && (rest == "" || strings.IndexByte(blanks+"(!\"<", rest[0]) >= 0) {
			return d
		}
	}
	return ""
}

// datum reads one datum. It is called where something stands.
func (r *reader) datum(depth int) (Node, error) {
	start := r.at
	if depth > MaxDepth {
		return nil, r.errorf(start, "lists nest deeper than %d", MaxDepth)
	}
	switch r.peek() {
	case '(':
		r.next()
		return r.list(start, depth)
	case ')':
		return nil, r.errorf(start, "unexpected )")
	case '"':
		r.next()
		return r.str(start)
	case '\'':
		return r.quote(Plain, 1, depth)
	case '`':
		return r.quote(Quasi, 1, depth)
	case ',':
		if strings.HasPrefix(r.rest(), ",@") {
			return r.quote(Splice, 2, depth)
		}
		return r.quote(Unquote, 1, depth)
	case '#':
		return r.sharp(start, depth)
	}
	return r.atom(start)
}

// list reads up to the closing parenthesis.
func (r *reader) list(start Pos, depth int) (Node, error) {
	n := &List{Pos: start}
	for {
		if err := r.space(); err != nil {
			return nil, err
		}
		if r.done() {
			return nil, r.errorf(start, "the list is not closed")
		}
		if r.peek() == ')' {
			n.End = r.at
			r.next()
			return n, nil
		}
		if n.Tail != nil {
			return nil, r.errorf(r.at, "only one datum may follow the dot")
		}
		dot := len(n.Items) > 0 && r.peek() == '.' && r.word() == "."
		if dot {
			at := r.at
			r.next()
			if err := r.space(); err != nil {
				return nil, err
			}
			if r.done() || r.peek() == ')' {
				return nil, r.errorf(at, "nothing follows the dot")
			}
		}
		item, err := r.datum(depth + 1)
		if err != nil {
			return nil, err
		}
		if dot {
			n.Tail = item
			continue
		}
		n.Items = append(n.Items, item)
	}
}

func (r *reader) quote(m Mark, size, depth int) (Node, error) {
	start := r.at
	r.skip(size)
	if err := r.space(); err != nil {
		return nil, err
	}
	if r.done() {
		return nil, r.errorf(start, "nothing follows the quote")
	}
	n, err := r.datum(depth + 1)
	if err != nil {
		return nil, err
	}
	return &Quote{Pos: start, Mark: m, Node: n}, nil
}

// word returns the characters up to the next delimiter.
func (r *reader) word() string {
	if n := strings.IndexAny(r.rest(), blanks+"();\""); n >= 0 {
		return r.rest()[:n]
	}
	return r.rest()
}
