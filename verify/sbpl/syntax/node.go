package syntax

import "fmt"

// Pos is a place in a file. Line and Column are 1-based, Column in bytes; Byte
// is the 0-based offset.
type Pos struct {
	File         string
	Line, Column int
	Byte         int
}

// String returns "file:line:column", or "line:column" without a file.
func (p Pos) String() string {
	if p.File == "" {
		return fmt.Sprintf("%d:%d", p.Line, p.Column)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// Error is something that cannot be read, and where.
type Error struct {
	Pos Pos
	Msg string
}

// Error returns the message behind its place.
func (e *Error) Error() string { return e.Pos.String() + ": " + e.Msg }

// Node is a datum: [*List], [*Symbol], [*String], [*Integer], [*Char], [*Bool],
// [*Vector] or [*Quote].
//
//sumtype:decl
type Node interface {
	// Start is the place of the first character.
	Start() Pos
	node()
}

// List is (a b c), or (a b . c) with a Tail.
type List struct {
	Pos   Pos
	End   Pos // of the closing parenthesis
	Items []Node
	Tail  Node // nil in a proper list
}

// Symbol is a name.
type Symbol struct {
	Pos  Pos
	Name string
}

// String is "text", or #"text" if Raw.
type String struct {
	Pos  Pos
	Text string // without escapes
	Raw  bool
}

// Integer is a whole number.
type Integer struct {
	Pos   Pos
	Value int64
}

// Char is a character: #\a, #\space.
type Char struct {
	Pos   Pos
	Value byte
}

// Bool is #t or #f.
type Bool struct {
	Pos   Pos
	Value bool
}

// Vector is #(a b c).
type Vector struct {
	Pos   Pos
	Items []Node
}

// Quote is a datum behind one of the marks ' ` , and ,@.
type Quote struct {
	Pos  Pos
	Mark Mark
	Node Node
}

// Mark says what stands before a quoted datum.
type Mark uint8

// The marks.
const (
	Plain   Mark = iota + 1 // '
	Quasi                   // `
	Unquote                 // ,
	Splice                  // ,@
)

// Symbol returns the name of the form that the mark is short for.
func (m Mark) Symbol() string {
	switch m {
	case Plain:
		return "quote"
	case Quasi:
		return "quasiquote"
	case Unquote:
		return "unquote"
	case Splice:
		return "unquote-splicing"
	}
	return "invalid-mark"
}

// Start is the place of the opening parenthesis.
func (n *List) Start() Pos { return n.Pos }

// Start is the place of the first character.
func (n *Symbol) Start() Pos { return n.Pos }

// Start is the place of the quote, or of the # before it.
func (n *String) Start() Pos { return n.Pos }

// Start is the place of the first digit, sign or #.
func (n *Integer) Start() Pos { return n.Pos }

// Start is the place of the #.
func (n *Char) Start() Pos { return n.Pos }

// Start is the place of the #.
func (n *Bool) Start() Pos { return n.Pos }

// Start is the place of the #.
func (n *Vector) Start() Pos { return n.Pos }

// Start is the place of the mark.
func (n *Quote) Start() Pos { return n.Pos }

func (*List) node()    {}
func (*Symbol) node()  {}
func (*String) node()  {}
func (*Integer) node() {}
func (*Char) node()    {}
func (*Bool) node()    {}
func (*Vector) node()  {}
func (*Quote) node()   {}
