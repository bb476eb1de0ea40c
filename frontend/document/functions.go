package document

import (
	"fmt"
	"maps"
	"slices"
	"unicode"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// functions are the functions of the policy language.
func functions() map[string]function.Function {
	return map[string]function.Function{
		"concat":     stdlib.ConcatFunc,
		"format":     formatFunc(),
		"join":       stdlib.JoinFunc,
		"lower":      stdlib.LowerFunc,
		"replace":    stdlib.ReplaceFunc,
		"trimprefix": stdlib.TrimPrefixFunc,
		"literal":    literalFunc(),
	}
}

// FunctionNames lists the functions of the policy language, sorted.
func FunctionNames() []string { return slices.Sorted(maps.Keys(functions())) }

// callWeight bounds what a function gives. An unknown function, or one with too
// few arguments, is an error when it is called.
func callWeight(name string, args []weight) weight {
	all := scalar(1)
	for _, a := range args {
		all = weight{size: sum(all.size, a.size), count: sum(all.count, a.count), elem: either(all, a).elem}
	}
	if len(args) == 0 {
		return all
	}
	first := args[0].size
	switch name {
	case "concat":
		return all
	case "join": // the separator stands between all elements
		return scalar(sum(all.size, product(first, all.count)))
	case "lower", "literal": // up to three bytes for one
		return scalar(product(3, all.size))
	case "trimprefix":
		return scalar(all.size)
	case "replace": // each byte, and each place between two
		return scalar(product(sum(first, 1), all.size))
	case "format": // each verb gives any argument, escaped, in a width
		return scalar(product(first, sum(product(6, all.size), maxWidth)))
	}
	return all
}

// literalFunc is literal(s): s with every glob character standing for itself.
func literalFunc() function.Function {
	return function.New(&function.Spec{
		Description: "Returns the string with every glob character standing for itself.",
		Params:      []function.Parameter{{Name: "path", Type: cty.String}},
		Type:        function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			return cty.StringVal(Literal(args[0].AsString())), nil
		},
	})
}

// maxWidth bounds the width and the precision of a verb of format.
const maxWidth = 99

// formatFunc is format(spec, args...) with bounded widths.
func formatFunc() function.Function {
	return function.New(&function.Spec{
		Description: "Returns a string made of the arguments, as in printf.",
		Params:      []function.Parameter{{Name: "format", Type: cty.String}},
		VarParam:    &function.Parameter{Name: "args", Type: cty.DynamicPseudoType, AllowNull: true},
		Type:        function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			if hasLongNumber(args[0].AsString()) {
				return cty.UnknownVal(cty.String), function.NewArgErrorf(0, "a width is larger than %d", maxWidth)
			}
			v, err := stdlib.Format(args[0], args[1:]...)
			if err != nil {
				return cty.UnknownVal(cty.String), fmt.Errorf("cannot format: %w", err)
			}
			return v, nil
		},
	})
}

// hasLongNumber reports whether three digits stand in a row behind a "%".
func hasLongNumber(s string) bool {
	verb, run := false, 0
	for _, c := range s {
		switch {
		case c == '%':
			verb, run = true, 0
		case verb && '0' <= c && c <= '9':
			if run++; run == 3 {
				return true
			}
		case unicode.IsLetter(c):
			verb, run = false, 0
		default:
			run = 0
		}
	}
	return false
}
