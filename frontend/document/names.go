package document

import (
	"fmt"
	"slices"

	hclv2 "github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/sandboxc/sbc/ir/diag"
)

// bindNames evaluates the variable and locals blocks and adds var and local to
// the context.
func (d *decoder) bindNames(content *hclv2.BodyContent) {
	vars := map[string]cty.Value{}
	var locals []*hclv2.Attribute
	n := 0
	for _, b := range content.Blocks {
		switch b.Type {
		case "variable":
			if n++; len(b.Labels) == 1 && d.fewNames(n, b.DefRange) {
				vars[b.Labels[0]] = d.variable(b)
			}
		case "locals":
			attrs := d.justAttributes(b.Body)
			for _, a := range attrs {
				locals = append(locals, a)
			}
		}
	}
	d.bind("var", vars)
	d.bindLocals(locals)
}

// fewNames reports whether n names are not too many.
func (d *decoder) fewNames(n int, r hclv2.Range) bool {
	if n == MaxNames+1 {
		d.fail(diag.CodeNesting, r, fmt.Sprintf("the policy has more than %d names", MaxNames), "Use fewer variables and locals.")
	}
	return n <= MaxNames
}

// bind makes an object of names known to expressions, and the weights of its
// members.
func (d *decoder) bind(root string, vals map[string]cty.Value) {
	d.ctx.Variables[root] = cty.ObjectVal(vals)
	for name, v := range vals {
		d.weigher.names[root+"."+name] = measure(v)
	}
}

// variable finds the value of a variable: the command line, then the
// environment, then the default. It is unknown, and an error, without one.
func (d *decoder) variable(b *hclv2.Block) cty.Value {
	name := b.Labels[0]
	if !hclIdent(name) {
		d.fail(diag.CodeSyntax, b.LabelRanges[0], fmt.Sprintf("%q is not a name", name), "Use letters, digits, _ and -; start with a letter.")
		return cty.DynamicVal
	}
	if v, ok := d.scope.Vars[name]; ok {
		return d.outside(name, v, b.DefRange)
	}
	attrs, _ := b.Body.JustAttributes()
	if len(attrs) > MaxNames {
		return cty.DynamicVal
	}
	envName := ""
	if v, ok := d.attr(attrs["env"]); ok && v.Type() == cty.String {
		envName = v.AsString()
		if got, ok := d.lookup(envName); ok {
			return d.outside(name, got, b.DefRange)
		}
	}
	if attrs["default"] != nil {
		v, _ := d.attr(attrs["default"])
		return v
	}
	detail := fmt.Sprintf("Give it with --var %s=VALUE, or write a default.", name)
	if envName != "" {
		detail = fmt.Sprintf("Set %s in the environment, give it with --var %s=VALUE, or write a default.", envName, name)
	}
	d.fail(diag.CodeUnknownVar, b.DefRange, fmt.Sprintf("the variable %q has no value", name), detail)
	return cty.DynamicVal
}

// outside is the value of a variable that does not come from the policy.
func (d *decoder) outside(name, v string, r hclv2.Range) cty.Value {
	if !stable(v) {
		d.fail(diag.CodeNotNormalized, r, fmt.Sprintf("the value of the variable %q is not UTF-8 in normal form C", name),
			"Expressions would change it. Give it in composed characters.")
		return cty.DynamicVal
	}
	return literalVal(v)
}

// attr evaluates an attribute of a variable block. Decoding the block does so
// again, and reports the same.
func (d *decoder) attr(a *hclv2.Attribute) (cty.Value, bool) {
	if a == nil {
		return cty.DynamicVal, false
	}
	v, ok := d.known(a.Name, a.Expr)
	if !ok {
		return cty.DynamicVal, false
	}
	return v, true
}

func (d *decoder) lookup(name string) (string, bool) {
	if d.scope.Env == nil {
		return "", false
	}
	return d.scope.Env(name)
}

func hclIdent(s string) bool {
	for i, c := range s {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_'
		if !letter && (i == 0 || (c != '-' && (c < '0' || c > '9'))) {
			return false
		}
	}
	return s != ""
}

// bindLocals evaluates locals in the order of their references; what is left
// when nothing more can be evaluated refers to itself.
func (d *decoder) bindLocals(todo []*hclv2.Attribute) {
	slices.SortFunc(todo, func(a, b *hclv2.Attribute) int { return a.Range.Start.Byte - b.Range.Start.Byte })
	done := map[string]cty.Value{}
	d.bind("local", done)
	waiting := map[string]bool{}
	for _, a := range todo {
		waiting[a.Name] = true
	}
	for len(todo) > 0 {
		var later []*hclv2.Attribute
		for _, a := range todo {
			if refersTo(a.Expr, waiting) {
				later = append(later, a)
				continue
			}
			v, ok := d.known(a.Name, a.Expr)
			if !ok {
				v = cty.DynamicVal
			}
			done[a.Name] = v
			delete(waiting, a.Name)
			d.ctx.Variables["local"] = cty.ObjectVal(done)
			d.weigher.names["local."+a.Name] = measure(v)
		}
		if len(later) == len(todo) {
			for _, a := range later {
				d.fail(diag.CodeUnknownVar, a.NameRange, fmt.Sprintf("the local %q refers to itself", a.Name), "Break the circle.")
			}
			return
		}
		todo = later
	}
}

// refersTo reports whether the expression uses local.NAME for a name in the set.
func refersTo(expr hclv2.Expression, names map[string]bool) bool {
	for _, t := range expr.Variables() {
		if t.RootName() != "local" {
			continue
		}
		if len(t) < 2 {
			return len(names) > 0
		}
		if step, ok := t[1].(hclv2.TraverseAttr); !ok || names[step.Name] {
			return true
		}
	}
	return false
}
