package scheme

import (
	"strconv"
	"strings"

	"github.com/sandboxc/sbc/verify/sbpl/syntax"
)

// Value is a datum or a procedure: [Symbol], string, int64, bool, [Char],
// [Nil], [*Pair], [*Vector], [Void], [*Closure], [*Builtin], [*Special],
// [*Macro], or a value of the caller's that is only handed around.
type Value any

// Symbol is a name.
type Symbol string

// Char is a character of one byte.
type Char byte

// Nil is the empty list.
type Nil struct{}

// Void is the value of what has none.
type Void struct{}

// Pair is a cell of a list. It does not change.
type Pair struct {
	Car, Cdr Value
	At       syntax.Pos // where Car stands; zero for what was computed
}

// Vector is a vector. It does not change.
type Vector struct{ Items []Value }

// Builtin is a procedure of the interpreter or of its caller.
type Builtin struct {
	Name     string
	Min, Max int // how many arguments it takes; a Max of -1 is no limit
	Call     func(in *Interp, at syntax.Pos, args []Value) (Value, error)
}

// Special is a form whose operands are not evaluated first.
type Special struct {
	Name string
	Run  func(in *Interp, f Form) (Value, *Tail, error)
}

// Tail says what to evaluate in place of a form.
type Tail struct {
	expr Value
	at   syntax.Pos
	env  *Env
}

// Macro is a procedure from forms to forms.
type Macro struct{ proc Value }

// Closure is a procedure that a profile defines.
type Closure struct {
	name   string
	params []Symbol
	rest   Symbol // takes further arguments; empty if there is none
	body   []Operand
	env    *Env
}

// Truth reports whether a value counts as true: all but #f do.
func Truth(v Value) bool {
	b, isBool := v.(bool)
	return !isBool || b
}

// List makes a proper list.
func List(vs ...Value) Value {
	var out Value = Nil{}
	for i := len(vs) - 1; i >= 0; i-- {
		out = &Pair{Car: vs[i], Cdr: out}
	}
	return out
}

// Slice returns the elements of a proper list.
func Slice(v Value) ([]Value, bool) {
	var out []Value
	for {
		switch p := v.(type) {
		case Nil:
			return out, true
		case *Pair:
			out = append(out, p.Car)
			v = p.Cdr
		default:
			return nil, false
		}
	}
}

// FromSyntax makes a value of a tree.
func FromSyntax(n syntax.Node) Value {
	switch n := n.(type) {
	case *syntax.List:
		var out Value = Nil{}
		if n.Tail != nil {
			out = FromSyntax(n.Tail)
		}
		for i := len(n.Items) - 1; i >= 0; i-- {
			out = &Pair{Car: FromSyntax(n.Items[i]), Cdr: out, At: n.Items[i].Start()}
		}
		return out
	case *syntax.Symbol:
		return Symbol(n.Name)
	case *syntax.String:
		return n.Text
	case *syntax.Integer:
		return n.Value
	case *syntax.Char:
		return Char(n.Value)
	case *syntax.Bool:
		return n.Value
	case *syntax.Vector:
		v := &Vector{}
		for _, x := range n.Items {
			v.Items = append(v.Items, FromSyntax(x))
		}
		return v
	case *syntax.Quote:
		inner := &Pair{Car: FromSyntax(n.Node), Cdr: Nil{}, At: n.Node.Start()}
		return &Pair{Car: Symbol(n.Mark.Symbol()), Cdr: inner, At: n.Pos}
	}
	return Void{}
}

// Text returns a value as it is displayed: strings without quotes.
func Text(v Value) string {
	var b strings.Builder
	write(&b, v)
	return b.String()
}

// maxText bounds the text of a value, which only messages show.
const maxText = 200

func write(b *strings.Builder, v Value) {
	if b.Len() > maxText {
		return
	}
	switch v := v.(type) {
	case Symbol:
		b.WriteString(string(v))
	case string:
		b.WriteString(v)
	case int64:
		b.WriteString(strconv.FormatInt(v, 10))
	case bool:
		b.WriteString("#" + strconv.FormatBool(v)[:1])
	case Char:
		b.WriteString(`#\` + string(rune(v)))
	case Nil:
		b.WriteString("()")
	case *Pair:
		writePair(b, v)
	case *Vector:
		b.WriteString("#")
		write(b, List(v.Items...))
	case *Builtin:
		b.WriteString("#<" + v.Name + ">")
	case *Special:
		b.WriteString("#<" + v.Name + ">")
	case *Closure:
		b.WriteString("#<procedure " + v.name + ">")
	case *Macro:
		b.WriteString("#<macro>")
	case interface{ String() string }:
		b.WriteString(v.String())
	default:
		b.WriteString("#<value>")
	}
}

func writePair(b *strings.Builder, p *Pair) {
	b.WriteByte('(')
	for b.Len() <= maxText {
		write(b, p.Car)
		next, ok := p.Cdr.(*Pair)
		if !ok {
			if _, end := p.Cdr.(Nil); !end {
				b.WriteString(" . ")
				write(b, p.Cdr)
			}
			break
		}
		b.WriteByte(' ')
		p = next
	}
	b.WriteByte(')')
}
