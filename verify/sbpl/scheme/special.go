package scheme

// core returns the names that every profile knows.
func core() map[Symbol]Value {
	out := make(map[Symbol]Value, 160)
	for name, run := range map[string]func(*Interp, Form) (Value, *Tail, error){
		"quote": quote, "quasiquote": quasiquote, "if": ifForm, "cond": cond, "case": caseForm,
		"and": and, "or": or, "when": when, "unless": unless, "begin": begin,
		"define": define, "define-once": defineOnce, "set!": setForm, "lambda": lambda,
		"let": let, "let*": letStar, "letrec": letrec, "do": do,
		"macro": macro, "define-macro": defineMacro, "cond-expand": condExpand, "catch": catch,
	} {
		out[Symbol(name)] = &Special{Name: name, Run: run}
	}
	for _, b := range builtins() {
		out[Symbol(b.Name)] = b
	}
	return out
}

func quote(_ *Interp, f Form) (Value, *Tail, error) {
	ops, err := f.Operands(1)
	if err != nil {
		return nil, nil, err
	}
	return ops[0].Expr, nil, nil
}

func ifForm(in *Interp, f Form) (Value, *Tail, error) {
	ops, err := f.Operands(2)
	if err != nil || len(ops) > 3 {
		return nil, nil, f.malformed()
	}
	v, err := f.Evaluate(in, ops[0])
	switch {
	case err != nil:
		return nil, nil, err
	case Truth(v):
		return nil, f.in(f.Env, ops[1]), nil
	case len(ops) == 3:
		return nil, f.in(f.Env, ops[2]), nil
	}
	return Void{}, nil, nil
}

func cond(in *Interp, f Form) (Value, *Tail, error) {
	clauses, err := f.Operands(0)
	if err != nil {
		return nil, nil, err
	}
	for _, c := range clauses {
		parts, ok := operands(c.Expr, c.At)
		if !ok || len(parts) == 0 {
			return nil, nil, f.malformed()
		}
		var v Value = true
		if parts[0].Expr != Symbol("else") {
			if v, err = f.Evaluate(in, parts[0]); err != nil {
				return nil, nil, err
			}
		}
		switch {
		case !Truth(v):
		case len(parts) == 1:
			return v, nil, nil
		case len(parts) == 3 && parts[1].Expr == Symbol("=>"):
			g, err := f.Evaluate(in, parts[2])
			if err != nil {
				return nil, nil, err
			}
			v, err := in.Apply(g, c.At, []Value{v})
			return v, nil, err
		default:
			return in.body(parts[1:], f.Env)
		}
	}
	return Void{}, nil, nil
}

func caseForm(in *Interp, f Form) (Value, *Tail, error) {
	ops, err := f.Operands(1)
	if err != nil {
		return nil, nil, err
	}
	key, err := f.Evaluate(in, ops[0])
	if err != nil {
		return nil, nil, err
	}
	for _, c := range ops[1:] {
		parts, ok := operands(c.Expr, c.At)
		if !ok || len(parts) == 0 {
			return nil, nil, f.malformed()
		}
		if parts[0].Expr == Symbol("else") {
			return in.body(parts[1:], f.Env)
		}
		data, ok := Slice(parts[0].Expr)
		if !ok {
			return nil, nil, f.malformed()
		}
		for _, d := range data {
			if same(d, key) {
				return in.body(parts[1:], f.Env)
			}
		}
	}
	return Void{}, nil, nil
}

func and(in *Interp, f Form) (Value, *Tail, error) { return logic(in, f, false) }
func or(in *Interp, f Form) (Value, *Tail, error)  { return logic(in, f, true) }

// logic evaluates operands up to the first whose truth is stop.
func logic(in *Interp, f Form, stop bool) (Value, *Tail, error) {
	ops, err := f.Operands(0)
	if err != nil || len(ops) == 0 {
		return !stop, nil, err
	}
	last := len(ops) - 1
	for _, o := range ops[:last] {
		v, err := f.Evaluate(in, o)
		if err != nil || Truth(v) == stop {
			return v, nil, err
		}
	}
	return nil, f.in(f.Env, ops[last]), nil
}

func when(in *Interp, f Form) (Value, *Tail, error)   { return guarded(in, f, true) }
func unless(in *Interp, f Form) (Value, *Tail, error) { return guarded(in, f, false) }

func guarded(in *Interp, f Form, want bool) (Value, *Tail, error) {
	ops, err := f.Operands(1)
	if err != nil {
		return nil, nil, err
	}
	v, err := f.Evaluate(in, ops[0])
	if err != nil || Truth(v) != want {
		return Void{}, nil, err
	}
	return in.body(ops[1:], f.Env)
}

func begin(in *Interp, f Form) (Value, *Tail, error) {
	ops, err := f.Operands(0)
	if err != nil {
		return nil, nil, err
	}
	return in.body(ops, f.Env)
}

func setForm(in *Interp, f Form) (Value, *Tail, error) {
	ops, err := f.Operands(2)
	if err != nil {
		return nil, nil, err
	}
	name, ok := ops[0].Expr.(Symbol)
	if !ok {
		return nil, nil, f.malformed()
	}
	v, err := f.Evaluate(in, ops[1])
	if err != nil {
		return nil, nil, err
	}
	if !in.set(name, v, f.Env) {
		return nil, nil, Errorf(ops[0].At, "unbound variable: %s", name)
	}
	return v, nil, nil
}

// catch evaluates its first operand if the others end in an error.
func catch(in *Interp, f Form) (Value, *Tail, error) {
	ops, err := f.Operands(1)
	if err != nil {
		return nil, nil, err
	}
	v, err := f.Scope(in, ops[1:])
	if err == nil || in.spent != nil {
		return v, nil, err
	}
	return nil, f.in(f.Env, ops[0]), nil
}

// condExpand knows no features, so that only else and (not feature) hold.
func condExpand(in *Interp, f Form) (Value, *Tail, error) {
	clauses, err := f.Operands(0)
	if err != nil {
		return nil, nil, err
	}
	for _, c := range clauses {
		parts, ok := operands(c.Expr, c.At)
		if !ok || len(parts) == 0 {
			return nil, nil, f.malformed()
		}
		if feature(parts[0].Expr) {
			return in.body(parts[1:], f.Env)
		}
	}
	return Void{}, nil, nil
}

func feature(v Value) bool {
	if v == Symbol("else") {
		return true
	}
	parts, ok := Slice(v)
	if !ok || len(parts) == 0 {
		return false
	}
	switch parts[0] {
	case Symbol("not"):
		return len(parts) == 2 && !feature(parts[1])
	case Symbol("and"):
		for _, p := range parts[1:] {
			if !feature(p) {
				return false
			}
		}
		return true
	case Symbol("or"):
		for _, p := range parts[1:] {
			if feature(p) {
				return true
			}
		}
	}
	return false
}
