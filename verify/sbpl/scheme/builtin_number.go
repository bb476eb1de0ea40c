package scheme

// numbers are the procedures on whole numbers.
func numbers() []*Builtin {
	var out []*Builtin
	for op, holds := range map[string]func(a, b int64) bool{
		"=": func(a, b int64) bool { return a == b }, "<": func(a, b int64) bool { return a < b }, ">": func(a, b int64) bool { return a > b },
		"<=": func(a, b int64) bool { return a <= b }, ">=": func(a, b int64) bool { return a >= b },
	} {
		out = append(out, pure(op, 2, -1, func(a []Value) (Value, bool) {
			n, ok := all[int64](a)
			for i := 1; i < len(n); i++ {
				if !holds(n[i-1], n[i]) {
					return false, ok
				}
			}
			return true, ok
		}))
	}
	for op, f := range map[string]func(a, b int64) int64{
		"+": func(a, b int64) int64 { return a + b }, "*": func(a, b int64) int64 { return a * b },
		"-": func(a, b int64) int64 { return a - b }, "max": func(a, b int64) int64 { return max(a, b) },
		"min": func(a, b int64) int64 { return min(a, b) },
	} {
		out = append(out, pure(op, 0, -1, func(a []Value) (Value, bool) {
			n, ok := all[int64](a)
			return fold(op, n, f), ok && (len(n) > 0 || op == "+" || op == "*")
		}))
	}
	for op, f := range map[string]func(a, b int64) int64{
		"quotient": func(a, b int64) int64 { return a / b }, "remainder": func(a, b int64) int64 { return a % b },
		"modulo": func(a, b int64) int64 { return ((a % b) + b) % b },
	} {
		out = append(out, pure(op, 2, 2, func(a []Value) (Value, bool) {
			n, ok := all[int64](a)
			if !ok || n[1] == 0 {
				return nil, false
			}
			return f(n[0], n[1]), true
		}))
	}
	for name, f := range map[string]func(int64) bool{
		"zero?": func(n int64) bool { return n == 0 }, "positive?": func(n int64) bool { return n > 0 },
		"negative?": func(n int64) bool { return n < 0 }, "odd?": func(n int64) bool { return n%2 != 0 }, "even?": func(n int64) bool { return n%2 == 0 },
	} {
		out = append(out, pure(name, 1, 1, func(a []Value) (Value, bool) {
			n, ok := a[0].(int64)
			return f(n), ok
		}))
	}
	return out
}

func fold(op string, n []int64, f func(a, b int64) int64) Value {
	var acc int64
	switch {
	case len(n) == 0 && op == "*":
		acc = 1
	case len(n) == 1 && op == "-":
		acc = -n[0]
	case len(n) > 0:
		acc = n[0]
		for _, x := range n[1:] {
			acc = f(acc, x)
		}
	}
	return acc
}
