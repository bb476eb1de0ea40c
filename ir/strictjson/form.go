package strictjson

import (
	"errors"
	"fmt"
	"reflect"

	"github.com/sandboxc/sbc/ir/diag"
)

// Form says that a Go type is written in JSON as another type is. [As] and
// [Words] make forms. A set of forms holds at most one for a type.
type Form struct {
	typ  reflect.Type
	as   reflect.Type
	to   func(reflect.Value) reflect.Value
	from func(reflect.Value) (reflect.Value, error)
	// words are the values of a closed set, in the order of their numbers.
	words []string
}

// As makes T, which may be an interface, be written as F is. An error of from
// becomes the problem's summary; an [*Error] gives the rest of it too.
func As[T, F any](to func(T) F, from func(F) (T, error)) Form {
	return Form{
		typ: reflect.TypeFor[T](),
		as:  reflect.TypeFor[F](),
		to: func(v reflect.Value) reflect.Value {
			t, _ := v.Interface().(T) // a nil interface is the zero T
			return reflect.ValueOf(to(t))
		},
		from: func(v reflect.Value) (reflect.Value, error) {
			f, _ := v.Interface().(F)
			t, err := from(f)
			return reflect.ValueOf(&t).Elem(), err
		},
	}
}

// Words makes T be written as the word that its String method returns. The
// values are all that there are; kind names the set in messages ("effect").
func Words[T interface {
	comparable
	fmt.Stringer
}](kind string, values ...T,
) Form {
	words := make([]string, len(values))
	byWord := make(map[string]T, len(values))
	for i, v := range values {
		words[i] = v.String()
		byWord[words[i]] = v
	}
	f := As(T.String, func(s string) (T, error) {
		v, ok := byWord[s]
		if ok {
			return v, nil
		}
		err := &Error{Summary: fmt.Sprintf("unknown %s %s", kind, quote(s)), Detail: "It is " + orList(words) + "."}
		if near := diag.Nearest(s, words); near != "" {
			err.Help = fmt.Sprintf("did you mean %q?", near)
		}
		return v, err
	})
	f.words = words
	return f
}

// Error is a problem with a value, for the from function of [As].
type Error struct {
	Summary string // lower-case, without a full stop
	Detail  string // full sentences; may be empty
	Help    string // a hint; may be empty
}

// Error returns the summary.
func (e *Error) Error() string { return e.Summary }

// problem makes a diagnostic of an error of a from function.
func problem(err error) diag.Diagnostic {
	var e *Error
	if errors.As(err, &e) {
		return diag.Diagnostic{Summary: e.Summary, Detail: e.Detail, Help: e.Help}
	}
	return diag.Diagnostic{Summary: err.Error()}
}

// orList returns `"a", "b" or "c"`.
func orList(words []string) string {
	out := ""
	for i, w := range words {
		switch {
		case i > 0 && i == len(words)-1:
			out += " or "
		case i > 0:
			out += ", "
		}
		out += fmt.Sprintf("%q", w)
	}
	return out
}
