package scheme

import "github.com/sandboxc/sbc/verify/sbpl/syntax"

// builtins returns the procedures of the language.
func builtins() []*Builtin {
	var out []*Builtin
	for _, part := range [][]*Builtin{lists(), higher(), texts(), numbers(), predicates(), control()} {
		out = append(out, part...)
	}
	return out
}

// pure makes a procedure that needs only its arguments. It returns false if
// one has the wrong type.
func pure(name string, least, most int, f func(args []Value) (Value, bool)) *Builtin {
	return &Builtin{Name: name, Min: least, Max: most, Call: func(_ *Interp, at syntax.Pos, args []Value) (Value, error) {
		v, ok := f(args)
		if !ok {
			return nil, wrong(name, at, args)
		}
		return v, nil
	}}
}

func wrong(name string, at syntax.Pos, args []Value) error {
	return Errorf(at, "%s cannot take %s", name, Text(List(args...)))
}

// predicates are the questions about values.
func predicates() []*Builtin {
	is := func(name string, f func(Value) bool) *Builtin {
		return pure(name, 1, 1, func(a []Value) (Value, bool) { return f(a[0]), true })
	}
	number := func(v Value) bool { _, ok := v.(int64); return ok }
	return []*Builtin{
		is("not", func(v Value) bool { return !Truth(v) }),
		is("null?", func(v Value) bool { _, ok := v.(Nil); return ok }),
		is("pair?", func(v Value) bool { _, ok := v.(*Pair); return ok }),
		is("atom?", func(v Value) bool { _, ok := v.(*Pair); return !ok }),
		charged("list?", 1, 1, func(a []Value) (Value, int, bool) {
			s, ok := Slice(a[0])
			return ok, len(s), true
		}),
		is("symbol?", func(v Value) bool { _, ok := v.(Symbol); return ok }),
		is("string?", func(v Value) bool { _, ok := v.(string); return ok }),
		is("char?", func(v Value) bool { _, ok := v.(Char); return ok }),
		is("boolean?", func(v Value) bool { _, ok := v.(bool); return ok }),
		is("vector?", func(v Value) bool { _, ok := v.(*Vector); return ok }),
		is("number?", number),
		is("integer?", number),
		is("procedure?", func(v Value) bool {
			switch v.(type) {
			case *Closure, *Builtin:
				return true
			}
			return false
		}),
		pure("eq?", 2, 2, func(a []Value) (Value, bool) { return same(a[0], a[1]), true }),
		pure("eqv?", 2, 2, func(a []Value) (Value, bool) { return same(a[0], a[1]), true }),
		{Name: "equal?", Min: 2, Max: 2, Call: func(in *Interp, at syntax.Pos, args []Value) (Value, error) {
			return in.equal(args[0], args[1], at)
		}},
	}
}

// same compares atoms by value and everything else by identity.
func same(a, b Value) bool {
	switch a.(type) {
	case Symbol, string, int64, bool, Char, Nil, Void, *Pair, *Vector, *Closure, *Builtin, *Special, *Macro:
		return a == b
	}
	return false
}

// equal compares lists and vectors by their elements.
func (in *Interp) equal(a, b Value, at syntax.Pos) (bool, error) {
	in.depth++
	defer func() { in.depth-- }()
	if in.depth > MaxDepth {
		return false, in.limit(at, "calls nest deeper than %d", MaxDepth)
	}
	for {
		if err := in.Charge(1, at); err != nil {
			return false, err
		}
		v, ok := a.(*Vector)
		w, ok2 := b.(*Vector)
		if ok && ok2 {
			a, b = List(v.Items...), List(w.Items...)
		}
		p, ok := a.(*Pair)
		q, ok2 := b.(*Pair)
		if !ok || !ok2 {
			return same(a, b), nil
		}
		if eq, err := in.equal(p.Car, q.Car, at); !eq || err != nil {
			return false, err
		}
		a, b = p.Cdr, q.Cdr
	}
}

// control are the procedures about the evaluation itself.
func control() []*Builtin {
	ignore := func(name string) *Builtin {
		return pure(name, 0, -1, func([]Value) (Value, bool) { return Void{}, true })
	}
	return []*Builtin{
		{Name: "defined?", Min: 1, Max: 2, Call: func(in *Interp, at syntax.Pos, args []Value) (Value, error) {
			s, ok := args[0].(Symbol)
			if !ok {
				return nil, wrong("defined?", at, args)
			}
			_, known := in.Lookup(s)
			return known, nil
		}},
		{Name: "error", Min: 1, Max: -1, Call: func(_ *Interp, at syntax.Pos, args []Value) (Value, error) {
			msg := ""
			for i, a := range args {
				if i > 0 {
					msg += " "
				}
				msg += Text(a)
			}
			return nil, Errorf(at, "%s", msg)
		}},
		{Name: "gensym", Call: func(in *Interp, _ syntax.Pos, _ []Value) (Value, error) {
			return Symbol("gensym-" + Text(int64(in.steps))), nil
		}},
		ignore("display"), ignore("write"), ignore("newline"), ignore("print"),
	}
}
