package sbpl

import (
	"github.com/sandboxc/sbc/verify/sbpl/scheme"
	"github.com/sandboxc/sbc/verify/sbpl/syntax"
)

// rule adds the rules of an (allow ...) or (deny ...). What an argument is
// decides its type, not its place.
func (r *reader) rule(a Action, at syntax.Pos, args []scheme.Value) (scheme.Value, error) {
	if r.profile.Version == 0 {
		return nil, scheme.Errorf(at, "no version specified")
	}
	var ops []op
	var filters Any
	var mods []Modifier
	ignored := false
	for _, arg := range args {
		switch x := arg.(type) {
		case op:
			ops = append(ops, x)
		case Filter:
			filters = append(filters, x)
		case modifier:
			mods = append(mods, x.Modifier)
		case scheme.Symbol:
			if x != "no-op" {
				return nil, scheme.Errorf(at, "%s cannot take the symbol %s", a, x)
			}
			ignored = true
		default:
			return nil, scheme.Errorf(at, "%s cannot take %s", a, scheme.Text(arg))
		}
	}
	if len(ops) == 0 && !ignored {
		return nil, scheme.Errorf(at, "%s wants an operation", a)
	}
	var f Filter
	switch len(filters) {
	case 0:
	case 1:
		f = filters[0]
	default:
		f = filters
	}
	if f != nil {
		n := size(f)
		if n > MaxFilter {
			return nil, scheme.Errorf(at, "the filter has more than %d parts", MaxFilter)
		}
		// Bounds what a decision costs.
		if err := r.in.Charge(n*len(ops), at); err != nil {
			return nil, err
		}
	}
	for _, o := range ops {
		if len(r.profile.Rules) == MaxRules {
			return nil, scheme.Errorf(at, "the profile has more than %d rules", MaxRules)
		}
		r.profile.Rules = append(r.profile.Rules, Rule{Action: a, Op: o.name, Written: o.written, Filter: f, Modifiers: mods, Pos: at})
	}
	return scheme.Void{}, nil
}

// withFilter makes every rule within it depend on a filter as well.
func (r *reader) withFilter(in *scheme.Interp, f scheme.Form) (scheme.Value, *scheme.Tail, error) {
	return r.wrap(in, f, func(v scheme.Value, at syntax.Pos) (func([]scheme.Value) ([]scheme.Value, error), error) {
		extra, ok := v.(Filter)
		if !ok {
			return nil, scheme.Errorf(at, "with-filter wants a filter, not %s", scheme.Text(v))
		}
		return func(args []scheme.Value) ([]scheme.Value, error) {
			var own Any
			var rest []scheme.Value
			for _, a := range args {
				if x, ok := a.(Filter); ok {
					own = append(own, x)
				} else {
					rest = append(rest, a)
				}
			}
			switch len(own) {
			case 0:
				return append(rest, extra), nil
			case 1:
				return append(rest, All{own[0], extra}), nil
			}
			return append(rest, All{own, extra}), nil
		}, nil
	})
}

// withModifier adds a modifier to every rule within it.
func (r *reader) withModifier(in *scheme.Interp, f scheme.Form) (scheme.Value, *scheme.Tail, error) {
	return r.wrap(in, f, func(v scheme.Value, at syntax.Pos) (func([]scheme.Value) ([]scheme.Value, error), error) {
		if _, ok := v.(modifier); !ok {
			return nil, scheme.Errorf(at, "with-modifier wants a modifier, not %s", scheme.Text(v))
		}
		return func(args []scheme.Value) ([]scheme.Value, error) { return append([]scheme.Value{v}, args...), nil }, nil
	})
}

// withOperations adds operations to every rule within it.
func (r *reader) withOperations(in *scheme.Interp, f scheme.Form) (scheme.Value, *scheme.Tail, error) {
	return r.wrap(in, f, func(v scheme.Value, at syntax.Pos) (func([]scheme.Value) ([]scheme.Value, error), error) {
		extra, ok := scheme.Slice(v)
		if !ok {
			return nil, scheme.Errorf(at, "with-operations wants a list, not %s", scheme.Text(v))
		}
		return func(args []scheme.Value) ([]scheme.Value, error) {
			return append(append([]scheme.Value(nil), extra...), args...), nil
		}, nil
	})
}

// wrap evaluates the first operand and then the others with allow and deny
// replaced by procedures that change their arguments, as the macros of the
// system do: a procedure that was taken from allow before is not affected.
func (r *reader) wrap(
	in *scheme.Interp, f scheme.Form,
	change func(v scheme.Value, at syntax.Pos) (func([]scheme.Value) ([]scheme.Value, error), error),
) (scheme.Value, *scheme.Tail, error) {
	ops, err := f.Operands(1)
	if err != nil {
		return nil, nil, err
	}
	v, err := f.Evaluate(in, ops[0])
	if err != nil {
		return nil, nil, err
	}
	changed, err := change(v, ops[0].At)
	if err != nil {
		return nil, nil, err
	}
	actions := []scheme.Symbol{"allow", "deny"}
	before := make([]scheme.Value, len(actions))
	for i, name := range actions {
		inner, _ := f.Find(in, name)
		before[i] = inner
		f.Assign(in, name, &scheme.Builtin{Name: string(name), Max: -1, Call: func(in *scheme.Interp, at syntax.Pos, args []scheme.Value) (scheme.Value, error) {
			args, err := changed(args)
			if err != nil {
				return nil, err
			}
			return in.Apply(inner, at, args)
		}})
	}
	if _, err := f.Scope(in, ops[1:]); err != nil {
		return nil, nil, err
	}
	for i, name := range actions {
		f.Assign(in, name, before[i])
	}
	return scheme.Void{}, nil, nil
}
