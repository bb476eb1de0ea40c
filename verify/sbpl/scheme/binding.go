package scheme

import "github.com/sandboxc/sbc/verify/sbpl/syntax"

// closure makes a procedure from its parameters and body.
func closure(name string, params Value, body []Operand, env *Env) (*Closure, bool) {
	c := &Closure{name: name, body: body, env: env}
	for {
		switch p := params.(type) {
		case Nil:
			return c, true
		case Symbol:
			c.rest = p
			return c, true
		case *Pair:
			s, ok := p.Car.(Symbol)
			if !ok {
				return nil, false
			}
			c.params = append(c.params, s)
			params = p.Cdr
		default:
			return nil, false
		}
	}
}

func lambda(_ *Interp, f Form) (Value, *Tail, error) {
	ops, err := f.Operands(1)
	if err != nil {
		return nil, nil, err
	}
	c, ok := closure("lambda", ops[0].Expr, ops[1:], f.Env)
	if !ok {
		return nil, nil, f.malformed()
	}
	return c, nil, nil
}

// defined reads (define name value) and (define (name params...) body...).
func defined(in *Interp, f Form) (Symbol, Value, error) {
	ops, err := f.Operands(1)
	if err != nil {
		return "", nil, err
	}
	switch head := ops[0].Expr.(type) {
	case Symbol:
		if len(ops) != 2 {
			return "", nil, f.malformed()
		}
		v, err := f.Evaluate(in, ops[1])
		if c, ok := v.(*Closure); ok && c.name == "lambda" {
			named := *c
			named.name = string(head)
			v = &named
		}
		return head, v, err
	case *Pair:
		name, ok := head.Car.(Symbol)
		if !ok {
			return "", nil, f.malformed()
		}
		c, ok := closure(string(name), head.Cdr, ops[1:], f.Env)
		if !ok {
			return "", nil, f.malformed()
		}
		return name, c, nil
	}
	return "", nil, f.malformed()
}

func define(in *Interp, f Form) (Value, *Tail, error) {
	name, v, err := defined(in, f)
	if err != nil {
		return nil, nil, err
	}
	in.define(name, v, f.Env)
	return name, nil, nil
}

// defineOnce is define for a name that is not yet defined.
func defineOnce(in *Interp, f Form) (Value, *Tail, error) {
	if ops, err := f.Operands(1); err == nil {
		name := ops[0].Expr
		if p, ok := name.(*Pair); ok {
			name = p.Car
		}
		if s, ok := name.(Symbol); ok {
			if _, known := in.find(s, f.Env); known {
				return s, nil, nil
			}
		}
	}
	return define(in, f)
}

// macro reads (macro (name form) body...) and (macro name procedure).
func macro(in *Interp, f Form) (Value, *Tail, error) {
	name, v, err := defined(in, f)
	if err != nil {
		return nil, nil, err
	}
	in.define(name, &Macro{v}, f.Env)
	return name, nil, nil
}

// defineMacro reads (define-macro (name params...) body...), whose procedure
// takes the operands of a form instead of the whole.
func defineMacro(in *Interp, f Form) (Value, *Tail, error) {
	name, v, err := defined(in, f)
	if err != nil {
		return nil, nil, err
	}
	expand := &Builtin{Name: string(name), Min: 1, Max: 1, Call: func(in *Interp, at syntax.Pos, args []Value) (Value, error) {
		form, ok := Slice(args[0])
		if !ok {
			return nil, Errorf(at, "malformed %s", name)
		}
		return in.Apply(v, at, form[1:])
	}}
	in.define(name, &Macro{expand}, f.Env)
	return name, nil, nil
}

// bindings reads ((name value) ...); a value may be missing.
func (f Form) bindings(o Operand) (names []Symbol, values []Operand, err error) {
	list, ok := operands(o.Expr, o.At)
	if !ok {
		return nil, nil, f.malformed()
	}
	for _, b := range list {
		parts, ok := operands(b.Expr, b.At)
		if !ok || len(parts) == 0 {
			return nil, nil, f.malformed()
		}
		name, ok := parts[0].Expr.(Symbol)
		if !ok || len(parts) > 3 {
			return nil, nil, f.malformed()
		}
		value := Operand{Void{}, b.At}
		if len(parts) > 1 {
			value = parts[1]
		}
		names, values = append(names, name), append(values, value)
	}
	return names, values, nil
}

func let(in *Interp, f Form) (Value, *Tail, error) {
	ops, err := f.Operands(1)
	if err != nil {
		return nil, nil, err
	}
	name, named := ops[0].Expr.(Symbol)
	if named {
		if ops = ops[1:]; len(ops) == 0 {
			return nil, nil, f.malformed()
		}
	}
	names, exprs, err := f.bindings(ops[0])
	if err != nil {
		return nil, nil, err
	}
	values := make([]Value, len(exprs))
	for i, x := range exprs {
		if values[i], err = f.Evaluate(in, x); err != nil {
			return nil, nil, err
		}
	}
	if !named {
		return in.body(ops[1:], &Env{names: names, values: values, parent: f.Env})
	}
	env := &Env{parent: f.Env}
	c := &Closure{name: string(name), params: names, body: ops[1:], env: env}
	in.define(name, c, env)
	return in.call(c, f.At, values)
}

// letStar puts all its names into one scope, as TinyScheme does: so a procedure
// that it names can call itself, and profiles rely on it. Only the first value
// is evaluated outside.
func letStar(in *Interp, f Form) (Value, *Tail, error) { return sequential(in, f, true) }

// letrec gives its names in order; what its procedures refer to is found when
// they are called.
func letrec(in *Interp, f Form) (Value, *Tail, error) { return sequential(in, f, false) }

func sequential(in *Interp, f Form, firstOutside bool) (Value, *Tail, error) {
	ops, err := f.Operands(1)
	if err != nil {
		return nil, nil, err
	}
	names, exprs, err := f.bindings(ops[0])
	if err != nil {
		return nil, nil, err
	}
	env := &Env{parent: f.Env}
	for i, x := range exprs {
		scope := env
		if i == 0 && firstOutside {
			scope = f.Env
		}
		v, err := in.Eval(x.Expr, x.At, scope)
		if err != nil {
			return nil, nil, err
		}
		in.define(names[i], v, env)
	}
	return in.body(ops[1:], env)
}

// do reads (do ((name init step) ...) (test result...) body...).
func do(in *Interp, f Form) (Value, *Tail, error) {
	ops, err := f.Operands(2)
	if err != nil {
		return nil, nil, err
	}
	names, inits, err := f.bindings(ops[0])
	if err != nil {
		return nil, nil, err
	}
	exit, ok := operands(ops[1].Expr, ops[1].At)
	if !ok || len(exit) == 0 {
		return nil, nil, f.malformed()
	}
	specs, _ := operands(ops[0].Expr, ops[0].At)
	env := &Env{names: names, parent: f.Env}
	for _, x := range inits {
		v, err := f.Evaluate(in, x)
		if err != nil {
			return nil, nil, err
		}
		env.values = append(env.values, v)
	}
	for {
		v, err := in.Eval(exit[0].Expr, exit[0].At, env)
		if err != nil {
			return nil, nil, err
		}
		if Truth(v) {
			return in.body(exit[1:], env)
		}
		if _, err := (Form{At: f.At, Pair: f.Pair, Env: env}).Scope(in, ops[2:]); err != nil {
			return nil, nil, err
		}
		next := &Env{names: names, parent: f.Env}
		for i, s := range specs {
			v := env.values[i]
			if parts, _ := operands(s.Expr, s.At); len(parts) == 3 {
				if v, err = in.Eval(parts[2].Expr, parts[2].At, env); err != nil {
					return nil, nil, err
				}
			}
			next.values = append(next.values, v)
		}
		env = next
	}
}
