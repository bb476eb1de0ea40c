package scheme

import (
	"errors"
	"fmt"

	"github.com/sandboxc/sbc/verify/sbpl/syntax"
)

// Limits of an evaluation.
const (
	// MaxSteps is how many forms may be evaluated. What builds long strings and
	// lists costs steps by their length.
	MaxSteps = 4_000_000
	// MaxDepth is how deep calls may nest.
	MaxDepth = 4000
)

// ErrLimit is wrapped by the error of an evaluation that met a limit.
var ErrLimit = errors.New("limit")

// Interp is an evaluation. It is not for several goroutines.
type Interp struct {
	globals map[Symbol]Value
	core    map[Symbol]Value
	base    func(Symbol) (Value, bool)
	steps   int
	depth   int
	spent   error // the limit that was met
}

// New starts an evaluation. Base returns the values of the names that the
// caller gives; a profile may define them anew.
func New(base func(Symbol) (Value, bool)) *Interp {
	return &Interp{globals: map[Symbol]Value{}, core: core(), base: base}
}

// Env is a scope within a procedure; nil is the top level.
type Env struct {
	names  []Symbol
	values []Value
	parent *Env
}

// Errorf makes an error with a place.
func Errorf(at syntax.Pos, format string, args ...any) error {
	return &syntax.Error{Pos: at, Msg: fmt.Sprintf(format, args...)}
}

// Charge counts n steps.
func (in *Interp) Charge(n int, at syntax.Pos) error {
	in.steps += n
	if in.steps > MaxSteps {
		return in.limit(at, "the profile takes more than %d steps to evaluate", MaxSteps)
	}
	return nil
}

// limit makes the error of a limit, which no handler catches.
func (in *Interp) limit(at syntax.Pos, format string, args ...any) error {
	if in.spent == nil {
		in.spent = &limitError{&syntax.Error{Pos: at, Msg: fmt.Sprintf(format, args...)}}
	}
	return in.spent
}

type limitError struct{ err *syntax.Error }

func (e *limitError) Error() string   { return e.err.Error() }
func (e *limitError) Unwrap() []error { return []error{ErrLimit, e.err} }

// Lookup returns the value of a name at the top level.
func (in *Interp) Lookup(s Symbol) (Value, bool) {
	if v, ok := in.globals[s]; ok {
		return v, true
	}
	if v, ok := in.core[s]; ok {
		return v, true
	}
	return in.base(s)
}

// Define sets a name at the top level.
func (in *Interp) Define(s Symbol, v Value) { in.globals[s] = v }

func (in *Interp) find(s Symbol, env *Env) (Value, bool) {
	for ; env != nil; env = env.parent {
		in.steps += len(env.names) / 16
		for i := len(env.names) - 1; i >= 0; i-- {
			if env.names[i] == s {
				return env.values[i], true
			}
		}
	}
	return in.Lookup(s)
}

// set changes a name where it is defined.
func (in *Interp) set(s Symbol, v Value, env *Env) bool {
	for ; env != nil; env = env.parent {
		for i := len(env.names) - 1; i >= 0; i-- {
			if env.names[i] == s {
				env.values[i] = v
				return true
			}
		}
	}
	if _, ok := in.Lookup(s); !ok {
		return false
	}
	in.globals[s] = v
	return true
}

// define sets a name in the innermost scope.
func (in *Interp) define(s Symbol, v Value, env *Env) {
	if env == nil {
		in.globals[s] = v
		return
	}
	for i, name := range env.names {
		if name == s {
			env.values[i] = v
			return
		}
	}
	env.names = append(env.names, s)
	env.values = append(env.values, v)
}

// Eval evaluates a form that stands at a place.
func (in *Interp) Eval(x Value, at syntax.Pos, env *Env) (Value, error) {
	in.depth++
	defer func() { in.depth-- }()
	if in.depth > MaxDepth {
		return nil, in.limit(at, "calls nest deeper than %d", MaxDepth)
	}
	for {
		if err := in.Charge(1, at); err != nil {
			return nil, err
		}
		if s, ok := x.(Symbol); ok {
			v, ok := in.find(s, env)
			if !ok {
				return nil, Errorf(at, "unbound variable: %s", s)
			}
			return v, nil
		}
		p, ok := x.(*Pair)
		if !ok {
			return x, nil
		}
		v, tail, err := in.form(p, at, env)
		if err != nil || tail == nil {
			return v, err
		}
		x, at, env = tail.expr, tail.at, tail.env
	}
}

// form evaluates a list.
func (in *Interp) form(p *Pair, at syntax.Pos, env *Env) (Value, *Tail, error) {
	f, err := in.Eval(p.Car, place(p, at), env)
	if err != nil {
		return nil, nil, err
	}
	switch f := f.(type) {
	case *Special:
		return f.Run(in, Form{At: at, Pair: p, Env: env})
	case *Macro:
		x, err := in.Apply(f.proc, at, []Value{p})
		return nil, &Tail{x, at, env}, err
	}
	operands, ok := operands(p.Cdr, at)
	if !ok {
		return nil, nil, Errorf(at, "the call is no proper list")
	}
	args := make([]Value, len(operands))
	for i, o := range operands {
		if args[i], err = in.Eval(o.Expr, o.At, env); err != nil {
			return nil, nil, err
		}
	}
	return in.call(f, at, args)
}

// Apply calls a procedure.
func (in *Interp) Apply(f Value, at syntax.Pos, args []Value) (Value, error) {
	if err := in.Charge(1, at); err != nil {
		return nil, err
	}
	v, tail, err := in.call(f, at, args)
	if err != nil || tail == nil {
		return v, err
	}
	return in.Eval(tail.expr, tail.at, tail.env)
}

func (in *Interp) call(f Value, at syntax.Pos, args []Value) (Value, *Tail, error) {
	switch f := f.(type) {
	case *Builtin:
		for _, a := range args {
			if s, ok := a.(string); ok {
				in.steps += len(s) / 64
			}
		}
		if len(args) < f.Min || (f.Max >= 0 && len(args) > f.Max) {
			return nil, nil, Errorf(at, "%s: %d arguments are too %s", f.Name, len(args), map[bool]string{true: "few", false: "many"}[len(args) < f.Min])
		}
		v, err := f.Call(in, at, args)
		return v, nil, err
	case *Closure:
		env, err := f.bind(at, args)
		if err != nil {
			return nil, nil, err
		}
		return in.body(f.body, env)
	}
	return nil, nil, Errorf(at, "%s cannot be called", Text(f))
}

func (c *Closure) bind(at syntax.Pos, args []Value) (*Env, error) {
	if len(args) < len(c.params) || (c.rest == "" && len(args) > len(c.params)) {
		return nil, Errorf(at, "%s: %d arguments, but it takes %d", c.name, len(args), len(c.params))
	}
	n := len(c.params)
	env := &Env{names: c.params[:n:n], values: append([]Value(nil), args[:n]...), parent: c.env}
	if c.rest != "" {
		env.names = append(env.names, c.rest)
		env.values = append(env.values, List(args[n:]...))
	}
	return env, nil
}

// body evaluates forms in order, and leaves the last to the caller.
func (in *Interp) body(forms []Operand, env *Env) (Value, *Tail, error) {
	if len(forms) == 0 {
		return Void{}, nil, nil
	}
	last := len(forms) - 1
	for _, f := range forms[:last] {
		if _, err := in.Eval(f.Expr, f.At, env); err != nil {
			return nil, nil, err
		}
	}
	return nil, &Tail{forms[last].Expr, forms[last].At, env}, nil
}
