package document

import (
	hclv2 "github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
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

// context builds the evaluation context without var and local. What is not
// known has no name: as an empty string it would make "${tmp}/x" a path at the
// root.
func (s Scope) context() *hclv2.EvalContext {
	vars := map[string]cty.Value{"git_dirs": literalList(s.GitDirs)}
	for name, v := range map[string]string{
		"workspace": s.Workspace, "home": s.Home, "tmp": s.Tmp, "user_cache": s.UserCache, "os": s.OS,
	} {
		if v != "" {
			vars[name] = literalVal(v)
		}
	}
	return &hclv2.EvalContext{Variables: vars, Functions: functions()}
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
