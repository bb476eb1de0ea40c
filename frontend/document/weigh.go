package document

import (
	"fmt"
	"strings"

	hclv2 "github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/sandboxc/sbc/ir/diag"
)

// Bounds on evaluation, in the units of [weight].
const (
	maxValue = 2 << 20  // what one expression gives
	maxWork  = 16 << 20 // what all expressions of a file cost
	nodeCost = 16       // of evaluating a node of an expression
)

// weigher bounds expressions. It knows the weights of all names.
type weigher struct {
	names map[string]weight // "workspace", "var.x", "local.x"
	loop  map[string]weight // variables of the for-expressions around
	work  int64
	splat bool // met
}

func newWeigher(vars map[string]cty.Value) *weigher {
	w := &weigher{names: map[string]weight{}}
	for name, v := range vars {
		w.names[name] = measure(v)
	}
	return w
}

// affordable reports whether an expression may be evaluated, and what is wrong
// if not. What it costs is taken from the budget of the file.
func (d *decoder) affordable(name string, expr hclv2.Expression) bool {
	w := d.weigh(expr)
	switch {
	case d.weigher.splat:
		d.weigher.splat = false
		d.fail(diag.CodeSyntax, expr.Range(), fmt.Sprintf("%q holds a splat", name), "Write a for-expression: [for x in list : x.name].")
		return false
	case w.size <= maxValue && d.weigher.work <= maxWork:
		return true
	}
	d.fail(diag.CodeNesting, expr.Range(), fmt.Sprintf("%q takes too much to evaluate", name), "Use shorter lists and fewer for-expressions within each other.")
	return false
}

func (d *decoder) weigh(expr hclv2.Expression) weight {
	if e, ok := expr.(hclsyntax.Expression); ok {
		return d.weigher.weigh(e)
	}
	if elems, ds := hclv2.ExprList(expr); !ds.HasErrors() {
		out := scalar(1)
		for _, e := range elems {
			out.join(scalar(0), d.weigh(e))
		}
		return out
	}
	if kvs, ds := hclv2.ExprMap(expr); !ds.HasErrors() {
		out := scalar(1)
		for _, kv := range kvs {
			out.join(d.weigh(kv.Key), d.weigh(kv.Value))
		}
		return out
	}
	v, _ := expr.Value(nil)
	if v.Type() != cty.String || v.IsNull() || !strings.ContainsAny(v.AsString(), "$%") || d.ctx == nil {
		d.weigher.work += nodeCost
		return measure(v)
	}
	t, ds := hclsyntax.ParseTemplate([]byte(v.AsString()), d.file.Name, expr.Range().Start)
	if ds.HasErrors() {
		return scalar(1) // reported when it is evaluated
	}
	return d.weigher.weigh(t)
}

func (w *weigher) weigh(e hclsyntax.Expression) weight {
	if t, ok := e.(*hclsyntax.TemplateExpr); ok && t.IsStringLiteral() {
		r := t.Range()
		out := scalar(int64(r.End.Byte - r.Start.Byte)) // escapes are longer than what they stand for
		w.work = sum(w.work, 1, out.size)
		return out
	}
	w.work = sum(w.work, nodeCost)
	out := w.node(e)
	w.work = sum(w.work, out.size)
	return out
}

func (w *weigher) node(e hclsyntax.Expression) weight {
	switch e := e.(type) {
	case *hclsyntax.LiteralValueExpr:
		return measure(e.Val)
	case *hclsyntax.ScopeTraversalExpr:
		return w.name(e.Traversal)
	case *hclsyntax.RelativeTraversalExpr:
		return steps(w.weigh(e.Source), e.Traversal)
	case *hclsyntax.IndexExpr:
		w.weigh(e.Key)
		return w.weigh(e.Collection).inside()
	case *hclsyntax.FunctionCallExpr:
		return w.call(e)
	case *hclsyntax.ConditionalExpr:
		w.weigh(e.Condition)
		return either(w.weigh(e.TrueResult), w.weigh(e.FalseResult))
	case *hclsyntax.TupleConsExpr:
		out := scalar(1)
		for _, x := range e.Exprs {
			out.join(scalar(0), w.weigh(x))
		}
		return out
	case *hclsyntax.ObjectConsExpr:
		out := scalar(1)
		for _, item := range e.Items {
			out.join(w.weigh(item.KeyExpr), w.weigh(item.ValueExpr))
		}
		return out
	case *hclsyntax.ObjectConsKeyExpr:
		r := e.Range() // a bare word stands for itself
		return either(w.weigh(e.Wrapped), scalar(int64(r.End.Byte-r.Start.Byte)))
	case *hclsyntax.ForExpr:
		return w.forExpr(e)
	case *hclsyntax.BinaryOpExpr:
		return scalar(sum(w.weigh(e.LHS).size, w.weigh(e.RHS).size, fraction))
	case *hclsyntax.UnaryOpExpr:
		return scalar(w.weigh(e.Val).size)
	case *hclsyntax.TemplateExpr:
		out := scalar(1)
		for _, p := range e.Parts {
			out.size = sum(out.size, w.weigh(p).size)
		}
		return out
	case *hclsyntax.TemplateJoinExpr:
		return scalar(w.weigh(e.Tuple).size)
	case *hclsyntax.TemplateWrapExpr:
		return w.weigh(e.Wrapped)
	case *hclsyntax.ParenthesesExpr:
		return w.weigh(e.Expression)
	case *hclsyntax.SplatExpr, *hclsyntax.AnonSymbolExpr:
		w.splat = true
		return scalar(1)
	case *hclsyntax.ExprSyntaxError:
		return scalar(1)
	}
	return scalar(saturated) // no other expression is known
}

func (w *weigher) name(t hclv2.Traversal) weight {
	root := t.RootName()
	if out, ok := w.loop[root]; ok {
		return steps(out, t[1:])
	}
	if root != "var" && root != "local" {
		return steps(w.names[root], t[1:])
	}
	if len(t) > 1 {
		if a, ok := t[1].(hclv2.TraverseAttr); ok {
			return steps(w.names[root+"."+a.Name], t[2:])
		}
	}
	out := scalar(1) // all of them, as an object
	for name, x := range w.names {
		if strings.HasPrefix(name, root+".") {
			out.join(scalar(int64(len(name))), x)
		}
	}
	return steps(out, t[1:])
}

func steps(w weight, t hclv2.Traversal) weight {
	for range t {
		w = w.inside()
	}
	return w
}

// forExpr is one evaluation of the body for each element.
func (w *weigher) forExpr(e *hclsyntax.ForExpr) weight {
	coll := w.weigh(e.CollExpr)
	outer := w.loop
	w.loop = map[string]weight{}
	for name, x := range outer {
		w.loop[name] = x
	}
	elem := coll.inside()
	w.loop[e.ValVar], w.loop[e.KeyVar] = elem, scalar(elem.size)
	before := w.work
	if e.CondExpr != nil {
		w.weigh(e.CondExpr)
	}
	val := w.weigh(e.ValExpr)
	group := val
	if e.KeyExpr != nil {
		key := w.weigh(e.KeyExpr)
		if e.Group {
			group = list(coll.count, val)
		}
		group.size, val.size = sum(group.size, key.size), sum(val.size, key.size)
	}
	w.loop = outer
	w.work = sum(before, product(max(coll.count, 1), w.work-before))
	out := list(coll.count, group)
	out.size = sum(1, product(coll.count, sum(val.size, 1))) // grouping moves values, it does not repeat them
	return out
}

func (w *weigher) call(e *hclsyntax.FunctionCallExpr) weight {
	var args []weight
	for i, a := range e.Args {
		x := w.weigh(a)
		if e.ExpandFinal && i == len(e.Args)-1 {
			// Each element is an argument; together they are this.
			in := x.inside()
			x = weight{size: x.size, count: product(x.count, in.count), elem: in.elem}
		}
		args = append(args, x)
	}
	return callWeight(e.Name, args)
}
