package document

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

// Scope is what expressions may refer to. Every string is plain text; it is
// made literal before an expression sees it.
type Scope struct {
	Workspace string
	Home      string
	Tmp       string
	UserCache string
	GitDirs   []string
	OS        string
	// Vars are values from the command line, by name.
	Vars map[string]string
	// Env looks up an environment variable.
	Env func(name string) (string, bool)
}

// context builds the evaluation context without var and local.
func (s Scope) context() *hcl.EvalContext {
	return &hcl.EvalContext{
		Variables: map[string]cty.Value{
			"workspace":  literalVal(s.Workspace),
			"home":       literalVal(s.Home),
			"tmp":        literalVal(s.Tmp),
			"user_cache": literalVal(s.UserCache),
			"git_dirs":   literalList(s.GitDirs),
			"os":         literalVal(s.OS),
		},
		Functions: functions(),
	}
}

func literalVal(s string) cty.Value { return cty.StringVal(Literal(s)) }

func literalList(list []string) cty.Value {
	if len(list) == 0 {
		return cty.ListValEmpty(cty.String)
	}
	vals := make([]cty.Value, len(list))
	for i, s := range list {
		vals[i] = literalVal(s)
	}
	return cty.ListVal(vals)
}

// functions are the functions of the policy language.
func functions() map[string]function.Function {
	return map[string]function.Function{
		"concat":     stdlib.ConcatFunc,
		"format":     stdlib.FormatFunc,
		"join":       stdlib.JoinFunc,
		"lower":      stdlib.LowerFunc,
		"replace":    stdlib.ReplaceFunc,
		"trimprefix": stdlib.TrimPrefixFunc,
		"literal":    literalFunc(),
	}
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
