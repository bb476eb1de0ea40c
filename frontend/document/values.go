package document

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	hclv2 "github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/sandboxc/sbc/ir/diag"
)

// value evaluates an attribute to the exact type that the schema asks for.
func (d *decoder) value(a Attr, expr hclv2.Expression) (any, bool) {
	switch a.Kind {
	case String:
		t, ok := d.text(a.Name, expr)
		if ok && strings.ContainsRune(t.Value, 0) {
			d.fail(diag.CodeSyntax, expr.Range(), fmt.Sprintf("%q holds a NUL", a.Name), "Remove it.")
			return nil, false
		}
		if ok && a.Enum != nil && !slices.Contains(a.Enum, t.Value) {
			d.enum(a.Name, t.Value, a.Enum, expr.Range())
			return nil, false
		}
		return t, ok
	case Strings, Paths:
		return d.texts(a.Name, expr)
	case Bool:
		v, ok := d.eval(a.Name, expr, cty.Bool)
		return ok && v.True(), ok
	case Int:
		return d.integer(a.Name, expr)
	case Size:
		return d.quantity(a.Name, expr, ParseSize)
	case Duration:
		return d.quantity(a.Name, expr, ParseDuration)
	case StringMap:
		return d.pairs(a.Name, expr)
	case PathsByOp:
		return d.opPaths(a.Name, expr)
	case Rules:
		return d.rules(expr)
	case Any:
		v, ok := d.known(a.Name, expr)
		return v, ok
	}
	return nil, false
}

// known evaluates an expression and refuses null.
func (d *decoder) known(name string, expr hclv2.Expression) (cty.Value, bool) {
	if !d.affordable(name, expr) {
		return cty.DynamicVal, false
	}
	v, ds := expr.Value(d.ctx)
	if len(ds) > 0 {
		d.report(d.file.Convert(ds)...)
		if ds.HasErrors() {
			return v, false
		}
	}
	if !v.IsWhollyKnown() && d.diags.HasErrors() {
		return v, false // follows from a problem that is reported already
	}
	if v.IsNull() || !v.IsWhollyKnown() {
		d.fail(diag.CodeWrongType, expr.Range(), fmt.Sprintf("%q is null", name), "Give a value, or leave the attribute out.")
		return v, false
	}
	return v, true
}

func (d *decoder) eval(name string, expr hclv2.Expression, want cty.Type) (cty.Value, bool) {
	v, ok := d.known(name, expr)
	if !ok {
		return v, false
	}
	return v, d.typed(name, v, want, expr.Range())
}

func (d *decoder) typed(name string, v cty.Value, want cty.Type, r hclv2.Range) bool {
	if v.IsNull() {
		d.fail(diag.CodeWrongType, r, fmt.Sprintf("%q holds null", name), "Give a value, or leave it out.")
		return false
	}
	if v.Type().Equals(want) {
		return true
	}
	d.fail(diag.CodeWrongType, r, fmt.Sprintf("%q is %s, not %s", name, typeName(v.Type()), typeName(want)), "Types are exact: nothing is converted.")
	return false
}

func typeName(t cty.Type) string {
	switch {
	case t == cty.String:
		return "a string"
	case t == cty.Number:
		return "a number"
	case t == cty.Bool:
		return "true or false"
	case t.IsObjectType() || t.IsMapType():
		return "an object"
	case t.IsTupleType() || t.IsListType() || t.IsSetType():
		return "a list"
	}
	return t.FriendlyName()
}

func (d *decoder) text(name string, expr hclv2.Expression) (Text, bool) {
	v, ok := d.eval(name, expr, cty.String)
	if !ok {
		return Text{}, false
	}
	return d.newText(v.AsString(), expr.Range()), true
}

// newText makes a text of a value and the place of its expression.
func (d *decoder) newText(value string, r hclv2.Range) Text {
	t := Text{Value: value, Range: d.place(r), Source: Plain(value)}
	src := string(d.file.Src[t.Range.Start.Byte:t.Range.End.Byte])
	odd := "\n"
	if len(src) >= 2 && src[0] == '"' && src[len(src)-1] == '"' {
		src, odd = src[1:len(src)-1], "\n\\\""
	}
	if src != "" && len(src) <= 100 && !strings.ContainsAny(src, odd) {
		t.Source = src
	}
	return t
}

// texts evaluates a list of strings. The elements of a written list keep their
// own ranges; those of a computed list have the range of the expression.
func (d *decoder) texts(name string, expr hclv2.Expression) ([]Text, bool) {
	elems, ds := hclv2.ExprList(expr)
	if ds.HasErrors() {
		v, ok := d.known(name, expr)
		if !ok {
			return nil, false
		}
		return d.flatten(name, v, expr.Range(), 1)
	}
	out, good := []Text{}, true
	for _, e := range elems {
		v, ok := d.known(name, e)
		if !ok {
			good = false
			continue
		}
		if v.Type() == cty.String {
			out = append(out, d.newText(v.AsString(), e.Range()))
			continue
		}
		inner, ok := d.flatten(name, v, e.Range(), 0)
		good = good && ok
		out = append(out, inner...)
	}
	return out, good
}

// flatten reads the strings of a list value; depth is how many lists may lie
// within it.
func (d *decoder) flatten(name string, v cty.Value, r hclv2.Range, depth int) ([]Text, bool) {
	if t := v.Type(); !t.IsTupleType() && !t.IsListType() {
		d.fail(diag.CodeWrongType, r, fmt.Sprintf("%q is %s, not a list of strings", name, typeName(t)), `Write a list: ["..."].`)
		return nil, false
	}
	out, good := []Text{}, true
	for it := v.ElementIterator(); it.Next(); {
		_, e := it.Element()
		switch {
		case e.Type() == cty.String && !e.IsNull():
			out = append(out, d.newText(e.AsString(), r))
		case depth > 0 && !e.IsNull() && (e.Type().IsTupleType() || e.Type().IsListType()):
			inner, ok := d.flatten(name, e, r, depth-1)
			good = good && ok
			out = append(out, inner...)
		default:
			good = d.typed(name, e, cty.String, r) && good
		}
	}
	return out, good
}

func (d *decoder) integer(name string, expr hclv2.Expression) (Number, bool) {
	v, ok := d.eval(name, expr, cty.Number)
	if !ok {
		return Number{}, false
	}
	n, acc := v.AsBigFloat().Int64()
	if acc != big.Exact {
		d.fail(diag.CodeQuantity, expr.Range(), fmt.Sprintf("%q is not a whole number in range", name), "Write a whole number.")
		return Number{}, false
	}
	return Number{Value: n, Range: d.place(expr.Range())}, true
}

func (d *decoder) quantity(name string, expr hclv2.Expression, parse func(string) (int64, error)) (Number, bool) {
	t, ok := d.text(name, expr)
	if !ok {
		return Number{}, false
	}
	n, err := parse(t.Value)
	if err != nil {
		d.fail(diag.CodeQuantity, expr.Range(), fmt.Sprintf("%q: %v", name, err), quantityHelp)
		return Number{}, false
	}
	return Number{Value: n, Range: t.Range}, true
}

// items returns the members of an object expression. A key twice is an error.
func (d *decoder) items(name string, expr hclv2.Expression) ([]Pair, []hclv2.Expression, bool) {
	kvs, ds := hclv2.ExprMap(expr)
	if ds.HasErrors() {
		return nil, nil, false
	}
	var keys []Pair
	var vals []hclv2.Expression
	good := true
	seen := map[string]hclv2.Range{}
	for _, kv := range kvs {
		k, ok := d.eval(name, kv.Key, cty.String)
		if !ok {
			good = false
			continue
		}
		key := k.AsString()
		if first, dup := seen[key]; dup {
			at := d.place(kv.Key.Range())
			d.report(diag.Diagnostic{
				Code: diag.CodeDuplicate, Severity: diag.Error, Subject: &at,
				Summary: fmt.Sprintf("duplicate key %q", Plain(key)),
				Detail:  "A key stands once in an object. Remove one.",
				Related: []diag.Related{{Range: d.place(first), Message: "the first one is here"}},
			})
			good = false
			continue
		}
		seen[key] = kv.Key.Range()
		keys = append(keys, Pair{Name: key, Range: d.place(kv.Key.Range())})
		vals = append(vals, kv.Value)
	}
	return keys, vals, good
}

func (d *decoder) pairs(name string, expr hclv2.Expression) ([]Pair, bool) {
	keys, vals, good := d.items(name, expr)
	if keys == nil && good {
		return []Pair{}, true
	}
	if keys == nil {
		return d.computedPairs(name, expr)
	}
	for i := range keys {
		t, ok := d.text(name, vals[i])
		good = good && ok
		keys[i].Value = t.Value
	}
	sortPairs(keys)
	return keys, good
}

// computedPairs reads an object that is no literal, such as a for-expression.
func (d *decoder) computedPairs(name string, expr hclv2.Expression) ([]Pair, bool) {
	if d.diags.HasErrors() {
		return nil, false
	}
	v, ok := d.known(name, expr)
	if !ok {
		return nil, false
	}
	if t := v.Type(); !t.IsObjectType() && !t.IsMapType() {
		return nil, d.typed(name, v, cty.Map(cty.String), expr.Range())
	}
	out, good := []Pair{}, true
	for it := v.ElementIterator(); it.Next(); {
		k, e := it.Element()
		if !d.typed(name, e, cty.String, expr.Range()) {
			good = false
			continue
		}
		out = append(out, Pair{Name: k.AsString(), Value: e.AsString(), Range: d.place(expr.Range())})
	}
	sortPairs(out)
	return out, good
}

func sortPairs(p []Pair) {
	slices.SortFunc(p, func(a, b Pair) int { return strings.Compare(a.Name, b.Name) })
}

func (d *decoder) opPaths(name string, expr hclv2.Expression) ([]OpPaths, bool) {
	keys, vals, good := d.items(name, expr)
	if keys == nil {
		if good {
			return nil, true
		}
		d.fail(diag.CodeWrongType, expr.Range(), fmt.Sprintf("%q is not an object", name), `Write { read = ["..."], write = ["..."] }.`)
		return nil, false
	}
	var out []OpPaths
	ops := []string{"read", "write", "unlink"}
	for i, k := range keys {
		if !slices.Contains(ops, k.Name) {
			at := k.Range
			d.report(diag.Diagnostic{
				Code: diag.CodeUnknownName, Severity: diag.Error, Subject: &at,
				Summary: fmt.Sprintf("unknown operation %q", Plain(k.Name)), Detail: fmt.Sprintf("It is one of %s.", quoteList(ops)),
			})
			good = false
			continue
		}
		paths, ok := d.texts(k.Name, vals[i])
		good = good && ok
		out = append(out, OpPaths{Op: Text{Value: k.Name, Range: k.Range}, Paths: paths})
	}
	return out, good
}
