package scheme

import (
	"strconv"
	"strings"
)

// texts are the procedures on strings and characters.
func texts() []*Builtin {
	out := []*Builtin{
		charged("string-append", 0, -1, func(a []Value) (Value, int, bool) {
			parts, ok := all[string](a)
			s := strings.Join(parts, "")
			return s, len(s) / 8, ok && len(s) <= maxString
		}),
		pure("string-length", 1, 1, func(a []Value) (Value, bool) {
			s, ok := a[0].(string)
			return int64(len(s)), ok
		}),
		pure("string-ref", 2, 2, func(a []Value) (Value, bool) {
			s, ok := a[0].(string)
			n, ok2 := a[1].(int64)
			if !ok || !ok2 || n < 0 || n >= int64(len(s)) {
				return nil, false
			}
			return Char(s[n]), true
		}),
		pure("substring", 2, 3, func(a []Value) (Value, bool) {
			s, ok := a[0].(string)
			n, ok2 := all[int64](a[1:])
			if !ok || !ok2 {
				return nil, false
			}
			n = append(n, int64(len(s)))
			if n[0] < 0 || n[0] > n[1] || n[1] > int64(len(s)) {
				return nil, false
			}
			return s[n[0]:n[1]], true
		}),
		charged("string", 0, -1, func(a []Value) (Value, int, bool) { return join(a) }),
		charged("list->string", 1, 1, func(a []Value) (Value, int, bool) {
			s, ok := Slice(a[0])
			if !ok {
				return nil, 0, false
			}
			return join(s)
		}),
		charged("string->list", 1, 1, func(a []Value) (Value, int, bool) {
			s, ok := a[0].(string)
			out := make([]Value, len(s))
			for i := range len(s) {
				out[i] = Char(s[i])
			}
			return List(out...), len(s), ok
		}),
		pure("string-copy", 1, 1, func(a []Value) (Value, bool) {
			s, ok := a[0].(string)
			return s, ok
		}),
		pure("string->symbol", 1, 1, func(a []Value) (Value, bool) {
			s, ok := a[0].(string)
			return Symbol(s), ok
		}),
		pure("symbol->string", 1, 1, func(a []Value) (Value, bool) {
			s, ok := a[0].(Symbol)
			return string(s), ok
		}),
		pure("string->number", 1, 2, func(a []Value) (Value, bool) {
			s, ok := a[0].(string)
			base, ok2 := all[int64](a[1:])
			if base = append(base, 10); !ok || !ok2 || base[0] < 2 || base[0] > 36 {
				return nil, false
			}
			n, err := strconv.ParseInt(s, int(base[0]), 64)
			if err != nil {
				return false, true
			}
			return n, true
		}),
		pure("number->string", 1, 2, func(a []Value) (Value, bool) {
			n, ok := all[int64](a)
			if n = append(n, 10); !ok || n[1] < 2 || n[1] > 36 {
				return nil, false
			}
			return strconv.FormatInt(n[0], int(n[1])), true
		}),
		pure("char->integer", 1, 1, func(a []Value) (Value, bool) {
			c, ok := a[0].(Char)
			return int64(c), ok
		}),
		pure("integer->char", 1, 1, func(a []Value) (Value, bool) {
			n, ok := a[0].(int64)
			return Char(n), ok && 0 <= n && n <= 255
		}),
		letter("char-upcase", strings.ToUpper), letter("char-downcase", strings.ToLower),
	}
	out = append(out, compare("string", strings.Compare)...)
	return append(out, compare("char", func(a, b Char) int { return int(a) - int(b) })...)
}

// maxString is how long a string may grow.
const maxString = 1 << 20

// all returns the values as one type.
func all[T any](vs []Value) ([]T, bool) {
	out := make([]T, 0, len(vs)+1)
	for _, v := range vs {
		t, ok := v.(T)
		if !ok {
			return nil, false
		}
		out = append(out, t)
	}
	return out, true
}

func join(vs []Value) (Value, int, bool) {
	chars, ok := all[Char](vs)
	out := make([]byte, len(chars))
	for i, c := range chars {
		out[i] = byte(c)
	}
	return string(out), len(out), ok
}

func letter(name string, f func(string) string) *Builtin {
	return pure(name, 1, 1, func(a []Value) (Value, bool) {
		c, ok := a[0].(Char)
		if c >= 0x80 {
			return c, ok
		}
		return Char(f(string(rune(c)))[0]), ok
	})
}

// compare makes the comparisons of a type: string=?, string<? and so on.
func compare[T any](name string, cmp func(a, b T) int) []*Builtin {
	var out []*Builtin
	for op, holds := range map[string]func(int) bool{
		"=?": func(c int) bool { return c == 0 }, "<?": func(c int) bool { return c < 0 }, ">?": func(c int) bool { return c > 0 },
		"<=?": func(c int) bool { return c <= 0 }, ">=?": func(c int) bool { return c >= 0 },
	} {
		out = append(out, pure(name+op, 2, 2, func(a []Value) (Value, bool) {
			ts, ok := all[T](a)
			return ok && holds(cmp(ts[0], ts[1])), ok
		}))
	}
	return out
}
