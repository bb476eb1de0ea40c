package scheme

import "github.com/sandboxc/sbc/verify/sbpl/syntax"

// Form is a list that a [Special] evaluates.
type Form struct {
	At   syntax.Pos
	Pair *Pair // the whole list, with the name of the form
	Env  *Env
}

// Operand is an element of a form that is not yet evaluated.
type Operand struct {
	Expr Value
	At   syntax.Pos
}

// place is where the first element of a list stands.
func place(p *Pair, around syntax.Pos) syntax.Pos {
	if p.At.Line == 0 {
		return around
	}
	return p.At
}

func operands(v Value, around syntax.Pos) ([]Operand, bool) {
	var out []Operand
	for {
		switch p := v.(type) {
		case Nil:
			return out, true
		case *Pair:
			out = append(out, Operand{p.Car, place(p, around)})
			v = p.Cdr
		default:
			return nil, false
		}
	}
}

// Operands returns what follows the name of the form: at least n elements.
func (f Form) Operands(n int) ([]Operand, error) {
	ops, ok := operands(f.Pair.Cdr, f.At)
	if !ok || len(ops) < n {
		return nil, f.malformed()
	}
	return ops, nil
}

func (f Form) malformed() error { return Errorf(f.At, "malformed %s", Text(f.Pair.Car)) }

// Evaluate evaluates an operand of the form.
func (f Form) Evaluate(in *Interp, o Operand) (Value, error) { return in.Eval(o.Expr, o.At, f.Env) }

// Scope evaluates operands in order, in a new scope.
func (f Form) Scope(in *Interp, ops []Operand) (Value, error) {
	env := &Env{parent: f.Env}
	var v Value = Void{}
	for _, o := range ops {
		var err error
		if v, err = in.Eval(o.Expr, o.At, env); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// Assign changes a name where the form sees it.
func (f Form) Assign(in *Interp, s Symbol, v Value) { in.set(s, v, f.Env) }

// Find returns the value of a name where the form stands.
func (f Form) Find(in *Interp, s Symbol) (Value, bool) { return in.find(s, f.Env) }

// in is the tail that evaluates an operand.
func (f Form) in(env *Env, o Operand) *Tail { return &Tail{o.Expr, o.At, env} }
