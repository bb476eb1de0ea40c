package scheme

import "github.com/sandboxc/sbc/verify/sbpl/syntax"

// quasiquote copies a form and fills in what is unquoted.
func quasiquote(in *Interp, f Form) (Value, *Tail, error) {
	ops, err := f.Operands(1)
	if err != nil {
		return nil, nil, err
	}
	v, err := in.fill(ops[0], f.Env, 1)
	return v, nil, err
}

// fill copies at a level of nested quasiquotes.
func (in *Interp) fill(o Operand, env *Env, level int) (Value, error) {
	in.depth++
	defer func() { in.depth-- }()
	if in.depth > MaxDepth {
		return nil, in.limit(o.At, "calls nest deeper than %d", MaxDepth)
	}
	if err := in.Charge(1, o.At); err != nil {
		return nil, err
	}
	switch x := o.Expr.(type) {
	case *Pair:
		return in.fillPair(x, o, env, level)
	case *Vector:
		v, err := in.fill(Operand{List(x.Items...), o.At}, env, level)
		if err != nil {
			return nil, err
		}
		items, ok := Slice(v)
		if !ok {
			return nil, Errorf(o.At, "the vector is no proper list")
		}
		return &Vector{Items: items}, nil
	}
	return o.Expr, nil
}

func (in *Interp) fillPair(p *Pair, o Operand, env *Env, level int) (Value, error) {
	if name, arg, ok := marked(p, o); ok {
		switch name {
		case "unquote":
			if level == 1 {
				return in.Eval(arg.Expr, arg.At, env)
			}
			level--
		case "quasiquote":
			level++
		}
	}
	var first []Operand
	at := place(p, o.At)
	spliced := false
	if inner, ok := p.Car.(*Pair); ok && level == 1 {
		if name, arg, ok := marked(inner, Operand{inner, at}); ok && name == "unquote-splicing" {
			v, err := in.Eval(arg.Expr, arg.At, env)
			if err != nil {
				return nil, err
			}
			if first, spliced = operands(v, syntax.Pos{}); !spliced {
				return nil, Errorf(arg.At, "%s is no list to splice", Text(v))
			}
			if err := in.Charge(len(first), at); err != nil {
				return nil, err
			}
		}
	}
	if !spliced {
		v, err := in.fill(Operand{p.Car, at}, env, level)
		if err != nil {
			return nil, err
		}
		first = []Operand{{v, p.At}}
	}
	rest, err := in.fill(Operand{p.Cdr, o.At}, env, level)
	if err != nil {
		return nil, err
	}
	for i := len(first) - 1; i >= 0; i-- {
		rest = &Pair{Car: first[i].Expr, Cdr: rest, At: first[i].At}
	}
	return rest, nil
}

// marked reads (unquote x) and its like.
func marked(p *Pair, o Operand) (Symbol, Operand, bool) {
	name, ok := p.Car.(Symbol)
	if !ok || (name != "unquote" && name != "unquote-splicing" && name != "quasiquote") {
		return "", Operand{}, false
	}
	arg, ok := p.Cdr.(*Pair)
	if !ok || arg.Cdr != (Nil{}) {
		return "", Operand{}, false
	}
	return name, Operand{arg.Car, place(arg, o.At)}, true
}
