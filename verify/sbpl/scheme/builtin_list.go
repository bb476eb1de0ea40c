package scheme

import (
	"slices"

	"github.com/sandboxc/sbc/verify/sbpl/syntax"
)

// lists are the procedures on lists and vectors.
func lists() []*Builtin {
	out := []*Builtin{
		pure("cons", 2, 2, func(a []Value) (Value, bool) { return &Pair{Car: a[0], Cdr: a[1]}, true }),
		pure("list", 0, -1, func(a []Value) (Value, bool) { return List(a...), true }),
		charged("length", 1, 1, func(a []Value) (Value, int, bool) {
			s, ok := Slice(a[0])
			return int64(len(s)), len(s), ok
		}),
		charged("list-ref", 2, 2, func(a []Value) (Value, int, bool) {
			v, n, ok := tail(a[0], a[1])
			p, isPair := v.(*Pair)
			if !ok || !isPair {
				return nil, n, false
			}
			return p.Car, n, true
		}),
		charged("list-tail", 2, 2, func(a []Value) (Value, int, bool) { return tail(a[0], a[1]) }),
		charged("reverse", 1, 1, func(a []Value) (Value, int, bool) {
			s, ok := Slice(a[0])
			slices.Reverse(s)
			return List(s...), len(s), ok
		}),
		charged("append", 0, -1, appendLists),
		pure("vector", 0, -1, func(a []Value) (Value, bool) { return &Vector{slices.Clone(a)}, true }),
		pure("vector-ref", 2, 2, func(a []Value) (Value, bool) {
			v, ok := a[0].(*Vector)
			n, ok2 := a[1].(int64)
			if !ok || !ok2 || n < 0 || n >= int64(len(v.Items)) {
				return nil, false
			}
			return v.Items[n], true
		}),
		pure("vector-length", 1, 1, func(a []Value) (Value, bool) {
			v, ok := a[0].(*Vector)
			if !ok {
				return nil, false
			}
			return int64(len(v.Items)), true
		}),
		charged("vector->list", 1, 1, func(a []Value) (Value, int, bool) {
			v, ok := a[0].(*Vector)
			if !ok {
				return nil, 0, false
			}
			return List(v.Items...), len(v.Items), true
		}),
		charged("list->vector", 1, 1, func(a []Value) (Value, int, bool) {
			s, ok := Slice(a[0])
			return &Vector{s}, len(s), ok
		}),
	}
	for _, name := range []string{
		"car", "cdr", "caar", "cadr", "cdar", "cddr", "caaar", "caadr", "cadar", "caddr",
		"cdaar", "cdadr", "cddar", "cdddr", "cadddr", "cddddr",
	} {
		out = append(out, pure(name, 1, 1, func(a []Value) (Value, bool) { return path(name[1:len(name)-1], a[0]) }))
	}
	for _, kind := range []struct {
		suffix string
		same   func(in *Interp, a, b Value, at syntax.Pos) (bool, error)
	}{{"q", identical}, {"v", identical}, {"", (*Interp).equal}} {
		member, assoc := "mem"+kind.suffix, "ass"+kind.suffix
		if kind.suffix == "" {
			member, assoc = "member", "assoc"
		}
		out = append(out,
			search(member, kind.same, func(v Value) (Value, bool) { return v, true }, false),
			search(assoc, kind.same, func(v Value) (Value, bool) {
				p, ok := v.(*Pair)
				if !ok {
					return nil, false
				}
				return p.Car, true
			}, true))
	}
	return out
}

// charged makes a procedure that costs steps by the size of its result.
func charged(name string, least, most int, f func(args []Value) (v Value, size int, ok bool)) *Builtin {
	return &Builtin{Name: name, Min: least, Max: most, Call: func(in *Interp, at syntax.Pos, args []Value) (Value, error) {
		v, size, ok := f(args)
		if !ok {
			return nil, wrong(name, at, args)
		}
		return v, in.Charge(size, at)
	}}
}

// tail leaves out the first elements of a list.
func tail(list, count Value) (v Value, steps int, ok bool) {
	n, ok := count.(int64)
	if !ok || n < 0 {
		return nil, 0, false
	}
	for range n {
		p, isPair := list.(*Pair)
		if !isPair {
			return nil, steps, false
		}
		list = p.Cdr
		steps++
	}
	return list, steps, true
}

// path follows the letters between c and r, from the last.
func path(letters string, v Value) (Value, bool) {
	for i := len(letters) - 1; i >= 0; i-- {
		p, ok := v.(*Pair)
		if !ok {
			return nil, false
		}
		if v = p.Cdr; letters[i] == 'a' {
			v = p.Car
		}
	}
	return v, true
}

// appendLists joins lists; the last argument may be anything.
func appendLists(args []Value) (Value, int, bool) {
	if len(args) == 0 {
		return Nil{}, 0, true
	}
	out := args[len(args)-1]
	size := 0
	for i := len(args) - 2; i >= 0; i-- {
		s, ok := Slice(args[i])
		if !ok {
			return nil, 0, false
		}
		size += len(s)
		for j := len(s) - 1; j >= 0; j-- {
			out = &Pair{Car: s[j], Cdr: out}
		}
	}
	return out, size, true
}

// search makes member and assoc, and their kind. Entry says that the element
// is the result, and not the list from it on.
func search(name string, same func(in *Interp, a, b Value, at syntax.Pos) (bool, error), key func(Value) (Value, bool), entry bool) *Builtin {
	return &Builtin{Name: name, Min: 2, Max: 2, Call: func(in *Interp, at syntax.Pos, args []Value) (Value, error) {
		for v := args[1]; ; {
			p, ok := v.(*Pair)
			if !ok {
				return false, nil
			}
			if err := in.Charge(1, at); err != nil {
				return nil, err
			}
			v = p.Cdr
			k, ok := key(p.Car)
			if !ok {
				continue
			}
			eq, err := same(in, args[0], k, at)
			switch {
			case err != nil:
				return nil, err
			case eq && entry:
				return p.Car, nil
			case eq:
				return p, nil
			}
		}
	}}
}

func identical(_ *Interp, a, b Value, _ syntax.Pos) (bool, error) { return same(a, b), nil }

// higher are the procedures that call procedures.
func higher() []*Builtin {
	each := func(in *Interp, at syntax.Pos, args []Value) ([]Value, error) {
		var columns [][]Value
		rows := -1
		for _, a := range args[1:] {
			s, ok := Slice(a)
			if !ok {
				return nil, Errorf(at, "%s is no list", Text(a))
			}
			columns = append(columns, s)
			if rows < 0 || len(s) < rows {
				rows = len(s)
			}
		}
		var out []Value
		for i := range rows {
			row := make([]Value, len(columns))
			for j, c := range columns {
				row[j] = c[i]
			}
			v, err := in.Apply(args[0], at, row)
			if err != nil {
				return nil, err
			}
			out = append(out, v)
		}
		return out, nil
	}
	return []*Builtin{
		{Name: "map", Min: 2, Max: -1, Call: func(in *Interp, at syntax.Pos, args []Value) (Value, error) {
			out, err := each(in, at, args)
			return List(out...), err
		}},
		{Name: "for-each", Min: 2, Max: -1, Call: func(in *Interp, at syntax.Pos, args []Value) (Value, error) {
			_, err := each(in, at, args)
			return true, err
		}},
		{Name: "apply", Min: 2, Max: -1, Call: func(in *Interp, at syntax.Pos, args []Value) (Value, error) {
			last := len(args) - 1
			s, ok := Slice(args[last])
			if !ok {
				return nil, wrong("apply", at, args)
			}
			if err := in.Charge(len(s), at); err != nil {
				return nil, err
			}
			return in.Apply(args[0], at, append(slices.Clone(args[1:last]), s...))
		}},
		{Name: "partition", Min: 2, Max: 2, Call: func(in *Interp, at syntax.Pos, args []Value) (Value, error) {
			s, ok := Slice(args[1])
			if !ok {
				return nil, wrong("partition", at, args)
			}
			var yes, no []Value
			for _, x := range s {
				v, err := in.Apply(args[0], at, []Value{x})
				if err != nil {
					return nil, err
				}
				if Truth(v) {
					yes = append(yes, x)
				} else {
					no = append(no, x)
				}
			}
			return List(List(yes...), List(no...)), nil
		}},
	}
}
